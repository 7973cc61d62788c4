public import Foundation

/// A unit of time: what RxSwift calls a `RxTimeInterval`.
public typealias RxTimeInterval = DispatchTimeInterval
/// A moment: what RxSwift calls a `RxTime`.
public typealias RxTime = Date

/// A scheduler that has a clock.
@preconcurrency
public protocol SchedulerType: ImmediateSchedulerType {
    /// What time it is by this scheduler's clock.
    var now: RxTime { get }

    /// Runs `action` with `state` once `dueTime` has passed.
    func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` after `startAfter` and then every `period`, with the state it returned last.
    func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable
}
