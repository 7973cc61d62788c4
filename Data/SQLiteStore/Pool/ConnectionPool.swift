internal import Synchronization

/// A bounded pool of connections of one kind, and the queue of accesses that wait for them in order of arrival or of
/// priority.
///
/// An access runs on a thread of the pool (`ConnectionPool+Threads`) or on the caller's (`ConnectionPool+Caller`). Both
/// acquire a slot, so that they can be mixed.
final class ConnectionPool: Sendable {
    let execution: Database.Execution
    let open: @Sendable () throws -> Connection
    /// Equal to the number of slots, so that every access with a slot gets a thread.
    let threadLimit: Int
    let state: Mutex<State>
    /// Signalled when a thread of the pool has work.
    let condition = ConditionVariable()
    /// The number of ready jobs, which a spinning thread reads without a lock; it may lag behind `state.ready`.
    let readyCount = Atomic(0)
    let spinPolicy = SpinPolicy()

    struct State {
        /// Whether accesses wait in order of priority, and low-priority accesses leave one connection free.
        let isPrioritized: Bool
        var idle: [Slot] = []
        /// The number of connections that can still be opened.
        var unopened: Int
        var inUse = 0
        var waiters = PriorityQueue<Waiter>()
        var lastWaiter: UInt64 = 0
        /// Jobs with a slot that wait for a thread.
        var ready = Queue<(job: any Job, slot: Slot)>()
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
    }

    /// An access that waits for a slot.
    enum Waiter {
        case job(any Job)
        case caller(id: UInt64, take: @Sendable (Result<Slot, any Error>) -> Void)
    }

    /// The right to use one connection, with that connection once it is open.
    ///
    /// `@unchecked Sendable`: a slot is idle or acquired by exactly one access.
    final class Slot: @unchecked Sendable {
        private var opened: Connection?

        /// Returns the connection, opened with `open` on first use.
        func connection(open: () throws -> Connection) throws -> Connection {
            if let opened { return opened }
            let connection = try open()
            opened = connection
            return connection
        }

        /// Closes the connection.
        fileprivate func close() {
            opened = nil
        }
    }

    init(
        execution: Database.Execution, connections: Int, isPrioritized: Bool = false,
        open: @escaping @Sendable () throws -> Connection
    ) {
        self.execution = execution
        self.open = open
        threadLimit = max(connections, 1)
        state = Mutex(State(isPrioritized: isPrioritized && threadLimit > 1, unopened: threadLimit))
    }

    /// Runs `body` on a connection when one is available. Passing the caller's isolation avoids a change of thread.
    func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        switch execution {
        case .dedicatedThreads: try await runOnThread(isolation: isolation, body)
        case .inline: try await runInline(isolation: isolation, body)
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The number of accesses that wait for a slot.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Keeps new accesses waiting, lets the running ones end, and closes the connections.
    func suspend(completion: @escaping @Sendable () -> Void) {
        let teardown = state.withLock { state -> Teardown? in
            state.isSuspended = true
            state.suspensionHandlers.append(completion)
            return state.takeSuspension()
        }
        teardown?.run()
    }

    /// Ends a suspension and runs the waiting accesses.
    func resume() {
        let (next, handlers) = state.withLock { state -> ([(Waiter, Slot)], [@Sendable () -> Void]) in
            state.isSuspended = false
            defer { state.suspensionHandlers = [] }
            var next: [(Waiter, Slot)] = []
            while let slot = state.acquireSlot(.normal), let waiter = state.releaseSlot(slot) {
                next.append((waiter, slot))
            }
            return (next, state.suspensionHandlers)
        }
        for (waiter, slot) in next {
            switch waiter {
            case .job(let job): dispatch(job, slot)
            case .caller(_, let take): take(.success(slot))
            }
        }
        for handler in handlers { handler() }
    }

    /// Rejects new accesses, lets running and waiting ones end, and closes the connections. Closing again only calls
    /// `completion` after the end.
    func close(completion: @escaping @Sendable () -> Void) {
        resume()
        let teardown = state.withLock { state -> Teardown? in
            state.isClosed = true
            state.closeHandlers.append(completion)
            return state.takeTeardown()
        }
        condition.broadcast()
        teardown?.run()
    }

    /// Passes the slot to the next waiter, or returns it to the pool.
    func release(_ slot: Slot) {
        let (next, teardown) = state.withLock { state in
            (state.releaseSlot(slot), state.takeSuspension() ?? state.takeTeardown())
        }
        switch next {
        case .job(let job): dispatch(job, slot)
        case .caller(_, let take): take(.success(slot))
        case nil: teardown?.run()
        }
    }
}

extension ConnectionPool.State {
    /// The priority of the current task's access.
    var currentPriority: AccessPriority { isPrioritized ? AccessPriority(Task.currentPriority) : .normal }

    /// Returns a slot if one is free for this priority. A free slot implies that no waiter could use it.
    mutating func acquireSlot(_ priority: AccessPriority) -> ConnectionPool.Slot? {
        guard !isClosed, !isSuspended else { return nil }
        if priority == .low, isPrioritized, idle.count + unopened < 2 { return nil }
        if let slot = idle.popLast() {
            inUse += 1
            return slot
        }
        guard unopened > 0 else { return nil }
        unopened -= 1
        inUse += 1
        return ConnectionPool.Slot()
    }

    /// Returns the waiter that receives the slot next; without one, the slot becomes idle.
    mutating func releaseSlot(_ slot: ConnectionPool.Slot) -> ConnectionPool.Waiter? {
        // The last free slot is reserved for accesses above low priority.
        let isLast = isPrioritized && idle.isEmpty && unopened == 0
        if !isSuspended, let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) { return waiter }
        inUse -= 1
        idle.append(slot)
        return nil
    }

    /// Returns the teardown for a suspension once the last running access has ended. Later accesses open new
    /// connections.
    mutating func takeSuspension() -> ConnectionPool.Teardown? {
        guard isSuspended, inUse == 0, !suspensionHandlers.isEmpty else { return nil }
        unopened += idle.count
        defer { (idle, suspensionHandlers) = ([], []) }
        return ConnectionPool.Teardown(slots: idle, handlers: suspensionHandlers)
    }

    /// Returns the teardown for closing once everything has ended.
    mutating func takeTeardown() -> ConnectionPool.Teardown? {
        guard isClosed, inUse == 0, threadCount == 0, waiters.isEmpty, !closeHandlers.isEmpty else { return nil }
        defer { (idle, closeHandlers) = ([], []) }
        return ConnectionPool.Teardown(slots: idle, handlers: closeHandlers)
    }
}

extension ConnectionPool {
    /// Connections to close and handlers to call afterwards, outside the lock.
    struct Teardown {
        fileprivate let slots: [Slot]
        fileprivate let handlers: [@Sendable () -> Void]

        func run() {
            for slot in slots { slot.close() }
            for handler in handlers { handler() }
        }
    }
}
