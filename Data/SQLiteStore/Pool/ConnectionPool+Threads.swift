internal import Synchronization

// Accesses that run on threads of the pool's own, so that waiting for the disk or a lock occupies none of the caller's.
extension ConnectionPool {
    /// Runs `body` on a thread of the pool's.
    func runOnThread<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        let access = Access(body)
        return try await withTaskCancellationHandler {
            // Using it makes the closure run where the caller runs, instead of on yet another thread.
            _ = isolation
            if try add(access), access.arrives(within: spinPolicy.resultSpinTime) { return try access.result.get() }
            return try await withUnsafeThrowingContinuation { access.resume($0) }
        } onCancel: {
            access.cancel()
        }
    }

    /// Has a thread do `job` once there is a slot for it; whether a thread is taking it up this very moment.
    @discardableResult
    func add(_ job: any Job) throws -> Bool {
        let wake = try state.withLock { state -> Wake? in
            if state.isClosed { throw Database.closedError }
            let priority = state.currentPriority
            guard let slot = state.acquireSlot(priority) else {
                state.waiters.append(.job(job), priority)
                return nil
            }
            return makeReady(job, slot, &state)
        }
        guard let wake else { return false }
        perform(wake)
        if case .spinner(isAlone: true) = wake { return true } else { return false }
    }

    /// Has a thread do `job`.
    func dispatch(_ job: any Job, _ slot: Slot) {
        perform(state.withLock { state in makeReady(job, slot, &state) })
    }

    /// How a thread learns of a job.
    private enum Wake {
        /// One is looking.
        case spinner(isAlone: Bool)
        /// One is asleep.
        case signal
        /// There is none.
        case start
    }

    private func makeReady(_ job: any Job, _ slot: Slot, _ state: inout State) -> Wake {
        state.ready.append((job, slot))
        spinPolicy.recordGap(since: state.lastIdleTime)
        if state.hasSpinner, state.ready.count == 1 { return .spinner(isAlone: state.hasRoomForSpinning) }
        guard state.ready.count > state.idleThreadCount, state.threadCount < threadLimit else { return .signal }
        state.threadCount += 1
        return .start
    }

    /// Called without the lock, which the thread is going to take at once.
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

    /// The jobs are left to the other threads; if there are none, they fail.
    private func threadCreationFailed(_ code: Int32) {
        let stranded = state.withLock { state in
            state.threadCount -= 1
            var stranded: [Work] = []
            while state.threadCount == 0, let next = takeReady(&state) { stranded.append(next) }
            return stranded
        }
        let error = SQLiteError(.cannotOpen, "the system has no thread left for a connection (error \(code))")
        for (job, slot) in stranded {
            job.run(on: .failure(error))
            job.publish()
            release(slot)
        }
    }
}

extension ConnectionPool.State {
    /// Whether the threads at work leave a processor to one that works and one that looks on.
    fileprivate var hasRoomForSpinning: Bool { busyThreadCount + 2 <= SpinPolicy.processorCount }
}

// What a thread does.
extension ConnectionPool {
    private typealias Work = (job: any Job, slot: Slot)

    private func runWorker() {
        var (work, spins) = state.withLock { state in takeWork(&state) }
        var time = MonotonicClock.now()
        while true {
            if work == nil {
                work = waitForWork(spins: spins)
                time = MonotonicClock.now()
            }
            guard let (job, slot) = work else { break }
            job.run(on: Result { try slot.connection(open: open) })
            time = spinPolicy.recordWork(since: time)
            // Before the result is out: its receiver may ask for the next access at once, and is to find a free slot and
            // a thread that is looking.
            let waiter: Waiter?
            let teardown: Teardown?
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

    /// The next job; or none, and whether to look for one without sleeping.
    private func takeWork(_ state: inout State) -> (Work?, spins: Bool) {
        if let work = takeReady(&state) { return (work, false) }
        state.idleThreadCount += 1
        guard !state.hasSpinner, state.busyThreadCount < SpinPolicy.processorCount, spinPolicy.idleSpinTime > 0 else {
            return (nil, false)
        }
        state.hasSpinner = true
        return (nil, true)
    }

    /// The next job; none if the pool is closed.
    private func waitForWork(spins: Bool) -> Work? {
        if spins {
            let end = MonotonicClock.now() + spinPolicy.idleSpinTime
            SpinPolicy.spin(until: end) { readyCount.load(ordering: .acquiring) > 0 }
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

    private func endIdle(_ state: inout State) -> Work? {
        state.idleThreadCount -= 1
        return takeReady(&state)
    }

    private func takeReady(_ state: inout State) -> Work? {
        guard let work = state.ready.popFirst() else { return nil }
        readyCount.subtract(1, ordering: .relaxed)
        return work
    }
}
