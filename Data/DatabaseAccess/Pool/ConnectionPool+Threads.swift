internal import Synchronization

// Accesses that run on threads of the pool, so that the caller's threads never wait for a disk or a lock.
extension ConnectionPool {
    /// Runs `body` on a thread of the pool.
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

    /// Runs `job` on a thread.
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
    /// A spinning thread picks it up.
    case spinner(isAlone: Bool)
    /// A sleeping thread is woken.
    case signal
    /// A new thread is started.
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
            let teardown: PoolTeardown?
            (waiter, work, spins, teardown) = state.withLock { state in
                let waiter = state.releaseSlot(slot)
                if case .job(let job) = waiter { return (nil, (job, slot), false, nil) }
                state.lastIdleTime = time
                let (work, spins) = takeWork(&state)
                return (waiter, work, spins, state.takeSuspension())
            }
            job.publish()
            teardown?.run()
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
