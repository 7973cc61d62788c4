/// A stream for what happens once: a toast, a navigation, a tap.
///
/// As a ``Driver`` it never fails, delivers on the main actor and shares one subscription; unlike one it replays
/// nothing, so a late observer misses what is past.
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element> where Element: Sendable

/// How a ``Signal`` is shared: without replay.
public struct SignalSharingStrategy: MainActorSharingStrategyProtocol {
    /// Where elements are delivered: on the main scheduler, unless a test mocks it.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// One subscription to `source` for all who listen.
    @inlinable
    public static func share<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element> {
        SharingScheduler.isMocked
            ? source.share(replay: 0, scope: .whileConnected) : source.shareOnMainQueue(replay: 0)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// The sequence itself.
    @inlinable
    public func asSignal() -> Signal<Element> { asSharedSequence() }
}
