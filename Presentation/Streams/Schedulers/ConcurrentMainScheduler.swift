public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Runs work on the main queue, and at once whenever it is scheduled there, even ahead of work that waits.
///
/// For `subscribe(on:)`: subscriptions made on the main queue start before the call returns. To deliver elements use
/// ``MainScheduler``, which keeps their order.
public final class ConcurrentMainScheduler: SchedulerType {
    /// The main queue's scheduler.
    public static let instance = ConcurrentMainScheduler()

    private init() {}

    /// What time it is.
    public var now: RxTime { Date() }

    /// Runs `action` at once on the main queue, else later, there.
    @preconcurrency
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        DispatchQueue.isMain ? action(state) : DispatchQueue.main.run(state, action)
    }

    /// Runs `action` once `dueTime` has passed.
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
