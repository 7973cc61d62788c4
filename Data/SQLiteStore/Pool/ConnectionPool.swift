internal import Synchronization

/// Connections of one kind, at most so many, and the accesses that take turns on them: in the order of their arrival, or by
/// priority.
///
/// An access runs on a thread of the pool's, or where the caller runs: `ConnectionPool+Threads`, `ConnectionPool+Caller`. Both hold a slot
/// meanwhile, so that they can be mixed.
final class ConnectionPool: Sendable {
    let execution: Database.Execution
    let open: @Sendable () throws -> Connection
    /// As many as there are slots: whoever has a slot finds a thread.
    let threadLimit: Int
    let state: Mutex<State>
    /// Signalled when there is something for a thread of the pool's to do.
    let condition = ConditionVariable()
    /// How many jobs are ready, for a thread that looks without a lock; for a moment it may be less.
    let readyCount = Atomic(0)
    let spinPolicy = SpinPolicy()

    struct State {
        /// Whether urgent accesses come before others, and one connection is kept free from those that are not urgent.
        let isPrioritized: Bool
        var idle: [Slot] = []
        /// Connections that may still be opened.
        var unopened: Int
        var inUse = 0
        var waiters = PriorityQueue<Waiter>()
        var lastWaiter: UInt64 = 0
        /// Jobs that have a slot, and wait for a thread.
        var ready = Queue<(job: any Job, slot: Slot)>()
        var threadCount = 0
        /// When a thread last had nothing to do.
        var lastIdleTime = 0
        /// How many threads have nothing to do.
        var idleThreadCount = 0
        var busyThreadCount: Int { threadCount - idleThreadCount }
        /// Whether one of those looks for a job without sleeping.
        var hasSpinner = false
        var isClosed = false
        /// Those who wait for the end.
        var closeHandlers: [@Sendable () -> Void] = []
        /// Whether accesses wait, however many connections there are.
        var isSuspended = false
        /// Those who wait for all connections to be closed meanwhile.
        var suspensionHandlers: [@Sendable () -> Void] = []
    }

    /// Someone who is given a slot as soon as one is free.
    enum Waiter {
        case job(any Job)
        case caller(id: UInt64, take: @Sendable (Result<Slot, any Error>) -> Void)
    }

    /// A place in the pool, with its connection once there is one.
    ///
    /// `@unchecked Sendable`: a slot is either idle or in the hands of one access, never of two.
    final class Slot: @unchecked Sendable {
        private var opened: Connection?

        /// Its connection, opened by `open` if there is none yet.
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

    /// Runs `body` on a connection when one is free. The caller's isolation saves a change of thread on the way.
    func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        switch execution {
        case .dedicatedThreads: try await runOnThread(isolation: isolation, body)
        case .inline: try await runInline(isolation: isolation, body)
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// How many accesses wait for a slot.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Keeps further accesses waiting, lets those under way end, and closes the connections.
    func suspend(completion: @escaping @Sendable () -> Void) {
        let teardown = state.withLock { state -> Teardown? in
            state.isSuspended = true
            state.suspensionHandlers.append(completion)
            return state.takeSuspension()
        }
        teardown?.run()
    }

    /// Makes the accesses that have waited.
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

    /// Refuses further accesses, lets those under way and those waiting end, and closes the connections. Once it has
    /// ended, closing it again does nothing but call `closeHandlers`.
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

    /// Gives a slot to whoever is next, or back.
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
    /// How urgent an access of the current task is.
    var currentPriority: AccessPriority { isPrioritized ? AccessPriority(Task.currentPriority) : .normal }

    /// A slot if one is free for an access of this priority. Nobody who might have it waits then.
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

    /// Who gets the slot next; it is idle if nobody does.
    mutating func releaseSlot(_ slot: ConnectionPool.Slot) -> ConnectionPool.Waiter? {
        // The last slot that is free is none for what is not urgent.
        let isLast = isPrioritized && idle.isEmpty && unopened == 0
        if !isSuspended, let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) { return waiter }
        inUse -= 1
        idle.append(slot)
        return nil
    }

    /// What is left to do when the last access before a suspension has ended. The next ones open new connections.
    mutating func takeSuspension() -> ConnectionPool.Teardown? {
        guard isSuspended, inUse == 0, !suspensionHandlers.isEmpty else { return nil }
        unopened += idle.count
        defer { (idle, suspensionHandlers) = ([], []) }
        return ConnectionPool.Teardown(slots: idle, handlers: suspensionHandlers)
    }

    /// What is left to do at the very end, for the one who brings it about.
    mutating func takeTeardown() -> ConnectionPool.Teardown? {
        guard isClosed, inUse == 0, threadCount == 0, waiters.isEmpty, !closeHandlers.isEmpty else { return nil }
        defer { (idle, closeHandlers) = ([], []) }
        return ConnectionPool.Teardown(slots: idle, handlers: closeHandlers)
    }
}

extension ConnectionPool {
    /// The connections to close, and whom to tell of it.
    struct Teardown {
        fileprivate let slots: [Slot]
        fileprivate let handlers: [@Sendable () -> Void]

        func run() {
            for slot in slots { slot.close() }
            for handler in handlers { handler() }
        }
    }
}
