public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A length of time.
public typealias RxTimeInterval = DispatchTimeInterval
/// A moment.
public typealias RxTime = Date

/// A scheduler that has a clock.
@preconcurrency
public protocol SchedulerType: ImmediateSchedulerType {
    /// What time it is by this scheduler's clock.
    var now: RxTime { get }

    /// Runs `action` with `state` once `dueTime` has passed.
    ///
    /// - Returns: Disposes the work, started or not, and what `action` returned.
    func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` after `startAfter` and then every `period`, with the state it returned last.
    ///
    /// Runs never overlap: while one is late, the others wait.
    func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable
}

extension SchedulerType {
    /// Runs `action` after `startAfter` and then every `period`, with the state it returned last.
    ///
    /// What a scheduler does that has no timer of its own: each tick schedules the next one, relative to itself.
    @preconcurrency
    public func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        let ticking = PeriodicWork(state, every: period, on: self, action)
        ticking.start(after: startAfter)
        return ticking
    }
}
