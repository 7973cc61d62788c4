import Foundation
import Streams

/// Runs work synchronously on the scheduling thread: for drivers with elements from many threads.
struct InlineScheduler: SchedulerType {
    var now: RxTime { Date(timeIntervalSince1970: 0) }

    func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        action(state)
    }

    func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        action(state)
    }
}
