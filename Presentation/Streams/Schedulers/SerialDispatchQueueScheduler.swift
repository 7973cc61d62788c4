public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A scheduler that runs work on a serial dispatch queue, in the order in which it was scheduled.
///
/// If it is created with a concurrent queue, work still runs serially: on a private serial queue that targets the given
/// one.
///
/// ```swift
/// let scheduler = SerialDispatchQueueScheduler(qos: .utility)
/// numbers.observe(on: scheduler).subscribe(onNext: save)
/// ```
public class SerialDispatchQueueScheduler: SchedulerType, @unchecked Sendable {
    // `@unchecked Sendable`: immutable; `MainScheduler`, its only subclass, adds an atomic counter.

    private let queue: DispatchQueue
    private let leeway: DispatchTimeInterval

    /// Creates a scheduler for `serialQueue`, which must be serial.
    ///
    /// - Parameter leeway: The maximum delay of a timer, which lets the system group wake-ups.
    init(serialQueue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        queue = serialQueue
        self.leeway = leeway
    }

    /// Creates a scheduler for a new serial queue.
    ///
    /// - Parameters:
    ///   - internalSerialQueueName: The label of the queue.
    ///   - serialQueueConfiguration: Called once with the queue, to set its target or its specific values.
    ///   - leeway: The maximum delay of a timer, which lets the system group wake-ups.
    public convenience init(
        internalSerialQueueName: String, serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        let queue = DispatchQueue(label: internalSerialQueueName)
        serialQueueConfiguration?(queue)
        self.init(serialQueue: queue, leeway: leeway)
    }

    /// Creates a scheduler that runs work serially on `queue`, which can be serial or concurrent.
    ///
    /// - Parameters:
    ///   - queue: The target of the scheduler's private queue.
    ///   - internalSerialQueueName: The label of the scheduler's private queue.
    ///   - leeway: The maximum delay of a timer, which lets the system group wake-ups.
    public convenience init(
        queue: DispatchQueue, internalSerialQueueName: String, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(serialQueue: DispatchQueue(label: internalSerialQueueName, target: queue), leeway: leeway)
    }

    /// Creates a scheduler that runs work serially on a global queue.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the queue.
    ///   - internalSerialQueueName: The label of the scheduler's private queue.
    ///   - leeway: The maximum delay of a timer, which lets the system group wake-ups.
    public convenience init(
        qos: DispatchQoS, internalSerialQueueName: String = "streams.serial",
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            queue: .global(qos: qos.qosClass), internalSerialQueueName: internalSerialQueueName, leeway: leeway)
    }

    /// The current date and time of the system clock.
    public var now: RxTime { Date() }

    /// Runs `action` after all work that was scheduled before.
    @preconcurrency
    public final func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleInternal(state, action: action)
    }

    func scheduleInternal<StateType: Sendable>(
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

    /// Runs `action` after `startAfter` and then every `period`, without drift.
    @preconcurrency
    public func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        queue.run(state, after: startAfter, every: period, leeway: leeway, action)
    }
}
