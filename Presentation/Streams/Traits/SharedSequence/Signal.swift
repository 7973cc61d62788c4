/// A stream of user interface events, such as a toast, a navigation or a tap.
///
/// Like a ``Driver`` it never fails, delivers on the main actor and shares one subscription. Unlike a driver it replays
/// nothing, so a late observer misses earlier elements.
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element> where Element: Sendable

/// The sharing strategy of ``Signal``: no replay.
///
/// ```swift
/// let toast: SharedSequence<SignalSharingStrategy, String> = Signal.just("Saved")    // the same type
/// ```
public struct SignalSharingStrategy: MainActorSharingStrategyProtocol {
    /// The scheduler that delivers elements: the main scheduler, unless a test mocks it.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// Shares one subscription to `source` among all observers.
    @inlinable
    public static func share<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element> {
        SharingScheduler.isMocked
            ? source.share(replay: 0, scope: .whileConnected) : source.shareOnMainQueue(replay: 0)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Returns this sequence, which is a signal already.
    @inlinable
    public func asSignal() -> Signal<Element> { asSharedSequence() }
}
