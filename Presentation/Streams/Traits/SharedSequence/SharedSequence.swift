/// A stream for the user interface: it never fails, delivers on one scheduler, and shares one subscription.
///
/// Use it as a ``Driver``, which replays its latest element, or as a ``Signal``, which does not.
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
    init(_ source: Observable<Element>) {
        self.source = SharingStrategy.share(source)
    }

    /// Creates a shared sequence from a source that is shared already or needs no sharing.
    @inlinable
    package init(raw source: Observable<Element>) {
        self.source = source
    }

    /// Returns the elements as an ``Observable``, still shared and on the main actor.
    @inlinable
    public func asObservable() -> Observable<Element> { source }

    /// Returns this sequence, which needs no conversion.
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
    /// The strategy that determines the scheduler and the sharing.
    associatedtype SharingStrategy: SharingStrategyProtocol

    /// Returns this value as a shared sequence.
    func asSharedSequence() -> SharedSequence<SharingStrategy, Element>
}

extension SharedSequenceConvertibleType {
    /// Returns the elements as an ``Observable``, still shared and on the main actor.
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
