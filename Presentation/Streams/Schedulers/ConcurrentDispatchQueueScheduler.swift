public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Runs work on a dispatch queue, as many pieces at a time as that allows.
///
/// For work that does not depend on order, such as `subscribe(on:)`. A stream that is observed on it still says one
/// thing after the other.
public class ConcurrentDispatchQueueScheduler: SchedulerType, @unchecked Sendable {
    // `@unchecked Sendable`: immutable.

    private let queue: DispatchQueue
    private let leeway: DispatchTimeInterval

    /// Runs work on `queue`.
    ///
    /// - Parameters:
    ///   - queue: A concurrent queue; on a serial one work runs serially.
    ///   - leeway: How late a timer may fire, so that the system can group wake-ups.
    public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.queue = queue
        self.leeway = leeway
    }

    /// Runs work on a new concurrent queue of that quality of service.
    ///
    /// - Parameters:
    ///   - qos: How urgent the work is.
    ///   - leeway: How late a timer may fire, so that the system can group wake-ups.
    public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.init(
            queue: DispatchQueue(label: "streams.concurrent", qos: qos, attributes: .concurrent),
            leeway: leeway)
    }

    /// What time it is.
    public var now: RxTime { Date() }

    /// Runs `action` on the queue.
    @preconcurrency
    public final func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        queue.run(state, action)
    }

    /// Runs `action` once `dueTime` has passed.
    @preconcurrency
    public final func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        queue.run(state, after: dueTime, leeway: leeway, action)
    }

    /// Runs `action` after `startAfter` and then every `period`, without drift; the runs do not overlap.
    @preconcurrency
    public func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        queue.run(state, after: startAfter, every: period, leeway: leeway, action)
    }
}
