/// The scheduler on which ``Driver`` and ``Signal`` deliver: the main scheduler, or a mock in a test.
///
/// A mock applies to the current task and the tasks that inherit its task-local values, never to the process: tests
/// that mock the scheduler can run in parallel.
///
/// ```swift
/// SharingScheduler.mock(scheduler: scheduler) {
///     let name = viewModel.output.name    // a driver that delivers on `scheduler`
/// }
/// ```
public enum SharingScheduler {
    /// A struct, because a task-local value of function type crashes in optimised builds (seen with Swift 6.3.1 on
    /// Linux).
    private struct Mock: Sendable {
        let make: @Sendable () -> any SchedulerType
    }

    @TaskLocal private static var mocked: Mock?

    /// Creates the scheduler.
    public static var make: @Sendable () -> any SchedulerType {
        if let mocked { return mocked.make }
        return { MainScheduler(isOfSharedSequence: true) }
    }

    /// Whether a test mocks the scheduler.
    @usableFromInline static var isMocked: Bool { mocked != nil }

    /// Delivers the elements of drivers and signals on `scheduler` while `action` runs.
    ///
    /// The scheduler is chosen when a sequence is created, so create it inside `action`.
    public static func mock(scheduler: any SchedulerType, action: () throws -> Void) rethrows {
        try mock(makeScheduler: { scheduler }, action: action)
    }

    /// Delivers the elements of drivers and signals on the schedulers that `makeScheduler` returns, while `action`
    /// runs.
    @preconcurrency
    public static func mock(
        makeScheduler: @escaping @Sendable () -> any SchedulerType, action: () throws -> Void
    ) rethrows {
        try $mocked.withValue(Mock(make: makeScheduler), operation: action)
    }
}
