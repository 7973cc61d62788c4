public import Composition
import Streams
public import StreamsTesting
import ViewModels

extension DependencyValues {
    /// Uses the virtual time of a test scheduler for all dependencies on time: `mainScheduler`, `backgroundScheduler`,
    /// `clock` and `date`; and for the drivers and signals that are created in the scope.
    ///
    /// ```swift
    /// let scheduler = TestScheduler(resolution: 0.001)
    /// let search = withDependencies { $0.useVirtualTime(of: scheduler) } operation: { Search() }
    /// scheduler.advance(by: .milliseconds(300))    // the debounces, sleeps and dates of `search` advance
    /// ```
    ///
    /// Drivers and signals of the scope deliver at the tick at which their source sends, with timers in virtual time,
    /// on any thread of the test. Those that are created later belong to virtual time if they are created in the closure
    /// of `start`, or by other work of the scheduler.
    public mutating func useVirtualTime(of scheduler: TestScheduler) {
        mainScheduler = scheduler
        backgroundScheduler = scheduler
        clock = scheduler.virtualClock
        date = DateGenerator { scheduler.now }
        VirtualPlaces.noteMainActor()
        VirtualWorlds.find { DependencyValues.current.virtualMain }
        self[VirtualMainKey.self] = scheduler.main
    }

    fileprivate var virtualMain: (any VirtualMain)? {
        // Not the default value, which would be stored for each test.
        isOverridden(ObjectIdentifier(VirtualMainKey.self)) ? self[VirtualMainKey.self] : nil
    }
}

private enum VirtualMainKey: DependencyKey {
    static var liveValue: (any VirtualMain)? { nil }
    static var testValue: (any VirtualMain)? { nil }
}
