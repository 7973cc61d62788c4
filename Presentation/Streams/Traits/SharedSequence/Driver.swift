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
    /// The scheduler that delivers elements: the main scheduler, unless a test mocks it.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// Shares one subscription to `source` among all observers, each of which starts with the latest element.
    @inlinable
    public static func share<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element> {
        SharingScheduler.isMocked
            ? source.share(replay: 1, scope: .whileConnected) : source.shareOnMainQueue(replay: 1)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Returns this sequence, which is a driver already.
    @inlinable
    public func asDriver() -> Driver<Element> { asSharedSequence() }
}
