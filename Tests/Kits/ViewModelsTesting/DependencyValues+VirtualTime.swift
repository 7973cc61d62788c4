public import Composition
import Streams
public import StreamsTesting
import ViewModels

extension DependencyValues {
    /// Uses the virtual time of a test scheduler for all dependencies on time: `mainScheduler`, `backgroundScheduler`,
    /// `clock` and `date`.
    ///
    /// ```swift
    /// let scheduler = TestScheduler(resolution: 0.001)
    /// let search = withDependencies { $0.useVirtualTime(of: scheduler) } operation: { Search() }
    /// scheduler.advance(by: .milliseconds(300))    // the debounces, sleeps and dates of `search` advance
    /// ```
    public mutating func useVirtualTime(of scheduler: TestScheduler) {
        mainScheduler = scheduler
        backgroundScheduler = scheduler
        clock = scheduler.virtualClock
        date = DateGenerator { scheduler.now }
    }
}
