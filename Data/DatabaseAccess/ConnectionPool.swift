internal import Dispatch

/// Where accesses run.
///
/// ```swift
/// let configuration = Database.Configuration().with { $0.execution = .inline }    // for tests in virtual time
/// ```
public enum AccessExecution: Hashable, Sendable {
    /// On the thread of the caller where the access is known to be short and a connection is free, and otherwise as with
    /// `dedicatedThreads`. A change of thread takes several times as long as a short access. A short access for which no
    /// connection is free may run on the thread of the one before it, in the task of its own caller.
    ///
    /// An access is known to be short by the recent accesses of the same line of source code: the first ones run on
    /// threads of the database, as do all while they take longer than 200 microseconds on average. The thread of the
    /// caller never waits for a connection or for a lock of another process. An access that is longer than the recent ones
    /// occupies it, at most once in a while for each line; an access must not wait for another task.
    case adaptive
    /// On threads that belong to the database: the threads of the caller never wait for a disk or a lock.
    case dedicatedThreads
    /// On the executor of the caller, which waits for a connection without blocking its thread: for tests in virtual time
    /// and for many short reads. The calling thread waits while the database works.
    case inline
}

/// A bounded pool of connections of one kind, and the queue of the accesses that wait for them.
///
/// An access needs a *slot*, the right to use one connection; there are as many as connections. All kinds of accesses
/// acquire the same slots, so that one pool can run all of them:
///
/// ```
/// run          .inline                    in the task of the caller
///              .adaptive, if short        on the thread of the caller     (AdaptiveExecution.swift)
///              otherwise                  on a thread of the pool         (PoolThreads.swift)
/// runBlocking                             on the thread of the caller, which waits
///
/// slot         unopened ──▶ in use ◀──▶ idle ──▶ closed                   (PoolState.swift)
/// access       [waiting for a slot ──▶] running ──▶ the slot is released ──▶ the result is delivered
/// pool         open ◀──▶ paused; open ◀──▶ suspended; closed when the last access has ended
/// ```
///
/// An access that ends passes its slot to one that waits: in order of arrival, or of priority (`isPrioritized`). The mutex
/// of the pool is held for a few instructions at a time, and never while an access runs.
///
/// ```swift
/// let readers = ConnectionPool(connections: 4, error: { StoreError($0) }, open: { try Connection(path) })
/// let count = try await readers.run(isolation: #isolation) { try ($0 as! Connection).count() }
/// await readers.close()    // when the accesses have ended
/// ```
package final class ConnectionPool: Sendable {
    let execution: AccessExecution
    /// Returns the error of an access that did not run, in the form of the library.
    let error: @Sendable (AccessFailure) -> any Error
    /// Opens a connection, on first use.
    private let open: @Sendable () throws -> any PooledConnection
    /// Opens a connection on the caller's thread, and throws `MustWait` where it would wait; nil if opening takes long.
    let openQuickly: (@Sendable () throws -> any PooledConnection)?
    /// Called on the thread of each access, when its connection is free and its time has been taken.
    let afterAccess: (@Sendable () -> Void)?
    let durations: AccessDurations
    /// Returns the time in nanoseconds, from which the durations of accesses are measured.
    let now: @Sendable () -> Int
    /// Equal to the number of slots, so that every access with a slot gets a thread.
    let threadLimit: Int
    /// How long an access waits for a connection; nil is no limit.
    private let leaseTimeout: Duration?
    let state: Mutex<PoolState>
    /// Signalled when a thread of the pool has work.
    let condition = ConditionVariable()

    /// Creates a pool of at most `connections` connections, at least 1. With `isPrioritized`, accesses wait in order of task
    /// priority, and low-priority accesses leave one connection free.
    package init(
        connections: Int, execution: AccessExecution = .dedicatedThreads, isPrioritized: Bool = false,
        leaseTimeout: Duration? = nil, durations: AccessDurations = .shared,
        now: @escaping @Sendable () -> Int = MonotonicClock.now,
        error: @escaping @Sendable (AccessFailure) -> any Error,
        openQuickly: (@Sendable () throws -> any PooledConnection)? = nil,
        afterAccess: (@Sendable () -> Void)? = nil,
        open: @escaping @Sendable () throws -> any PooledConnection
    ) {
        self.execution = execution
        self.error = error
        (self.open, self.openQuickly, self.afterAccess) = (open, openQuickly, afterAccess)
        (self.durations, self.now) = (durations, now)
        self.leaseTimeout = leaseTimeout
        threadLimit = max(connections, 1)
        state = Mutex(
            PoolState(
                isPrioritized: isPrioritized && threadLimit > 1, isTimed: leaseTimeout != nil, unopened: threadLimit))
    }

    /// Runs `body` on a connection when one is available. Passing the caller's isolation avoids a change of thread.
    ///
    /// `site` is where the access was requested, and `isShort` whether it is short wherever that is: an adaptive pool may run
    /// it on the caller's thread.
    package func run<Value: Sendable>(
        isolation: isolated (any Actor)?, at site: AccessSite? = nil, isShort: Bool = false,
        _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        switch execution {
        case .inline: try await runInline(isolation: isolation, body)
        case .adaptive where isShort || site.map(areShort) ?? false:
            try await runShort(isolation: isolation, at: site, body)
        case .adaptive, .dedicatedThreads: try await runOnThread(isolation: isolation, at: site, body)
        }
    }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Rejects new accesses, lets running and waiting ones end, closes the connections, and then calls `completion`.
    /// Closing again only calls `completion` after the end.
    package func close(completion: @escaping @Sendable () -> Void) {
        let teardown = state.withLock { state -> PoolTeardown? in
            state.isClosed = true
            state.closeHandlers.append(completion)
            return state.takeTeardown()
        }
        condition.broadcast()
        if let teardown { close(teardown) }
    }

    /// Closes the connections on the caller's thread, or on another one if that may take long.
    private func close(_ teardown: PoolTeardown) {
        guard execution != .inline, !teardown.isQuick, startThread({ self.run(teardown) }) == 0 else {
            return run(teardown)
        }
    }

    /// Closes connections, and then calls the handlers that wait for it.
    func run(_ teardown: PoolTeardown) {
        teardown.run()
        if teardown.slots.isEmpty { return }
        let (suspension, close) = state.withLock { state in
            state.closed()
            return (state.takeSuspension(), state.takeTeardown())
        }
        if let suspension { run(suspension) }
        if let close { run(close) }
    }

    /// Rejects new accesses, and returns when running and waiting ones have ended and the connections are closed.
    package func close() async {
        await withCheckedContinuation { continuation in close { continuation.resume() } }
    }

    /// Lets accesses wait, also for free connections, until `resume`. Running ones go on.
    package func pause() {
        state.withLock { $0.isPaused = true }
    }

    package func resume() {
        for (waiter, slot) in state.withLock({ $0.resume() }) { pass(slot, to: waiter) }
    }

    /// Fails waiting and new accesses until `endSuspension`. Calls `completion` when the running ones have ended and the
    /// connections are closed, or when the suspension ends. Returns a function that the caller must call without a lock.
    package func suspend(completion: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let (waiters, suspension, teardown) = state.withLock { state in
            state.suspensionHandlers.append(completion)
            return (state.suspend(), state.takeSuspension(), state.takeTeardown())
        }
        return { [self] in
            for waiter in waiters { waiter.fail(error(.suspended)) }
            if let suspension { run(suspension) }
            if let teardown { close(teardown) }
        }
    }

    /// Lets accesses run again. Returns a function that the caller must call without a lock.
    package func endSuspension() -> @Sendable () -> Void {
        let handlers = state.withLock { state in
            state.isSuspended = false
            defer { state.suspensionHandlers = [] }
            return state.suspensionHandlers
        }
        return { for handler in handlers { handler() } }
    }

    /// Passes the slot to the next waiter, or returns it to the pool.
    func release(_ slot: PoolSlot) {
        if let next = returnSlot(slot) { pass(slot, to: next) }
        afterAccess?()
    }

    /// Returns the waiter that receives the slot next; without one, the slot returns to the pool.
    func returnSlot(_ slot: PoolSlot) -> PoolState.Waiter? {
        let (next, suspension, teardown) = state.withLock { state in
            (state.releaseSlot(slot), state.takeSuspension(), state.takeTeardown())
        }
        if let suspension { run(suspension) }
        if let teardown { close(teardown) }
        return next
    }

    func pass(_ slot: PoolSlot, to waiter: PoolState.Waiter) {
        switch waiter {
        case .job(let job): dispatch(job, slot)
        case .caller(_, let goOn): goOn(.success(()))
        }
    }

    /// Returns the connection of a slot that the caller has acquired, opened on first use.
    func connection(of slot: PoolSlot, quickly: Bool = false) throws -> any PooledConnection {
        if let opened = slot.opened { return opened }
        let connection = if quickly, let openQuickly { try openQuickly() } else { try open() }
        slot.opened = connection
        return connection
    }

    /// Takes an idle connection that fulfils `condition` out of the pool, which opens another when it needs one.
    package func takeIdleConnection(where condition: (any PooledConnection) -> Bool) -> (any PooledConnection)? {
        state.withLock { state in
            guard let slot = state.idle.last, let connection = slot.opened, condition(connection) else { return nil }
            slot.opened = nil
            return connection
        }
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
        for waiter in overdue { waiter.fail(error) }
        if let next { setLeaseTimer(after: next) }
    }
}

