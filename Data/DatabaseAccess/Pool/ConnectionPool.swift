internal import Dispatch
internal import Synchronization

/// A bounded pool of connections of one kind, and the queue of accesses that wait for them in order of arrival or of
/// priority.
///
/// An access runs on a thread of the pool (`ConnectionPool+Threads`) or on the caller's executor or thread
/// (`ConnectionPool+Caller`). Both acquire a slot, so that one pool can run both.
package final class ConnectionPool: Sendable {
    /// Whether accesses run on the caller's executor instead of a thread of the pool.
    let runsInline: Bool
    /// Returns the error of an access that did not run, in the form of the library.
    let error: @Sendable (AccessFailure) -> any Error
    private let open: @Sendable () throws -> any PooledConnection
    /// Equal to the number of slots, so that every access with a slot gets a thread.
    let threadLimit: Int
    /// How long an access waits for a connection; nil is no limit.
    private let leaseTimeout: Duration?
    let state: Mutex<PoolState>
    /// Signalled when a thread of the pool has work.
    let condition = ConditionVariable()
    /// The number of ready jobs, which a spinning thread reads without a lock; it may lag behind `state.ready`.
    let readyCount = Atomic(0)
    let spinPolicy: SpinPolicy

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - connections: The maximum number of connections, at least 1.
    ///   - runsInline: Whether accesses run on the caller's executor instead of a thread of the pool.
    ///   - isPrioritized: Whether accesses wait in order of task priority, and low-priority accesses leave one
    ///     connection free.
    ///   - leaseTimeout: How long an access waits for a connection; nil is no limit.
    ///   - spinPause: Tells the processor that a thread spins; with nil, waiting threads sleep at once.
    ///   - error: Returns the error of an access that did not run.
    ///   - open: Opens a connection, on first use.
    package init(
        connections: Int, runsInline: Bool = false, isPrioritized: Bool = false, leaseTimeout: Duration? = nil,
        spinPause: (@Sendable () -> Void)? = nil, error: @escaping @Sendable (AccessFailure) -> any Error,
        open: @escaping @Sendable () throws -> any PooledConnection
    ) {
        self.runsInline = runsInline
        self.error = error
        self.open = open
        self.leaseTimeout = leaseTimeout
        threadLimit = max(connections, 1)
        spinPolicy = SpinPolicy(pause: spinPause)
        state = Mutex(
            PoolState(
                isPrioritized: isPrioritized && threadLimit > 1, isTimed: leaseTimeout != nil, unopened: threadLimit))
    }

    /// Runs `body` on a connection when one is available. Passing the caller's isolation avoids a change of thread.
    package func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        if runsInline { return try await runInline(isolation: isolation, body) }
        return try await runOnThread(isolation: isolation, body)
    }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The number of accesses that wait for a slot.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Keeps new accesses waiting, lets the running ones end, closes the connections, and then calls `completion`.
    /// `resume` also calls it, if it comes first.
    package func suspend(completion: @escaping @Sendable () -> Void) {
        let teardown = state.withLock { state -> PoolTeardown? in
            state.isSuspended = true
            state.suspensionHandlers.append(completion)
            return state.takeSuspension()
        }
        teardown?.run()
    }

    /// Ends a suspension and starts the waiting accesses.
    package func resume() {
        let (next, handlers) = state.withLock { state -> ([(PoolState.Waiter, PoolSlot)], [@Sendable () -> Void]) in
            state.isSuspended = false
            defer { state.suspensionHandlers = [] }
            var next: [(PoolState.Waiter, PoolSlot)] = []
            while let slot = state.acquireSlot(.normal), let waiter = state.releaseSlot(slot) {
                next.append((waiter, slot))
            }
            return (next, state.suspensionHandlers)
        }
        for (waiter, slot) in next { pass(slot, to: waiter) }
        for handler in handlers { handler() }
    }

    /// Rejects new accesses, lets running and waiting ones end, closes the connections, and then calls `completion`.
    /// Closing again only calls `completion` after the end.
    package func close(completion: @escaping @Sendable () -> Void) {
        resume()
        let teardown = state.withLock { state -> PoolTeardown? in
            state.isClosed = true
            state.closeHandlers.append(completion)
            return state.takeTeardown()
        }
        condition.broadcast()
        teardown?.run()
    }

    /// Passes the slot to the next waiter, or returns it to the pool.
    func release(_ slot: PoolSlot) {
        let (next, teardown) = state.withLock { state in
            (state.releaseSlot(slot), state.takeSuspension() ?? state.takeTeardown())
        }
        if let next { pass(slot, to: next) } else { teardown?.run() }
    }

    private func pass(_ slot: PoolSlot, to waiter: PoolState.Waiter) {
        switch waiter {
        case .job(let job): dispatch(job, slot)
        case .caller(_, let take): take(.success(slot))
        }
    }

    /// Returns the connection of a slot that the caller has acquired, opened on first use.
    func connection(of slot: PoolSlot) throws -> any PooledConnection {
        if let opened = slot.opened { return opened }
        let connection = try open()
        slot.opened = connection
        return connection
    }

    /// Starts the timer that fails waiting accesses after the lease timeout.
    func startLeaseTimer() {
        if let leaseTimeout { setLeaseTimer(after: leaseTimeout.clampedNanoseconds) }
    }

    /// All accesses wait equally long, so that the first to arrive is the first to exceed its time.
    private func setLeaseTimer(after nanoseconds: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            self?.failOverdueWaiters()
        }
    }

    private func failOverdueWaiters() {
        guard let leaseTimeout else { return }
        let (timeout, now) = (leaseTimeout.clampedNanoseconds, MonotonicClock.now())
        let (overdue, next) = state.withLock { state -> ([PoolState.Waiter], Int?) in
            var overdue: [PoolState.Waiter] = []
            while let time = state.waiters.firstArrival, time + timeout <= now {
                guard let waiter = state.waiters.popFirstArrival() else { break }
                overdue.append(waiter)
            }
            let next = state.waiters.firstArrival.map { $0 + timeout - now }
            state.hasTimer = next != nil
            return (overdue, next)
        }
        let error = self.error(.leaseTimeout(leaseTimeout))
        for waiter in overdue {
            switch waiter {
            case .job(let job): job.fail(error)
            case .caller(_, let take): take(.failure(error))
            }
        }
        if let next { setLeaseTimer(after: next) }
    }
}

extension Duration {
    /// The time in nanoseconds: at least 0, and at most 30 years.
    fileprivate var clampedNanoseconds: Int { Int(min(max(self / .nanoseconds(1), 0), 1e18)) }
}
