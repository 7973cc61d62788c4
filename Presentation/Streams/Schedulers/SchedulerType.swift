public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A time interval.
public typealias RxTimeInterval = DispatchTimeInterval
/// A point in time.
public typealias RxTime = Date

/// A scheduler with a clock.
///
/// ```swift
/// let scheduler = HistoricalScheduler()
/// _ = scheduler.scheduleRelative("a second later", dueTime: .seconds(1)) { state in
///     print(state)
///     return Disposables.create()
/// }
/// scheduler.advanceTo(Date(timeIntervalSince1970: 1))    // prints a second later
/// ```
@preconcurrency
public protocol SchedulerType: ImmediateSchedulerType {
    /// The current time of the scheduler's clock.
    var now: RxTime { get }

    /// Runs `action` with `state` after `dueTime` has passed.
    ///
    /// - Returns: A disposable that cancels the work, or disposes the disposable that `action` returned.
    func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` after `startAfter` and then every `period`, with the state that its previous run returned.
    ///
    /// Runs never overlap: a tick that occurs during a run waits for it.
    func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable
}

extension SchedulerType {
    /// Runs `action` after `startAfter` and then every `period`, with the state that its previous run returned.
    ///
    /// The default implementation for schedulers without a timer: each tick schedules the next one, relative to itself.
    @preconcurrency
    public func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        let work = PeriodicWork(state, every: period, on: self, action)
        work.start(after: startAfter)
        return work
    }
}
