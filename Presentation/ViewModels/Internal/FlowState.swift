public import Streams
public import Synchronization

/// The state of a running flow: one copy, which is changed in place under a lock, and delivered to its observers on one
/// scheduler in the order of the changes.
///
/// No state is retained after its delivery, so that the next change finds the only copy. A thread that reads the state
/// waits for the change in progress, and no longer: a change depends on its arguments only, and waits for nothing.
///
/// `@unchecked Sendable`: `current` is written under `lock`, in calls of ``change(_:)`` that do not overlap, and read
/// under that lock or by the thread that changes it. The rest is constant or atomic.
@usableFromInline
package final class FlowState<Value: Sendable>: Upstream, @unchecked Sendable {
    @usableFromInline let lock = TracedMutex(())
    @exclusivity(unchecked) @usableFromInline var current: Value
    /// The thread that changes the state; otherwise 0.
    @usableFromInline let changingThread = Atomic<UInt>(0)
    @usableFromInline package let hasEnded = Atomic(false)
    /// The observers that have received a state. Changed under a lock of its own, because disposing waits for no change.
    @usableFromInline let observers = TracedMutex<[ErasedSink]>([])
    /// The thread inside delivers the states, or the scheduler is about to call it.
    @usableFromInline let delivery = Gate()
    @usableFromInline let scheduler: DeliveryScheduler
    /// The type of the flow, for messages.
    @usableFromInline let flow: Any.Type

    @inlinable
    init(_ value: Value, of flow: Any.Type, on scheduler: DeliveryScheduler) {
        self.flow = flow
        current = value
        self.scheduler = scheduler
    }

    @inlinable
    package var value: Value {
        if isBeingChangedHere { stop("`currentState` was read") }
        return lock.withLock { _ in current }
    }

    /// Stops the program, because `reduce` uses the store.
    @usableFromInline
    func stop(_ reason: String) -> Never {
        fatalError(
            """
            \(reason) inside `reduce` of \(flow), which depends on its arguments only: use the state that `reduce` \
            receives, or request a side effect, and read the store where that is performed
            """)
    }

    /// Whether the calling thread is inside ``change(_:)``.
    @inlinable var isBeingChangedHere: Bool { changingThread.load(ordering: .relaxed) == Thread.current }

    /// Changes the state; returns `nil` after the end, when nothing is changed any more. Calls must not overlap, and
    /// each is followed by a delivery to the receivers.
    @inlinable
    func change<Result: Sendable>(
        _ receivers: inout [ErasedSink], _ body: (inout Value) -> Result
    ) -> Result? {
        lock.withLock { _ in
            if hasEnded.load(ordering: .relaxed) { return nil }
            changingThread.store(Thread.current, ordering: .relaxed)
            let result = body(&current)
            changingThread.store(0, ordering: .relaxed)
            receivers = observers.withLock { $0 }
            return result
        }
    }

    /// Delivers the state after those that were delivered before.
    ///
    /// - Parameter isOnMainQueue: Whether this is known to be called on the main queue.
    /// - Returns: Whether it is known now.
    @inlinable
    func deliver(to receivers: [ErasedSink], isOnMainQueue: Bool = false) -> Bool {
        if receivers.isEmpty { return isOnMainQueue }
        // Copied where it is used: the compiler retains the fields of one copy for all uses through their metadata.
        if delivery.enter() || delivery.enterOrQueue(.init { [self, state = current] in send(state, to: receivers) }) {
            if scheduler.runNow(isOnMainQueue: isOnMainQueue, { sendFirst(current, to: receivers) }) { return true }
            delivery.awaitScheduledWork()
            scheduler.run { [self, state = current] in sendFirst(state, to: receivers) }
        }
        return isOnMainQueue
    }

    /// Delivers a state, and those that were enqueued meanwhile. Called inside the gate `delivery`.
    @inlinable
    func sendFirst(_ state: Value, to receivers: [ErasedSink]) {
        send(state, to: receivers)
        leaveDelivery()
    }

    @inlinable
    func leaveDelivery() { if !delivery.leaveIfEmpty() { drainDelivery() } }

    /// Delivers the enqueued states: on the main queue, which has other work to do, not all at once if other threads go on
    /// changing the state.
    @usableFromInline
    func drainDelivery() {
        guard case .main = scheduler else { return delivery.leave() }
        if !delivery.leaveOrPause() { scheduler.run { [self] in drainDelivery() } }
    }

    @inlinable
    func send(_ state: Value, to receivers: [ErasedSink]) {
        // By index: a copy of a sink would retain the chain as well.
        for index in receivers.indices
        where receivers[index].chain.isLive && !hasEnded.load(ordering: .acquiring) {
            receivers[index].next(for: Value.self)(state)
        }
    }

    /// Delivers the current state to each observer, and each state that follows.
    @inlinable
    func asObservable() -> Observable<Value> { Observable(subject: { [self] in connect($0) }, name: "state") }

    @inlinable
    func connect(_ sink: Sink<Value>) {
        sink.chain.attach(self)
        if scheduler.runNow({ begin(sink) }) { return }
        scheduler.run { [self] in begin(sink) }
    }

    /// Delivers the current state to a new observer, which receives those that follow, or the end.
    @inlinable
    func begin(_ sink: Sink<Value>) {
        if isBeingChangedHere { stop("the state was subscribed to") }
        let first = lock.withLock { _ -> Value? in
            if hasEnded.load(ordering: .relaxed) { return nil }
            observers.withLock { observers in
                // Most states have a few observers: one allocation, instead of one for each power of two.
                if observers.isEmpty { observers.reserveCapacity(4) }
                observers.append(ErasedSink(sink))
            }
            return current
        }
        guard let first else { return sink.chain.complete() }
        // A state that follows meanwhile is delivered after this one.
        let isFirst = delivery.enter()
        if sink.chain.isLive { sink.next(first) } else { disconnect(sink.chain) }
        if isFirst { leaveDelivery() }
    }

    @usableFromInline
    package func disconnect(_ chain: Chain) {
        let removed = observers.withLock { observers in
            observers.firstIndex { $0.chain === chain }.map { observers.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}  // release outside the lock
    }

    /// Ends the changes and deliveries; waits for a change in progress on another thread. Only the first call returns
    /// true.
    @usableFromInline
    func end() -> Bool {
        func isFirst() -> Bool { !hasEnded.exchange(true, ordering: .acquiringAndReleasing) }
        return isBeingChangedHere ? isFirst() : lock.withLock { _ in isFirst() }
    }

    /// Completes the observers, and those that subscribe later.
    @inlinable
    func complete() {
        let last = observers.withLock { observers in
            defer { observers = [] }
            return observers
        }
        if last.isEmpty { return }
        scheduler.run { for observer in last { observer.chain.complete() } }
    }
}

/// Where states or events are delivered.
@usableFromInline
enum DeliveryScheduler: Sendable {
    /// On the thread that sends them.
    case immediate
    /// Before the sending call returns, if it can be.
    case main(MainScheduler)
    /// Later. A function, because the enumeration is copied often, and a scheduler of any type is larger.
    case other(@Sendable (@escaping @Sendable () -> Void) -> Void)

    @inlinable
    init(_ scheduler: any SchedulerType) {
        self = scheduler.asMainScheduler.map { .main($0) } ?? .other { scheduler.run($0) }
    }

    /// Runs `work` before it returns, if it can.
    ///
    /// - Parameter isOnMainQueue: Whether this is known to be called on the main queue.
    /// - Returns: Whether it ran.
    @usableFromInline
    func runNow(isOnMainQueue: Bool = false, _ work: () -> Void) -> Bool {
        switch self {
        case .immediate:
            work()
            return true
        case .main(let scheduler): return scheduler.runNow(isOnMainQueue: isOnMainQueue, work)
        case .other: return false
        }
    }

    /// Runs `work` as soon as the scheduler permits.
    @usableFromInline
    func run(_ work: @escaping @Sendable () -> Void) {
        switch self {
        case .immediate: work()
        case .main(let scheduler): scheduler.run(work)
        case .other(let run): run(work)
        }
    }
}
