public import Composition
import Dispatch
public import Streams

/// Where the streams of a screen run and wait. Neither has a test value: a test says on which scheduler it runs, most
/// often a `TestScheduler`.
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
    /// For timers (`debounce`, `throttle`, `delay`, `interval`) and whatever the screen shows. Live, the main queue's.
    public var mainScheduler: any SchedulerType {
        get { self[MainSchedulerKey.self] }
        set { self[MainSchedulerKey.self] = newValue }
    }

    /// For work that would hold up the screen (`subscribe(on:)`, `observe(on:)`). Live, a concurrent queue's.
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
