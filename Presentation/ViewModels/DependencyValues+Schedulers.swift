public import Composition
import Dispatch
public import Streams

/// The schedulers of a screen's streams. Neither has a test value: a test sets them explicitly, usually to a
/// `TestScheduler`.
///
/// ```swift
/// struct Suggestions: ViewModel {
///     @Dependency(\.mainScheduler) private var mainScheduler
///
///     func transform(_ input: Input) -> Output {
///         let query = input.text.debounce(.milliseconds(300), scheduler: mainScheduler)
///         …
/// ```
extension DependencyValues {
    /// The scheduler for timers (`debounce`, `throttle`, `delay`, `interval`) and for the values that the screen shows.
    /// The live value is the main queue's.
    public var mainScheduler: any SchedulerType {
        get { self[MainSchedulerKey.self] }
        set { self[MainSchedulerKey.self] = newValue }
    }

    /// The scheduler for work that would block the screen (`subscribe(on:)`, `observe(on:)`). The live value is a
    /// concurrent queue's.
    public var backgroundScheduler: any SchedulerType {
        get { self[BackgroundSchedulerKey.self] }
        set { self[BackgroundSchedulerKey.self] = newValue }
    }
}

private enum MainSchedulerKey: DependencyKey {
    static let liveValue: any SchedulerType = MainScheduler.instance
}

private enum BackgroundSchedulerKey: DependencyKey {
    static let liveValue: any SchedulerType = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
}
