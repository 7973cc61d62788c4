// Accesses that run on threads of the pool, so that the caller's threads never wait for a disk or a lock.
//
// ```
// job        [waits for a slot ──▶] ready ──▶ run by a thread, which then runs the next one
// thread     started for a ready job if none is idle ──▶ running ◀──▶ idle ──▶ ended when the pool is closed
// ```
//
// There are never more threads than slots, so that each job that is ready gets a thread.

extension ConnectionPool {
    /// Runs `body` on `slot`, which the caller has acquired, or when one is available.
    func runOnThread<Value: Sendable>(
        isolation: isolated (any Actor)?, at site: AccessSite? = nil, on slot: PoolSlot? = nil,
        _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        let access = Access(at: site, body)
        defer { if access.isAwaited { ThreadTurn.endWait() } }
        return try await withTaskCancellationHandler {
            // Capturing the isolation makes the closure run on the caller's executor instead of another thread.
            _ = isolation
            if let slot { dispatch(access, slot) } else { try add(access) }
            return try await withUnsafeThrowingContinuation { access.resume($0) }
        } onCancel: {
            access.cancel()
        }
    }

    /// Returns the result of an access that a thread of the pool runs, or is about to run.
    func value<Value: Sendable>(of access: Access<Value>, isolation: isolated (any Actor)?) async throws -> Value {
        defer { if access.isAwaited { ThreadTurn.endWait() } }
        return try await withTaskCancellationHandler {
            // As above.
            _ = isolation
            return try await withUnsafeThrowingContinuation { access.resume($0) }
        } onCancel: {
            access.cancel()
        }
    }

    /// Runs `body` on a thread of the pool, and passes the result to `completion` there. If the pool is closed or
    /// cannot start a thread, passes the error on the caller's thread.
    package func start<Value: Sendable>(
        at site: AccessSite? = nil, _ body: @escaping @Sendable (any PooledConnection) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Access<Value> {
        let access = Access(at: site, body, completion: completion)
        do { try add(access) } catch { access.fail(error) }
        return access
    }

    /// Passes `job` to a thread, or enqueues it until a slot is available. Calls `whenAdded` before any thread takes it.
    func add(
        _ job: any Job, _ priority: TaskPriority = Task.currentPriority, whenAdded: () -> Void = {}
    ) throws {
        let (wake, startsTimer) = try state.withLock { state -> (Wake?, Bool) in
            if let rejection = state.rejection { throw error(rejection) }
            let priority = state.priority(of: priority)
            defer { whenAdded() }
            guard let slot = state.acquireSlot(priority) else { return (nil, state.enqueue(.job(job), priority)) }
            return (makeReady(job, slot, &state), false)
        }
        if startsTimer { startLeaseTimer() }
        if let wake { perform(wake) }
    }

    func dispatch(_ job: any Job, _ slot: PoolSlot) {
        perform(state.withLock { state in makeReady(job, slot, &state) })
    }

    private func makeReady(_ job: any Job, _ slot: PoolSlot, _ state: inout PoolState) -> Wake {
        state.ready.append((job, slot))
        guard state.ready.count > state.idleThreadCount, state.threadCount < threadLimit else { return .signal }
        state.threadCount += 1
        return .start
    }

    /// Called without the lock, because the notified thread acquires it at once.
    private func perform(_ wake: Wake) {
        switch wake {
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
            while state.threadCount == 0, let next = state.ready.popFirst() { stranded.append(next) }
            return stranded
        }
        let error = self.error(.noThread(code))
        for (job, slot) in stranded {
            job.run(on: .failure(error)) { release(slot) }
        }
    }
}

/// How a thread is notified of a job.
private enum Wake {
    case signal
    case start
}

// The loop of a thread.
extension ConnectionPool {
    private typealias Work = (job: any Job, slot: PoolSlot)

    private func runWorker() {
        var work = state.withLock { state in takeWork(&state) }
        while let (job, slot) = work ?? waitForWork() {
            let opened = Result { try connection(of: slot) }
            let start = now()
            job.run(on: opened) {
                let duration = now() - start
                let waiter: PoolState.Waiter?
                let suspension: PoolTeardown?
                if let site = job.site { durations.record(duration, at: site) }
                (waiter, work, suspension) = state.withLock { state in
                    let waiter = state.releaseSlot(slot)
                    if case .job(let job) = waiter { return (nil, (job, slot), nil) }
                    return (waiter, takeWork(&state), state.takeSuspension())
                }
                if let suspension { run(suspension) }
                if let waiter { pass(slot, to: waiter) }
                afterAccess?()
            }
        }
        let teardown = state.withLock { state in
            state.threadCount -= 1
            return state.takeTeardown()
        }
        if let teardown { run(teardown) }
    }

    /// Returns the next job; without one, the thread is idle.
    private func takeWork(_ state: inout PoolState) -> Work? {
        if let work = state.ready.popFirst() { return work }
        state.idleThreadCount += 1
        return nil
    }

    /// Ends the idle time of a thread: returns the next job, or none if the pool is closed.
    private func waitForWork() -> Work? {
        state.withLock(after: condition, while: { $0.ready.isEmpty && !$0.isClosed }) { state in
            state.idleThreadCount -= 1
            return state.ready.popFirst()
        }
    }
}
