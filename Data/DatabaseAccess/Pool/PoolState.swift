/// The slots, the queues and the threads of a pool.
struct PoolState {
    /// Whether accesses wait in order of priority, and low-priority accesses leave one connection free.
    let isPrioritized: Bool
    /// Whether accesses wait only for a limited time.
    let isTimed: Bool
    var idle: [PoolSlot] = []
    /// The number of connections that can still be opened.
    var unopened: Int
    var inUse = 0
    var waiters = PriorityQueue<Waiter>()
    var lastWaiter: UInt64 = 0
    /// Whether a timer looks for accesses that have waited too long.
    var hasTimer = false
    /// Jobs with a slot that wait for a thread.
    var ready = Queue<(job: any Job, slot: PoolSlot)>()
    var threadCount = 0
    /// The time at which a thread last became idle.
    var lastIdleTime = 0
    /// The number of threads without a job.
    var idleThreadCount = 0
    var busyThreadCount: Int { threadCount - idleThreadCount }
    /// Whether an idle thread spins instead of sleeping.
    var hasSpinner = false
    var isClosed = false
    /// Called when the last connection has closed.
    var closeHandlers: [@Sendable () -> Void] = []
    /// Whether accesses wait although slots are free.
    var isSuspended = false
    /// Called when a suspension has closed all connections.
    var suspensionHandlers: [@Sendable () -> Void] = []

    /// An access that waits for a slot.
    enum Waiter {
        case job(any Job)
        case caller(id: UInt64, take: @Sendable (Result<PoolSlot, any Error>) -> Void)
    }

    init(isPrioritized: Bool, isTimed: Bool, unopened: Int) {
        (self.isPrioritized, self.isTimed, self.unopened) = (isPrioritized, isTimed, unopened)
    }

    /// The priority of the current task's access.
    var currentPriority: AccessPriority { isPrioritized ? AccessPriority(Task.currentPriority) : .normal }

    /// Enqueues a waiter, and returns whether the lease timer must be started.
    mutating func enqueue(_ waiter: Waiter, _ priority: AccessPriority) -> Bool {
        waiters.append(waiter, priority)
        guard isTimed, !hasTimer else { return false }
        hasTimer = true
        return true
    }

    /// Returns a slot if one is free for this priority. A free slot implies that no waiter could use it.
    mutating func acquireSlot(_ priority: AccessPriority) -> PoolSlot? {
        guard !isClosed, !isSuspended else { return nil }
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

    /// Returns the waiter that receives the slot next; without one, the slot becomes idle.
    mutating func releaseSlot(_ slot: PoolSlot) -> Waiter? {
        // The last free slot is reserved for accesses above low priority.
        let isLast = isPrioritized && idle.isEmpty && unopened == 0
        if !isSuspended, let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) { return waiter }
        inUse -= 1
        idle.append(slot)
        return nil
    }

    /// Returns the teardown for a suspension once the last running access has ended. Later accesses open new
    /// connections.
    mutating func takeSuspension() -> PoolTeardown? {
        guard isSuspended, inUse == 0, !suspensionHandlers.isEmpty else { return nil }
        unopened += idle.count
        defer { (idle, suspensionHandlers) = ([], []) }
        return PoolTeardown(slots: idle, handlers: suspensionHandlers)
    }

    /// Returns the teardown for closing once everything has ended.
    mutating func takeTeardown() -> PoolTeardown? {
        guard isClosed, inUse == 0, threadCount == 0, waiters.isEmpty, !closeHandlers.isEmpty else { return nil }
        defer { (idle, closeHandlers) = ([], []) }
        return PoolTeardown(slots: idle, handlers: closeHandlers)
    }
}

/// The right to use one connection, with that connection once it is open.
///
/// `@unchecked Sendable`: a slot is idle or acquired by exactly one access.
final class PoolSlot: @unchecked Sendable {
    var opened: (any PooledConnection)?
}

/// Connections to close and handlers to call afterwards, outside the lock.
struct PoolTeardown {
    let slots: [PoolSlot]
    let handlers: [@Sendable () -> Void]

    func run() {
        for slot in slots { slot.opened = nil }
        for handler in handlers { handler() }
    }
}