extension PoolState.Waiter {
    fileprivate func fail(_ error: any Error) {
        switch self {
        case .job(let job): job.fail(error)
        case .caller(_, let goOn): goOn(.failure(error))
        }
    }
}

extension Duration {
    fileprivate var clampedNanoseconds: Int { Int(min(max(self / .nanoseconds(1), 0), 1e18)) }
}

extension ConnectionPool {
    /// Runs `body` on the caller's executor, when a slot is available.
    func runInline<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let slot = if let slot = try acquireSlot(orEnqueue: nil) { slot } else { try await waitForSlot() }
        return try use(slot, as: .inTask, body)
    }

    /// Runs `body` on the caller's thread, and blocks the thread until a slot is available.
    package func runBlocking<Value>(_ body: (any PooledConnection) throws -> Value) throws -> Value {
        if let slot = try acquireSlot(orEnqueue: nil) { return try use(slot, as: .blocking, body) }
        let (id, isReady) = (nextWaiter(), BlockingPromise<Void>())
        let waiter = PoolState.Waiter.caller(id: id) { isReady.fulfil($0) }
        if let slot = try acquireSlot(orEnqueue: waiter) { return try use(slot, as: .blocking, body) }
        try isReady.wait()
        return try use(takeOver(by: id), as: .blocking, body)
    }

    /// Returns the slot that a caller has received while it waited.
    private func takeOver(by caller: UInt64) throws -> PoolSlot {
        guard let slot = state.withLock({ $0.takeOver(by: caller) }) else { throw error(.suspended) }
        return slot
    }

    private func use<Value>(
        _ slot: PoolSlot, as kind: AccessKind, _ body: (any PooledConnection) throws -> Value
    ) throws -> Value {
        defer { release(slot) }
        let connection = try connection(of: slot)
        let cancellation = connection.cancellation
        _ = cancellation.begin(kind)
        defer { cancellation.end() }
        return try body(connection)
    }

    private func waitForSlot() async throws -> PoolSlot {
        let id = nextWaiter()
        let slot: PoolSlot? = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = PoolState.Waiter.caller(id: id) { continuation.resume(with: $0.map { _ in nil }) }
                do {
                    if let slot = try acquireSlot(orEnqueue: waiter, isCancellable: true) {
                        continuation.resume(returning: slot)
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.removeFirst { if case .caller(id, _) = $0 { true } else { false } }
            }
            waiter?.fail(CancellationError())
        }
        return try slot ?? takeOver(by: id)
    }

    private func nextWaiter() -> UInt64 {
        state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
    }

    /// Returns a free slot, or enqueues `waiter`, which then receives the next one.
    private func acquireSlot(orEnqueue waiter: PoolState.Waiter?, isCancellable: Bool = false) throws -> PoolSlot? {
        let (slot, startsTimer) = try state.withLock { state -> (PoolSlot?, Bool) in
            if let rejection = state.rejection { throw error(rejection) }
            let priority = state.priority(of: Task.currentPriority)
            if let slot = state.acquireSlot(priority) { return (slot, false) }
            // Checked under the lock that the cancellation handler acquires next: either this detects the cancellation,
            // or the handler finds the waiter.
            if isCancellable { try Task.checkCancellation() }
            return (nil, waiter.map { state.enqueue($0, priority) } ?? false)
        }
        if startsTimer { startLeaseTimer() }
        return slot
    }
}
