internal import Dispatch
internal import Synchronization

/// A bounded pool of connections of one kind, and the queue of accesses that wait for them in order of arrival or of
/// priority.
///
/// An access runs on a thread of the pool or on the caller's executor or thread.
/// Both acquire a slot, so that one pool can run both.
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
        teardown?.run()
    }

    /// Rejects new accesses, and returns when running and waiting ones have ended and the connections are closed.
    package func close() async {
        await withCheckedContinuation { continuation in close { continuation.resume() } }
    }

    /// Passes the slot to the next waiter, or returns it to the pool.
    func release(_ slot: PoolSlot) {
        let (next, teardown) = state.withLock { state in
            (state.releaseSlot(slot), state.takeTeardown())
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
    fileprivate var clampedNanoseconds: Int { Int(min(max(self / .nanoseconds(1), 0), 1e18)) }
}

extension ConnectionPool {
    /// Runs `body` on the caller's executor, when a slot is available.
    func runInline<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let slot = if let slot = try acquireSlot(orEnqueue: nil) { slot } else { try await waitForSlot() }
        return try use(slot, body)
    }

    /// Runs `body` on the caller's thread, and blocks the thread until a slot is available.
    package func runBlocking<Value>(_ body: (any PooledConnection) throws -> Value) throws -> Value {
        if let slot = try acquireSlot(orEnqueue: nil) { return try use(slot, isCancellable: false, body) }
        let outcome = BlockingPromise<PoolSlot>()
        let waiter = PoolState.Waiter.caller(id: nextWaiter()) { outcome.fulfil($0) }
        let slot = if let slot = try acquireSlot(orEnqueue: waiter) { slot } else { try outcome.wait() }
        return try use(slot, isCancellable: false, body)
    }

    private func use<Value>(
        _ slot: PoolSlot, isCancellable: Bool = true, _ body: (any PooledConnection) throws -> Value
    ) throws -> Value {
        defer { release(slot) }
        let connection = try connection(of: slot)
        let cancellation = connection.cancellation
        _ = cancellation.begin(isCancellable: isCancellable)
        defer { cancellation.end() }
        return try body(connection)
    }

    private func waitForSlot() async throws -> PoolSlot {
        let id = nextWaiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = PoolState.Waiter.caller(id: id) { continuation.resume(with: $0) }
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
            if case .caller(_, let take) = waiter { take(.failure(CancellationError())) }
        }
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
            if state.isClosed { throw error(.closed) }
            let priority = state.currentPriority
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

// Accesses that run on threads of the pool, so that the caller's threads never wait for a disk or a lock.
extension ConnectionPool {
    func runOnThread<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        let access = Access(body)
        return try await withTaskCancellationHandler {
            // Capturing the isolation makes the closure run on the caller's executor instead of another thread.
            _ = isolation
            if try add(access), access.arrives(spinning: spinPolicy) { return try access.result.get() }
            return try await withUnsafeThrowingContinuation { access.resume($0) }
        } onCancel: {
            access.cancel()
        }
    }

    /// Runs `body` on a thread of the pool, and passes the result to `completion` there. If the pool is closed or
    /// cannot start a thread, passes the error on the caller's thread.
    package func start<Value: Sendable>(
        _ body: @escaping @Sendable (any PooledConnection) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Access<Value> {
        let access = Access(body, completion: completion)
        do { try add(access) } catch { access.fail(error) }
        return access
    }

    /// Enqueues `job`, and returns whether a spinning thread picks it up immediately.
    @discardableResult
    private func add(_ job: any Job) throws -> Bool {
        let (wake, startsTimer) = try state.withLock { state -> (Wake?, Bool) in
            if state.isClosed { throw error(.closed) }
            let priority = state.currentPriority
            guard let slot = state.acquireSlot(priority) else { return (nil, state.enqueue(.job(job), priority)) }
            return (makeReady(job, slot, &state), false)
        }
        if startsTimer { startLeaseTimer() }
        guard let wake else { return false }
        perform(wake)
        if case .spinner(isAlone: true) = wake { return true } else { return false }
    }

    func dispatch(_ job: any Job, _ slot: PoolSlot) {
        perform(state.withLock { state in makeReady(job, slot, &state) })
    }

    private func makeReady(_ job: any Job, _ slot: PoolSlot, _ state: inout PoolState) -> Wake {
        state.ready.append((job, slot))
        spinPolicy.recordIdleTime(since: state.lastIdleTime)
        if state.hasSpinner, state.ready.count == 1 { return .spinner(isAlone: state.hasRoomForSpinning) }
        guard state.ready.count > state.idleThreadCount, state.threadCount < threadLimit else { return .signal }
        state.threadCount += 1
        return .start
    }

    /// Called without the lock, because the notified thread acquires it at once.
    private func perform(_ wake: Wake) {
        readyCount.add(1, ordering: .releasing)
        switch wake {
        case .spinner: break
        case .signal: condition.signal()
        case .start:
            let code = startThread { [self] in runWorker() }
            if code != 0 { threadCreationFailed(code) }
        }
    }

    /// Leaves the ready jobs to other threads; fails them if there are none.
    private func threadCreationFailed(_ code: Int32) {
        let stranded = state.withLock { state in
            state.threadCount -= 1
            var stranded: [Work] = []
            while state.threadCount == 0, let next = takeReady(&state) { stranded.append(next) }
            return stranded
        }
        let error = self.error(.noThread(code))
        for (job, slot) in stranded {
            job.run(on: .failure(error))
            job.publish()
            release(slot)
        }
    }
}

/// How a thread is notified of a job.
private enum Wake {
    case spinner(isAlone: Bool)
    case signal
    case start
}

extension PoolState {
    /// Whether one processor is free for a working thread, and one for a spinning requester.
    fileprivate var hasRoomForSpinning: Bool { busyThreadCount + 2 <= SpinPolicy.processorCount }
}

// The loop of a thread.
extension ConnectionPool {
    private typealias Work = (job: any Job, slot: PoolSlot)

    private func runWorker() {
        var (work, spins) = state.withLock { state in takeWork(&state) }
        var time = MonotonicClock.now()
        while true {
            if work == nil {
                work = waitForWork(spins: spins)
                time = MonotonicClock.now()
            }
            guard let (job, slot) = work else { break }
            job.run(on: Result { try connection(of: slot) })
            time = spinPolicy.recordWork(since: time)
            // Before the result is published: its receiver may immediately request another access, and should find a
            // free slot and a spinning thread.
            let waiter: PoolState.Waiter?
            (waiter, work, spins) = state.withLock { state in
                let waiter = state.releaseSlot(slot)
                if case .job(let job) = waiter { return (nil, (job, slot), false) }
                state.lastIdleTime = time
                let (work, spins) = takeWork(&state)
                return (waiter, work, spins)
            }
            job.publish()
            if case .caller(_, let take) = waiter { take(.success(slot)) }
        }
        let teardown = state.withLock { state in
            state.threadCount -= 1
            return state.takeTeardown()
        }
        teardown?.run()
    }

    /// Returns the next job, or none and whether to spin for one.
    private func takeWork(_ state: inout PoolState) -> (Work?, spins: Bool) {
        if let work = takeReady(&state) { return (work, false) }
        state.idleThreadCount += 1
        guard !state.hasSpinner, state.busyThreadCount < SpinPolicy.processorCount, spinPolicy.idleSpinTime > 0 else {
            return (nil, false)
        }
        state.hasSpinner = true
        return (nil, true)
    }

    /// Returns the next job; none if the pool is closed.
    private func waitForWork(spins: Bool) -> Work? {
        if spins {
            let end = MonotonicClock.now() + spinPolicy.idleSpinTime
            spinPolicy.spin(until: end) { readyCount.load(ordering: .acquiring) > 0 }
            let work = state.withLock { state -> Work? in
                state.hasSpinner = false
                return state.ready.isEmpty ? nil : endIdle(&state)
            }
            if let work { return work }
        }
        return state.withLock(after: condition, while: { $0.ready.isEmpty && !$0.isClosed }) { state in
            endIdle(&state)
        }
    }

    private func endIdle(_ state: inout PoolState) -> Work? {
        state.idleThreadCount -= 1
        return takeReady(&state)
    }

    private func takeReady(_ state: inout PoolState) -> Work? {
        guard let work = state.ready.popFirst() else { return nil }
        readyCount.subtract(1, ordering: .relaxed)
        return work
    }
}

/// A connection of a pool, or an object that opens and reopens one.
///
/// The pool is not generic over the type of its connections: other modules would run a generic pool unspecialized,
/// which delays every access. The closures of accesses cast the connection that they receive.
package protocol PooledConnection: AnyObject {
    var cancellation: any Interruptible { get }
}

/// Cancels a single access on a connection, without affecting later accesses on it.
package protocol Interruptible: AnyObject, Sendable {
    /// Begins an access, and returns its number for `cancel`.
    func begin(isCancellable: Bool) -> UInt64
    /// Ends the access: cancellation has no effect from now on.
    func end()
    /// Cancels the access with this number if it is the current one.
    func cancel(_ access: UInt64)
}

/// Why an access did not run.
package enum AccessFailure: Sendable {
    case closed
    /// The thread is within another access to the same database, and a second one would deadlock.
    case nested
    /// No connection became free within this time.
    case leaseTimeout(Duration)
    /// The system cannot start a thread: the error number.
    case noThread(Int32)

    /// The cause, and the remedy if there is one.
    package var message: String {
        switch self {
        case .closed: "the database has been closed"
        case .nested:
            "an access began within another access to the same database: use the connection of the outer one"
        case .leaseTimeout(let time):
            "no connection became free within \(time): shorten the accesses, or raise the limits"
        case .noThread(let code): "the system cannot start a thread for a connection (error \(code))"
        }
    }
}
