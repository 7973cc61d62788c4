/// The states of a pool, of its slots, of the accesses that wait and of its threads.
struct PoolState {
    /// Whether accesses wait in order of priority, and low-priority accesses leave one connection free.
    let isPrioritized: Bool
    let isTimed: Bool

    // The pool is open until it is closed; a paused one lets accesses wait although a slot may be free, and a suspended one
    // rejects them.
    var isClosed = false
    var isPaused = false
    var isSuspended = false
    /// Called when a suspension has closed all connections.
    var suspensionHandlers: [@Sendable () -> Void] = []
    /// Called when the last connection has closed.
    var closeHandlers: [@Sendable () -> Void] = []
    /// The number of teardowns that are closing connections, outside the lock.
    private var closing = 0

    // Each slot is unopened, idle or in use.
    var unopened: Int
    var idle: [PoolSlot] = []
    var inUse = 0

    /// The slots of callers that have received them, and have not gone on since. A suspension takes them back: the thread
    /// that waits for it may be the one that such a caller needs.
    private var handedOver: [(caller: UInt64, slot: PoolSlot)] = []

    // An access without a slot waits, and one with a slot is ready until a thread runs it.
    var waiters = PriorityQueue<Waiter>()
    var lastWaiter: UInt64 = 0
    /// Whether a timer looks for accesses that have waited too long.
    var hasTimer = false
    var ready = Queue<(job: any Job, slot: PoolSlot)>()

    // Each thread runs a job or is idle.
    var threadCount = 0
    var idleThreadCount = 0

    enum Waiter {
        case job(any Job)
        /// Goes on when it has a slot, which it then takes over, or has failed.
        case caller(id: UInt64, goOn: @Sendable (Result<Void, any Error>) -> Void)
    }

    init(isPrioritized: Bool, isTimed: Bool, unopened: Int) {
        (self.isPrioritized, self.isTimed, self.unopened) = (isPrioritized, isTimed, unopened)
    }

    /// Why the pool rejects accesses, if it does.
    var rejection: AccessFailure? { isClosed ? .closed : isSuspended ? .suspended : nil }

    /// The priority of an access by a task with this priority.
    func priority(of task: TaskPriority) -> AccessPriority { isPrioritized ? AccessPriority(task) : .normal }

    /// Enqueues a waiter, and returns whether the lease timer must be started.
    mutating func enqueue(_ waiter: Waiter, _ priority: AccessPriority) -> Bool {
        waiters.append(waiter, priority)
        guard isTimed, !hasTimer else { return false }
        hasTimer = true
        return true
    }

    /// Returns a slot if one is free for this priority. A free slot implies that no waiter could use it, or a pause.
    mutating func acquireSlot(_ priority: AccessPriority) -> PoolSlot? {
        guard rejection == nil, !isPaused else { return nil }
        if priority == .low, isPrioritized, idle.count + unopened < 2 { return nil }
        if let slot = idle.popLast() {
            inUse += 1
            return slot
        }
        guard unopened > 0 else { return nil }
        unopened -= 1
        inUse += 1
        return PoolSlot()
    }

    /// Returns a slot if one is free with an open connection, or with one to open if `mayOpen`. Not for low priority:
    /// accesses of higher priority would wait for a thread that the system runs rarely.
    mutating func acquireSlotForShortAccess(mayOpen: Bool) -> PoolSlot? {
        guard mayOpen || idle.last?.opened != nil else { return nil }
        let priority = AccessPriority(Task.currentPriority)
        return priority == .low ? nil : acquireSlot(priority)
    }

    /// Returns the waiter that receives the slot next; without one, the slot becomes idle.
    mutating func releaseSlot(_ slot: PoolSlot) -> Waiter? {
        // The last free slot is reserved for accesses above low priority.
        let isLast = isPrioritized && idle.isEmpty && unopened == 0
        if !isPaused, let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) {
            handOver(slot, to: waiter)
            return waiter
        }
        inUse -= 1
        idle.append(slot)
        return nil
    }

    private mutating func handOver(_ slot: PoolSlot, to waiter: Waiter) {
        if case .caller(let id, _) = waiter { handedOver.append((id, slot)) }
    }

    /// Returns the slot that a caller has received; nil if a suspension has taken it back.
    mutating func takeOver(by caller: UInt64) -> PoolSlot? {
        handedOver.firstIndex { $0.caller == caller }.map { handedOver.remove(at: $0).slot }
    }

    /// Begins a suspension, and returns the waiters that fail.
    mutating func suspend() -> [Waiter] {
        isSuspended = true
        inUse -= handedOver.count
        idle += handedOver.map(\.slot)
        handedOver = []
        var failing: [Waiter] = []
        while let waiter = waiters.popFirst() { failing.append(waiter) }
        return failing
    }

    /// Ends a pause, and returns the waiters that receive the free slots.
    mutating func resume() -> [(waiter: Waiter, slot: PoolSlot)] {
        isPaused = false
        var next: [(waiter: Waiter, slot: PoolSlot)] = []
        while !idle.isEmpty || unopened > 0 {
            let isLast = isPrioritized && idle.count + unopened == 1
            guard let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) else { break }
            if idle.isEmpty { unopened -= 1 }
            inUse += 1
            let slot = idle.popLast() ?? PoolSlot()
            handOver(slot, to: waiter)
            next.append((waiter, slot))
        }
        return next
    }

    /// Returns the next teardown for closing, once everything has ended: that of the connections, and after all of them have
    /// closed, the handlers.
    mutating func takeTeardown() -> PoolTeardown? {
        guard isClosed, inUse == 0, threadCount == 0, waiters.isEmpty, !closeHandlers.isEmpty else { return nil }
        if let connections = takeConnections(isSuspension: false) { return connections }
        guard closing == 0 else { return nil }
        defer { closeHandlers = [] }
        return PoolTeardown(handlers: closeHandlers)
    }

    /// Returns the next teardown for a suspension, once the running accesses have ended: as for closing. Later accesses open
    /// new connections.
    mutating func takeSuspension() -> PoolTeardown? {
        guard isSuspended, inUse == 0, !suspensionHandlers.isEmpty else { return nil }
        if let connections = takeConnections(isSuspension: true) { return connections }
        guard closing == 0 else { return nil }
        defer { suspensionHandlers = [] }
        return PoolTeardown(handlers: suspensionHandlers)
    }

    private mutating func takeConnections(isSuspension: Bool) -> PoolTeardown? {
        if idle.isEmpty { return nil }
        closing += 1
        unopened += idle.count
        defer { idle = [] }
        return PoolTeardown(slots: idle, isSuspension: isSuspension)
    }

    /// The connections of a teardown have closed.
    mutating func closed() {
        closing -= 1
    }
}

/// The right to use one connection, with that connection once it is open.
///
/// `@unchecked Sendable`: a slot is idle or acquired by exactly one access.
final class PoolSlot: @unchecked Sendable {
    var opened: (any PooledConnection)?
}

/// Connections to close, or handlers to call after all connections have closed: outside the lock.
struct PoolTeardown {
    var slots: [PoolSlot] = []
    var handlers: [@Sendable () -> Void] = []
    var isSuspension = false

    var isQuick: Bool { slots.allSatisfy { $0.opened?.closesQuickly ?? true } }

    func run() {
        // A thread may still have a reference to the connection that it has used.
        if isSuspension { for slot in slots { slot.opened?.closeForSuspension() } }
        for slot in slots where slot.opened?.closesLast != true { slot.opened = nil }
        for slot in slots { slot.opened = nil }
        for handler in handlers { handler() }
    }
}
