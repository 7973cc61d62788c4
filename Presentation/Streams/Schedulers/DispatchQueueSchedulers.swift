public import Dispatch
public import Foundation
import Synchronization

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

    private static let currentKey = DispatchSpecificKey<ObjectIdentifier>()

    private let queue: DispatchQueue
    private let leeway: DispatchTimeInterval

    /// Whether the current code runs on the queue. Labels the queue on demand, because few are asked.
    final var isCurrent: Bool {
        queue.setSpecific(key: Self.currentKey, value: ObjectIdentifier(queue))
        return DispatchQueue.getSpecific(key: Self.currentKey) == ObjectIdentifier(queue)
    }

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

    public var now: RxTime { Date() }

    /// Runs `action` after all work that was scheduled before.
    @preconcurrency
    public final func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable { scheduleInternal(state, action: action) }

    func scheduleInternal<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable { queue.run(state, action) }

    /// Runs `action` on the queue after `dueTime` has passed, unless the returned disposable is disposed before.
    @preconcurrency
    public final func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable { scheduleRelativeInternal(state, dueTime: dueTime, action: action) }

    func scheduleRelativeInternal<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable { queue.run(state, after: dueTime, leeway: leeway, action) }

    /// Runs `action` after `startAfter` and then every `period`, without drift.
    @preconcurrency
    public func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        queue.run(state, after: startAfter, every: period, leeway: leeway, action)
    }
}

/// A scheduler that runs work on a dispatch queue, concurrently if the queue is concurrent.
///
/// Use it for work that does not depend on order, such as `subscribe(on:)`. A stream that is observed on it still
/// delivers its events one at a time, in order.
///
/// On Linux the thread sanitizer reports false races between the runs of a repeating timer on a concurrent queue: Dispatch
/// runs them one after the other, which the sanitizer does not see.
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

    public var now: RxTime { Date() }

    /// Runs `action` on the queue, possibly concurrently with other work.
    @preconcurrency
    public final func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable { queue.run(state, action) }

    /// Runs `action` on the queue after `dueTime` has passed, unless the returned disposable is disposed before.
    @preconcurrency
    public final func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable { queue.run(state, after: dueTime, leeway: leeway, action) }

    /// Runs `action` after `startAfter` and then every `period`, without drift; the runs do not overlap.
    @preconcurrency
    public func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        queue.run(state, after: startAfter, every: period, leeway: leeway, action)
    }
}

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

/// A scheduler that runs work on an operation queue, concurrently as far as the queue permits.
///
/// Use it to limit the number of concurrent work items (`maxConcurrentOperationCount`) or to suspend all of them.
///
/// ```swift
/// let queue = OperationQueue()
/// queue.maxConcurrentOperationCount = 2
/// let readers = OperationQueueScheduler(operationQueue: queue)
/// Observable.from(files).flatMap { $0.lines().subscribe(on: readers) }    // reads at most two files at a time
/// ```
public final class OperationQueueScheduler: ImmediateSchedulerType {
    /// The queue on which work runs.
    public let operationQueue: OperationQueue
    /// The priority of the work within the queue.
    public let queuePriority: Operation.QueuePriority

    /// Creates a scheduler for `operationQueue`.
    ///
    /// - Parameters:
    ///   - operationQueue: The queue on which work runs.
    ///   - queuePriority: The priority of the work within the queue.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    /// Runs `action` as an operation of the queue, unless the returned disposable is disposed before.
    @preconcurrency
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let work = ScheduledWork(state, action)
        let operation = BlockOperation { work.run() }
        operation.queuePriority = queuePriority
        operationQueue.addOperation(operation)
        return work
    }
}

// Comparing types takes a fraction of the time of a cast.
extension ImmediateSchedulerType {
    /// This scheduler, if it is a ``MainScheduler``.
    @usableFromInline
    package var asMainScheduler: MainScheduler? {
        // A value of a class is represented as a reference to the object.
        type(of: self) == MainScheduler.self ? withUnsafeBytes(of: self) { $0.load(as: MainScheduler.self) } : nil
    }

    var isOnDispatchQueue: Bool {
        Self.self == MainScheduler.self || Self.self == SerialDispatchQueueScheduler.self
            || Self.self == ConcurrentDispatchQueueScheduler.self
    }
}

/// Scheduling shared by the dispatch-queue schedulers.
extension DispatchQueue {
    func run<State: Sendable>(
        _ state: State, _ action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        let work = ScheduledWork(state, action)
        async { work.run() }
        return work
    }

    /// Runs `action` on this queue once `dueTime` has passed.
    func run<State: Sendable>(
        _ state: State, after dueTime: RxTimeInterval, leeway: DispatchTimeInterval,
        _ action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        let work = ScheduledWork(state, action)
        let timer = TimerDisposable(on: self)
        timer.start(after: dueTime, every: .never, leeway: leeway) {
            work.run()
            timer.dispose()
        }
        return CompositeDisposable(timer, work)
    }

    /// Runs `action` on this queue after `dueTime` and then every `period`.
    ///
    /// One timer produces all ticks, so they do not drift by the duration of the action. Ticks that occur while the
    /// action runs are coalesced into one.
    func run<State: Sendable>(
        _ state: State, after dueTime: RxTimeInterval, every period: RxTimeInterval, leeway: DispatchTimeInterval,
        _ action: @escaping @Sendable (State) -> State
    ) -> any Disposable {
        let current = SerialState(state)
        let timer = TimerDisposable(on: self)
        timer.start(after: dueTime, every: period, leeway: leeway) {
            if !timer.isDisposed { current.value = action(current.value) }
        }
        return timer
    }
}

/// State that only the handler of one timer accesses. Dispatch never runs the handler concurrently with itself: hence
/// `@unchecked Sendable`.
private final class SerialState<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}

/// A dispatch timer that is cancelled on disposal.
///
/// `@unchecked Sendable`: every property is a `let`; dispatch sources are thread-safe.
private final class TimerDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let resource = Resources.Counted()
    private let timer: any DispatchSourceTimer
    private let disposed = Atomic(false)

    init(on queue: DispatchQueue) { timer = DispatchSource.makeTimerSource(queue: queue) }

    var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    /// Starts the timer. `handler` retains it until it is disposed.
    func start(
        after dueTime: RxTimeInterval, every period: RxTimeInterval, leeway: DispatchTimeInterval,
        _ handler: @escaping @Sendable () -> Void
    ) {
        // Dispatch traps on a negative period, and on one that 64 bits do not hold in nanoseconds.
        let period = period.seconds.map { $0 < 0 ? .zero : period } ?? .never
        timer.schedule(deadline: .now() + dueTime, repeating: period, leeway: leeway)
        timer.setEventHandler(handler: handler)
        timer.activate()
    }

    func dispose() {
        if disposed.exchange(true, ordering: .acquiringAndReleasing) { return }
        timer.setEventHandler(handler: nil)
        timer.cancel()
    }
}
