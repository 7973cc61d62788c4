import Synchronization

/// A stream for the user interface: it never fails, delivers on one scheduler, and shares one subscription.
///
/// Use it as a ``Driver``, which replays its latest element, or as a ``Signal``, which does not.
///
/// Its operators are those of ``Observable`` that keep this contract, and work as there; timed ones use the scheduler of
/// the strategy. An error that a result selector throws terminates the sequence and is passed to
/// ``Hooks/defaultErrorHandler``.
///
/// ```swift
/// Driver.of(1, 2).map { $0 * 10 }    // a driver of 10, 20
/// ```
@preconcurrency
public struct SharedSequence<SharingStrategy: SharingStrategyProtocol, Element: Sendable>:
    SharedSequenceConvertibleType
{
    @usableFromInline let source: Observable<Element>

    /// Creates a shared sequence from `source`, which must not fail and must deliver on the strategy's scheduler.
    @inlinable
    init(_ source: Observable<Element>) { self.source = SharingStrategy.share(source) }

    /// Creates a shared sequence from a source that is shared already or needs no sharing.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }

    @inlinable
    public func asObservable() -> Observable<Element> { source }

    @inlinable
    public func asSharedSequence() -> SharedSequence<SharingStrategy, Element> { self }
}

/// A type that can be converted to a ``SharedSequence``.
///
/// ```swift
/// func titles<Strategy: SharingStrategyProtocol>(
///     _ rows: some SharedSequenceConvertibleType<Strategy, Int>
/// ) -> SharedSequence<Strategy, String> {
///     rows.map { "row \($0)" }
/// }
/// titles(Driver.of(1, 2))    // a driver of "row 1", "row 2"
/// ```
@preconcurrency
public protocol SharedSequenceConvertibleType<SharingStrategy, Element>: ObservableConvertibleType {
    associatedtype SharingStrategy: SharingStrategyProtocol

    func asSharedSequence() -> SharedSequence<SharingStrategy, Element>
}

extension SharedSequenceConvertibleType {
    @inlinable
    public func asObservable() -> Observable<Element> { asSharedSequence().asObservable() }
}

/// The scheduler and the sharing of a ``SharedSequence``.
///
/// ```swift
/// func delivered<Strategy: SharingStrategyProtocol>(_ rows: SharedSequence<Strategy, Int>) -> any SchedulerType {
///     Strategy.scheduler
/// }
/// delivered(Driver.just(1))    // the main scheduler
/// ```
public protocol SharingStrategyProtocol: Sendable {
    /// The scheduler that delivers elements.
    static var scheduler: any SchedulerType { get }

    /// Shares one subscription to `source` among all observers.
    static func share<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element>
}

/// A strategy that delivers on the main actor, like those of ``Driver`` and ``Signal``: side effects of its sequences
/// are main-actor functions.
///
/// Its ``SharingStrategyProtocol/scheduler`` must run work on the main thread only.
///
/// ```swift
/// Driver.just("Home").do(onNext: { label.text = $0 })    // `label` may be main-actor isolated
/// ```
public protocol MainActorSharingStrategyProtocol: SharingStrategyProtocol {}

/// The scheduler on which ``Driver`` and ``Signal`` deliver: the main scheduler, or a mock in a test.
///
/// A test scheduler of `StreamsTesting` needs no mock: the drivers and signals that are created while it runs are in its
/// virtual time. A mock is for another scheduler, or for deliveries a tick later.
///
/// It applies to the current task and the tasks that inherit its task-local values, never to the process: tests
/// that mock the scheduler can run in parallel.
///
/// ```swift
/// SharingScheduler.mock(scheduler: scheduler) {
///     let name = viewModel.output.name    // a driver that delivers on `scheduler`
/// }
/// ```
public enum SharingScheduler {
    /// A struct, because a task-local value of function type crashes in optimised builds (seen with Swift 6.3.1 on
    /// Linux).
    private struct Mock: Sendable {
        let make: @Sendable () -> any SchedulerType
    }

    @TaskLocal private static var mockOfTask: Mock?
    /// Whether there was a mock: without one, no driver looks up the task-local value, which takes its time.
    private static let mayBeMocked = Atomic(false)
    private static var mocked: Mock? { mayBeMocked.load(ordering: .relaxed) ? mockOfTask : nil }

