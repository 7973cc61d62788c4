internal import Synchronization

// Accesses that run on threads of the lane's own, so that waiting for the disk or a lock occupies none of the caller's.
extension Lane {
    /// Runs `body` on a thread of the lane's.
    func runOnThread<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        let access = Access(body)
        return try await withTaskCancellationHandler {
            // Using it makes the closure run where the caller runs, instead of on yet another thread.
            _ = isolation
            if try add(access), access.arrives(within: pace.patience) { return try access.result.get() }
            return try await withUnsafeThrowingContinuation { access.resume($0) }
        } onCancel: {
            access.cancel()
        }
    }

    /// Has a thread do `job` once there is a seat for it; whether a thread is taking it up this very moment.
    @discardableResult
    func add(_ job: any Job) throws -> Bool {
        let wake = try state.withLock { state -> Wake? in
            if state.isClosed { throw Database.closedError }
            let urgency = state.currentUrgency
            guard let seat = state.takeSeat(urgency) else {
                state.waiters.append(.job(job), urgency)
                return nil
            }
            return makeReady(job, seat, &state)
        }
        guard let wake else { return false }
        perform(wake)
        if case .spinner(isAlone: true) = wake { return true } else { return false }
    }

    /// Has a thread do `job`.
    func hand(_ job: any Job, _ seat: Seat) {
        perform(state.withLock { state in makeReady(job, seat, &state) })
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

    private func makeReady(_ job: any Job, _ seat: Seat, _ state: inout State) -> Wake {
        state.ready.append((job, seat))
        pace.noteGap(since: state.lastIdling)
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
            let code = startThread { [self] in serve() }
            if code != 0 { threadIsMissing(code) }
        }
    }

    /// The jobs are left to the other threads; if there are none, they fail.
    private func threadIsMissing(_ code: Int32) {
        let stranded = state.withLock { state in
            state.threadCount -= 1
            var stranded: [Work] = []
            while state.threadCount == 0, let next = takeReady(&state) { stranded.append(next) }
            return stranded
        }
        let error = SQLiteError(.cannotOpen, "the system has no thread left for a connection (error \(code))")
        for (job, seat) in stranded {
            job.run(on: .failure(error))
            job.publish()
            giveBack(seat)
        }
    }
}

extension Lane.State {
    /// Whether the threads at work leave a processor to one that works and one that looks on.
    fileprivate var hasRoomForSpinning: Bool { busyThreadCount + 2 <= Pace.processorCount }
}

// What a thread does.
extension Lane {
    private typealias Work = (job: any Job, seat: Seat)

    private func serve() {
        var (work, spins) = state.withLock { state in takeWork(&state) }
        var time = Pace.now()
        while true {
            if work == nil {
                work = waitForWork(spins: spins)
                time = Pace.now()
            }
            guard let (job, seat) = work else { break }
            job.run(on: Result { try seat.connection(open: open) })
            time = pace.noteWork(since: time)
            // Before the result is out: its receiver may ask for the next access at once, and is to find a free seat and
            // a thread that is looking.
            let waiter: Waiter?
            let end: End?
            (waiter, work, spins, end) = state.withLock { state in
                let waiter = state.giveBack(seat)
                if case .job(let job) = waiter { return (nil, (job, seat), false, nil) }
                state.lastIdling = time
                let (work, spins) = takeWork(&state)
                return (waiter, work, spins, state.takeSuspension())
            }
            job.publish()
            end?.run()
            if case .caller(_, let take) = waiter { take(.success(seat)) }
        }
        let end = state.withLock { state in
            state.threadCount -= 1
            return state.takeEnd()
        }
        end?.run()
    }

    /// The next job; or none, and whether to look for one without sleeping.
    private func takeWork(_ state: inout State) -> (Work?, spins: Bool) {
        if let work = takeReady(&state) { return (work, false) }
        state.idleThreadCount += 1
        guard !state.hasSpinner, state.busyThreadCount < Pace.processorCount, pace.persistence > 0 else {
            return (nil, false)
        }
        state.hasSpinner = true
        return (nil, true)
    }

    /// The next job; none if the lane is closed.
    private func waitForWork(spins: Bool) -> Work? {
        if spins {
            let end = Pace.now() + pace.persistence
            Pace.spin(until: end) { readyCount.load(ordering: .acquiring) > 0 }
            let work = state.withLock { state -> Work? in
                state.hasSpinner = false
                return state.ready.isEmpty ? nil : endIdling(&state)
            }
            if let work { return work }
        }
        return state.withLock(after: condition, while: { $0.ready.isEmpty && !$0.isClosed }) { state in
            endIdling(&state)
        }
    }

    private func endIdling(_ state: inout State) -> Work? {
        state.idleThreadCount -= 1
        return takeReady(&state)
    }

    private func takeReady(_ state: inout State) -> Work? {
        guard let work = state.ready.popFirst() else { return nil }
        readyCount.subtract(1, ordering: .relaxed)
        return work
    }
}
