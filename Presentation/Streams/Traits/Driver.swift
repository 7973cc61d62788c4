/// A stream for what the screen shows.
///
/// - It never fails: whoever makes one says what stands in for an error.
/// - It delivers on the main actor: what is sent on other threads is delivered there later, and a subscription that is
///   made on another thread takes effect there later. When `drive` returns, on the main actor, the observer has the
///   latest element.
/// - All listeners share one subscription, and each begins with the latest element.
///
/// ```swift
/// let title: Driver<String> = titles.asDriver(onErrorJustReturn: "?")
/// title.drive(onNext: { label.text = $0 }).disposed(by: bag)    // `label` may be main-actor isolated
/// ```
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element> where Element: Sendable

/// How a ``Driver`` is shared: the latest element is replayed while anyone listens.
public struct DriverSharingStrategy: MainActorSharingStrategyProtocol {
    /// Where elements are delivered: on the main scheduler, unless a test mocks it.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// One subscription to `source` for all who listen, each beginning with the latest element.
    @inlinable
    public static func share<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element> {
        SharingScheduler.isMocked
            ? source.share(replay: 1, scope: .whileConnected) : source.shareOnMainQueue(replay: 1)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// The sequence itself.
    @inlinable
    public func asDriver() -> Driver<Element> { asSharedSequence() }
}