    public static var make: @Sendable () -> any SchedulerType {
        if let mocked { return mocked.make }
        guard let virtual = VirtualWorlds.current else { return { MainScheduler(isOfSharedSequence: true) } }
        return { MainScheduler(isOfSharedSequence: true, in: virtual) }
    }

    @usableFromInline static var isMocked: Bool { mocked != nil || VirtualWorlds.current != nil }

    /// Whether the scheduler of a strategy is the main one of drivers and signals.
    @inlinable
    static func isMain<Strategy: SharingStrategyProtocol>(for _: Strategy.Type) -> Bool {
        (Strategy.self == DriverSharingStrategy.self || Strategy.self == SignalSharingStrategy.self) && !isMocked
    }

    /// Delivers the elements of drivers and signals on `scheduler` while `action` runs, and returns its result.
    ///
    /// The scheduler is chosen when a sequence is created, so create it inside `action`.
    public static func mock<Result>(scheduler: any SchedulerType, action: () throws -> Result) rethrows -> Result {
        try mock(makeScheduler: { scheduler }, action: action)
    }

    /// Delivers the elements of drivers and signals on the schedulers that `makeScheduler` returns, while `action`
    /// runs.
    @preconcurrency
    public static func mock<Result>(
        makeScheduler: @escaping @Sendable () -> any SchedulerType, action: () throws -> Result
    ) rethrows -> Result {
        mayBeMocked.store(true, ordering: .relaxed)
        return try $mockOfTask.withValue(Mock(make: makeScheduler), operation: action)
    }
}

extension ObservableConvertibleType {
    /// Returns this stream as a shared sequence. An error is replaced by `onErrorJustReturn` and completion.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn: Element
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(for: Strategy.self, recover: { _ in .just(onErrorJustReturn) }))
    }

    /// Returns this stream as a shared sequence that continues with `onErrorDriveWith` after an error.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorDriveWith: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(
            asObservable().observe(for: Strategy.self, recover: { _ in onErrorDriveWith.asObservable() }))
    }

    /// Returns this stream as a shared sequence that continues after an error with the sequence that `onErrorRecover`
    /// returns for it.
    @inlinable @preconcurrency
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self,
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(
            asObservable().observe(for: Strategy.self, recover: { onErrorRecover($0).asObservable() }))
    }
}

extension ObservableConvertibleType {
    /// Returns this stream as a driver. An error is replaced by `onErrorJustReturn` and completion.
    ///
    /// ```swift
    /// rows.asDriver(onErrorJustReturn: [])    // after an error: [], and completion
    /// ```
    @inlinable
    public func asDriver(onErrorJustReturn: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// Returns this stream as a driver that continues with `onErrorDriveWith` after an error.
    ///
    /// ```swift
    /// rows.asDriver(onErrorDriveWith: .empty())    // after an error: completion
    /// ```
    @inlinable
    public func asDriver(onErrorDriveWith: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: onErrorDriveWith)
    }

    /// Returns this stream as a driver that continues after an error with the driver that `onErrorRecover` returns for
    /// it.
    ///
    /// ```swift
    /// rows.asDriver(onErrorRecover: { .just([Row(describing: $0)]) })    // after an error: a row that describes it
    /// ```
    @inlinable @preconcurrency
    public func asDriver(
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> Driver<Element>
    ) -> Driver<Element> { asSharedSequence(onErrorRecover: onErrorRecover) }

    @inlinable
    public func asSignal(onErrorJustReturn: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    @inlinable
    public func asSignal(onErrorSignalWith: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: onErrorSignalWith)
    }

    @inlinable @preconcurrency
    public func asSignal(
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> Signal<Element>
    ) -> Signal<Element> { asSharedSequence(onErrorRecover: onErrorRecover) }
}

extension PublishRelay {
    /// Returns the accepted elements as a signal, because a relay does not fail.
    @inlinable
    public func asSignal() -> Signal<Element> { Signal(asObservable().observe(for: SignalSharingStrategy.self)) }
}

extension InfallibleType {
    public func asDriver() -> Driver<Element> { Driver(asObservable().observe(for: DriverSharingStrategy.self)) }

    public func asSignal() -> Signal<Element> { Signal(asObservable().observe(for: SignalSharingStrategy.self)) }
}

extension ControlEvent {
    public func asDriver() -> Driver<Element> { asInfallible().asDriver() }

    public func asSignal() -> Signal<Element> { asInfallible().asSignal() }
}

extension ControlProperty {
    public func asDriver() -> Driver<Element> { asInfallible().asDriver() }
}
