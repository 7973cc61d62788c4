public import Composition
import Streams
public import StreamsTesting
import ViewModels

extension DependencyValues {
    /// Puts all that has to do with time into the world of a test scheduler: `mainScheduler`, `backgroundScheduler`,
    /// `clock` and `date`.
    ///
    /// ```swift
    /// let scheduler = TestScheduler(resolution: 0.001)
    /// let search = withDependencies { $0.useVirtualTime(of: scheduler) } operation: { Search() }
    /// scheduler.advance(by: .milliseconds(300))    // what `search` debounces, sleeps or stamps moves on
    /// ```
    public mutating func useVirtualTime(of scheduler: TestScheduler) {
        mainScheduler = scheduler
        backgroundScheduler = scheduler
        clock = scheduler.virtualClock
        date = DateGenerator { scheduler.now }
    }
}
