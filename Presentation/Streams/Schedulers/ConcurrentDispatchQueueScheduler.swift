public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A scheduler that runs work on a dispatch queue, concurrently if the queue is concurrent.
///
/// Use it for work that does not depend on order, such as `subscribe(on:)`. A stream that is observed on it still
/// delivers its events one at a time, in order.
///
/// ```swift
/// let background = ConcurrentDispatchQueueScheduler(qos: .utility)
/// file.lines().subscribe(on: background)    // reads the file off the main queue
/// ```
public class ConcurrentDispatchQueueScheduler: SchedulerType, @unchecked Sendable {
    // `@unchecked Sendable`: immutable.

    private let queue: DispatchQueue
    private let leeway: DispatchTimeInterval

    /// Creates a scheduler for `queue`.
    ///
    /// - Parameters:
    ///   - queue: A concurrent queue. On a serial queue, work runs serially.
    ///   - leeway: The maximum delay of a timer, which lets the system group wake-ups.
    public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.queue = queue
        self.leeway = leeway
    }

    /// Creates a scheduler for a new concurrent queue.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the queue.
    ///   - leeway: The maximum delay of a timer, which lets the system group wake-ups.
    public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.init(
            queue: DispatchQueue(label: "streams.concurrent", qos: qos, attributes: .concurrent),
            leeway: leeway)
    }

    /// The current date and time of the system clock.
    public var now: RxTime { Date() }

    /// Runs `action` on the queue, possibly concurrently with other work.
    @preconcurrency
    public final func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        queue.run(state, action)
    }

    /// Runs `action` on the queue after `dueTime` has passed, unless the returned disposable is disposed before.
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
