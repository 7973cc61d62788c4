public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Runs work on a serial dispatch queue, one piece after the other, in the order in which it was scheduled.
///
/// A concurrent queue may be handed to it: its work still runs serially, on a serial queue of the scheduler's own
/// that has that queue as its target.
///
/// ```swift
/// let scheduler = SerialDispatchQueueScheduler(qos: .utility)
/// numbers.observe(on: scheduler).subscribe(onNext: save)
/// ```
public class SerialDispatchQueueScheduler: SchedulerType, @unchecked Sendable {
    // `@unchecked Sendable`: immutable; `MainScheduler`, its only subclass, adds an atomic counter.

    private let queue: DispatchQueue
    private let leeway: DispatchTimeInterval

    /// Runs work on `serialQueue`, which has to be serial.
    ///
    /// - Parameter leeway: How late a timer may fire, so that the system can group wake-ups.
    init(serialQueue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        queue = serialQueue
        self.leeway = leeway
    }

    /// Runs work on a new serial queue.
    ///
    /// - Parameters:
    ///   - internalSerialQueueName: The label of the queue.
    ///   - serialQueueConfiguration: Called once with the queue, to set its target or specifics.
    ///   - leeway: How late a timer may fire, so that the system can group wake-ups.
    public convenience init(
        internalSerialQueueName: String, serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        let queue = DispatchQueue(label: internalSerialQueueName)
        serialQueueConfiguration?(queue)
        self.init(serialQueue: queue, leeway: leeway)
    }

    /// Runs work serially on `queue`, be it serial or concurrent.
    ///
    /// - Parameters:
    ///   - queue: The target of the scheduler's own queue.
    ///   - internalSerialQueueName: The label of the scheduler's own queue.
    ///   - leeway: How late a timer may fire, so that the system can group wake-ups.
    public convenience init(
        queue: DispatchQueue, internalSerialQueueName: String, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(serialQueue: DispatchQueue(label: internalSerialQueueName, target: queue), leeway: leeway)
    }

    /// Runs work serially on the global queue of that quality of service.
    ///
    /// - Parameters:
    ///   - qos: How urgent the work is.
    ///   - internalSerialQueueName: The label of the scheduler's own queue.
    ///   - leeway: How late a timer may fire, so that the system can group wake-ups.
    public convenience init(
        qos: DispatchQoS, internalSerialQueueName: String = "streams.serial",
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            queue: .global(qos: qos.qosClass), internalSerialQueueName: internalSerialQueueName, leeway: leeway)
    }

    /// What time it is.
    public var now: RxTime { Date() }

    /// Runs `action` after everything that was scheduled before.
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

    /// Runs `action` once `dueTime` has passed.
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
