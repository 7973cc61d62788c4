/// The scheduler on which ``Driver`` and ``Signal`` deliver: the main one, or in a test the test's own.
///
/// Where it is mocked, it is mocked for the running task and what that calls, never for the process: tests that
/// mock it may run in parallel.
public enum SharingScheduler {
    /// A struct, for a task-local value of function type crashes in optimised builds (seen with Swift 6.3.1 on Linux).
    private struct Mock: Sendable {
        let make: @Sendable () -> any SchedulerType
    }

    @TaskLocal private static var mocked: Mock?

    /// Makes the scheduler.
    public static var make: @Sendable () -> any SchedulerType {
        if let mocked { return mocked.make }
        return { MainScheduler(isOfSharedSequence: true) }
    }

    /// Whether a test has put a scheduler in place of the main one.
    @usableFromInline static var isMocked: Bool { mocked != nil }

    /// Makes drivers and signals deliver on `scheduler` while `action` runs.
    ///
    /// The scheduler is chosen when a sequence is made, so make it inside `action`.
    public static func mock(scheduler: any SchedulerType, action: () throws -> Void) rethrows {
        try mock(makeScheduler: { scheduler }, action: action)
    }

    /// Makes drivers and signals deliver on what `makeScheduler` makes, while `action` runs.
    @preconcurrency
    public static func mock(
        makeScheduler: @escaping @Sendable () -> any SchedulerType, action: () throws -> Void
    ) rethrows {
        try $mocked.withValue(Mock(make: makeScheduler), operation: action)
    }
}
