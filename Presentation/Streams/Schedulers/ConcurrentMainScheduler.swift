public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A scheduler that runs work on the main queue: immediately if it is scheduled there, even ahead of enqueued work.
///
/// Use it for `subscribe(on:)`: subscriptions made on the main queue start before the call returns. To deliver elements
/// use ``MainScheduler``, which preserves their order.
///
/// ```swift
/// field.edits().subscribe(on: ConcurrentMainScheduler.instance)    // registers with the field on the main queue
/// ```
public final class ConcurrentMainScheduler: SchedulerType {
    /// The shared scheduler of the main queue.
    public static let instance = ConcurrentMainScheduler()

    private init() {}

    /// The current date and time of the system clock.
    public var now: RxTime { Date() }

    /// Runs `action` immediately if called on the main queue; otherwise enqueues it there.
    @preconcurrency
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        DispatchQueue.isMain ? action(state) : DispatchQueue.main.run(state, action)
    }

    /// Runs `action` on the queue after `dueTime` has passed, unless the returned disposable is disposed before.
    @preconcurrency
    public func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        MainScheduler.instance.scheduleRelative(state, dueTime: dueTime, action: action)
    }

    /// Runs `action` after `startAfter` and then every `period`, without drift.
    @preconcurrency
    public func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        MainScheduler.instance.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
    }
}
