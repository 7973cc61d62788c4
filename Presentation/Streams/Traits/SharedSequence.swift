/// A stream for the edge of the app: it never fails, delivers on one scheduler, and shares one subscription.
///
/// Use it through its two forms, ``Driver`` (replays its latest element) and ``Signal`` (does not).
@preconcurrency
public struct SharedSequence<SharingStrategy: SharingStrategyProtocol, Element: Sendable>:
    SharedSequenceConvertibleType
{
    @usableFromInline let source: Observable<Element>

    /// Shares `source`, which must not fail and must deliver on the strategy's scheduler.
    @inlinable
    init(_ source: Observable<Element>) {
        self.source = SharingStrategy.share(source)
    }

    /// Takes `source` as it is: it is shared already, or needs no sharing.
    @inlinable
    package init(raw source: Observable<Element>) {
        self.source = source
    }

    /// The elements as a plain observable.
    @inlinable
    public func asObservable() -> Observable<Element> { source }

    /// The sequence itself.
    @inlinable
    public func asSharedSequence() -> SharedSequence<SharingStrategy, Element> { self }
}

/// Something that can be looked at as a shared sequence.
@preconcurrency
public protocol SharedSequenceConvertibleType<SharingStrategy, Element>: ObservableConvertibleType {
    /// How it is shared, and where it delivers.
    associatedtype SharingStrategy: SharingStrategyProtocol

    /// It, as a shared sequence.
    func asSharedSequence() -> SharedSequence<SharingStrategy, Element>
}

extension SharedSequenceConvertibleType {
    /// The elements as a plain observable.
    @inlinable
    public func asObservable() -> Observable<Element> { asSharedSequence().asObservable() }
}

/// How a ``SharedSequence`` is shared, and where it delivers.
public protocol SharingStrategyProtocol: Sendable {
    /// Where elements are delivered.
    static var scheduler: any SchedulerType { get }

    /// One subscription to `source` for all who listen.
    static func share<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element>
}

/// A strategy that delivers on the main actor, as those of ``Driver`` and ``Signal`` do: side effects of its sequences
/// are main-actor functions.
///
/// Its ``SharingStrategyProtocol/scheduler`` runs work on the main thread only.
public protocol MainActorSharingStrategyProtocol: SharingStrategyProtocol {}
