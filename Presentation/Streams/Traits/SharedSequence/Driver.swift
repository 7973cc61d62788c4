/// A stream of user interface state.
///
/// - It never fails: converting a stream to a driver requires a replacement for errors.
/// - It delivers on the main actor: elements that are sent on other threads are delivered there later, and a
///   subscription that is made on another thread takes effect there later. When `drive` returns, on the main actor, the
///   observer has received the latest element.
/// - All observers share one subscription to the source, and each one starts with the latest element.
///
/// ```swift
/// let title: Driver<String> = titles.asDriver(onErrorJustReturn: "?")
/// title.drive(onNext: { label.text = $0 }).disposed(by: bag)    // `label` may be main-actor isolated
/// ```
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element> where Element: Sendable

/// The sharing strategy of ``Driver``: replays the latest element while there is an observer.
///
/// ```swift
/// let title: SharedSequence<DriverSharingStrategy, String> = Driver.just("Home")    // the same type
/// ```
public struct DriverSharingStrategy: MainActorSharingStrategyProtocol {
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    @inlinable
    public static func share<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element> {
        source.shareWhileConnected(replay: 1, onMainQueue: !SharingScheduler.isMocked)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    @inlinable
    public func asDriver() -> Driver<Element> { asSharedSequence() }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Calls the functions on the main actor for the events of the driver, starting with its latest element.
    ///
    /// ```swift
    /// title.drive(onNext: { label.text = $0 }).disposed(by: bag)    // `label` may be main-actor isolated
    /// ```
    ///
    /// - Parameters:
    ///   - onNext: Called with each element.
    ///   - onCompleted: Called when the driver completes.
    ///   - onDisposed: Called once, after completion or disposal, on the disposing thread.
    ///   - file: The file of the subscribing code, for ``LiveSubscriptions``.
    ///   - line: The line of the subscribing code.
    @inlinable @preconcurrency @MainActor
    public func drive(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil, onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable { subscribeOnMainActor(onNext, onCompleted, onDisposed, file, line) }

    /// Subscribes without an observer, for the side effects of the operators.
    @inlinable @preconcurrency @MainActor
    public func drive(file: StaticString = #fileID, line: UInt = #line) -> any Disposable {
        subscribeOnMainActor(nil, file, line)
    }

    /// Calls the functions with `object` as first argument, like ``drive(onNext:onCompleted:onDisposed:file:line:)``.
    /// The object is not retained; after its deallocation the functions are no longer called.
    @inlinable @preconcurrency @MainActor
    public func drive<Object: AnyObject & Sendable>(
        with object: Object, onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil, onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable { subscribeOnMainActor(with: object, onNext, onCompleted, onDisposed, file, line) }

    /// Subscribes observers to the driver, each with a subscription of its own.
    ///
    /// ```swift
    /// title.drive(label.rx.text).disposed(by: bag)
    /// ```
    @inlinable @preconcurrency @MainActor
    public func drive<Observer: ObserverType>(
        _ observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Observer.Element == Element { subscribeOnMainActor(observers, file, line) }

    @inlinable @preconcurrency @MainActor
    public func drive<Observer: ObserverType>(
        _ observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Observer.Element == Element? {
        map { Element?.some($0) }.subscribeOnMainActor(observers, file, line)
    }

    /// Sends the elements to relays.
    @inlinable @preconcurrency @MainActor
    public func drive<Relay: RelayType>(
        _ relays: Relay..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Relay.Element == Element {
        subscribeOnMainActor({ element in relays.forEach { $0.accept(element) } }, file, line)
    }

    @inlinable @preconcurrency @MainActor
    public func drive<Relay: RelayType>(
        _ relays: Relay..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Relay.Element == Element? {
        subscribeOnMainActor({ element in relays.forEach { $0.accept(element) } }, file, line)
    }

    /// Passes the elements to a function that subscribes to them, and returns its result.
    @inlinable @preconcurrency @MainActor
    public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
        transformation(asObservable())
    }

    @inlinable @preconcurrency @MainActor
    public func drive<Argument, Result>(
        _ with: (Observable<Element>) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result { with(asObservable())(curriedArgument) }
}
