#if PostgreSQL
    internal import Dispatch

    /// A bounded pool of connections, each with a thread of its own, and the queue of accesses that wait for them in order
    /// of arrival.
    final class ConnectionPool: Sendable {
        private let opener: ConnectionOpener
        private let connectionLimit: Int
        private let leaseTimeout: Duration
        private let state = Mutex(State())
        /// Signalled when a thread of the pool has work.
        private let condition = ConditionVariable()

        fileprivate struct State {
            var queue = Queue<any Job>()
            var threadCount = 0
            /// The number of threads without a job.
            var idleThreadCount = 0
            var isClosed = false
            /// Called when the last connection has closed.
            var closeHandlers: [@Sendable () -> Void] = []
            /// Whether a timer looks for accesses that have waited too long.
            var hasTimer = false
        }

        init(opener: ConnectionOpener) {
            self.opener = opener
            connectionLimit = max(opener.configuration.connectionCount, 1)
            leaseTimeout = opener.configuration.leaseTimeout
        }

        /// Runs `body` on a thread of the pool. Passing the caller's isolation avoids a change of thread.
        func run<Value: Sendable>(
            isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Slot) throws -> Value
        ) async throws -> Value {
            let access = access(body)
            return try await withTaskCancellationHandler {
                // Capturing the isolation makes the closure run on the caller's executor instead of another thread.
                _ = isolation
                try add(access)
                return try await withUnsafeThrowingContinuation { access.resume($0) }
            } onCancel: {
                access.cancel()
            }
        }

        /// Runs `body` on a thread of the pool, and blocks the calling thread until it has ended.
        func runBlocking<Value: Sendable>(_ body: @escaping @Sendable (Slot) throws -> Value) throws -> Value {
            let promise = BlockingPromise<Value>()
            try add(access(body) { promise.fulfil($0) })
            return try promise.wait()
        }

        /// Creates an access that waits for a connection at most for the lease timeout.
        func access<Value>(
            _ body: @escaping @Sendable (Slot) throws -> Value,
            completion: (@Sendable (Result<Value, any Error>) -> Void)? = nil
        ) -> Access<Value> {
            Access(deadline: Deadline(after: leaseTimeout), body, completion: completion)
        }

        /// Enqueues a job.
        func add(_ job: any Job) throws {
            let (starts, needsTimer) = try state.withLock { state -> (Bool, Bool) in
                if state.isClosed { throw Database.closedError }
                state.queue.append(job)
                if state.queue.count <= state.idleThreadCount { return (false, false) }
                if state.threadCount < connectionLimit {
                    state.threadCount += 1
                    return (true, false)
                }
                defer { state.hasTimer = true }
                return (false, !state.hasTimer)
            }
            if starts { startWorker() } else { condition.signal() }
            if needsTimer { setTimer(for: job.deadline) }
        }

        /// The number of accesses that wait for a connection.
        var waiterCount: Int { state.withLock { $0.queue.count } }

        var isClosed: Bool { state.withLock { $0.isClosed } }

        /// Rejects new accesses, lets running and waiting ones end, and closes the connections. Closing again only calls
        /// `completion` after the end.
        func close(completion: @escaping @Sendable () -> Void) {
            let handlers = state.withLock { state in
                state.isClosed = true
                state.closeHandlers.append(completion)
                return state.takeCloseHandlers()
            }
            condition.broadcast()
            for handler in handlers { handler() }
        }

        // MARK: Threads

        private func startWorker() {
            let code = startThread { [self] in runWorker() }
            guard code != 0 else { return }
            // The jobs are left to other threads; without one they fail.
            let stranded = state.withLock { state in
                state.threadCount -= 1
                var stranded: [any Job] = []
                while state.threadCount == 0, let job = state.queue.popFirst() { stranded.append(job) }
                return stranded
            }
            let error = PostgreSQLError(
                .cannotConnect, "the system cannot start a thread for a connection (error \(code))")
            for job in stranded { job.fail(error) }
        }

        private func runWorker() {
            let (number, firstJob) = state.withLock { state in (state.threadCount, state.takeJob()) }
            let slot = Slot(opener: opener, number: number)
            var job = firstJob
            while true {
                if job == nil {
                    job = state.withLock(after: condition, while: { $0.queue.isEmpty && !$0.isClosed }) { state in
                        state.idleThreadCount -= 1
                        return state.queue.popFirst()
                    }
                }
                guard let current = job else { break }
                current.run(on: slot)
                // Before the result is published: its receiver may immediately request another access, and should find an
                // idle thread.
                job = state.withLock { state in state.takeJob() }
                current.publish()
            }
            slot.close()
            let handlers = state.withLock { state in
                state.threadCount -= 1
                return state.takeCloseHandlers()
            }
            for handler in handlers { handler() }
        }

        // MARK: The lease timeout

        /// All accesses wait equally long, so that the first in the queue is the first to exceed its time.
        private func setTimer(for deadline: Deadline) {
            guard let time = deadline.nanoseconds else { return }
            let rest = max(time - MonotonicClock.now(), 0)
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(rest)) { [weak self] in
                self?.failOverdueJobs()
            }
        }

        private func failOverdueJobs() {
            let (overdue, next) = state.withLock { state -> ([any Job], Deadline?) in
                var overdue: [any Job] = []
                while let first = state.queue.first, first.deadline.hasPassed {
                    overdue.append(first)
                    _ = state.queue.popFirst()
                }
                let next = state.queue.first?.deadline
                state.hasTimer = next != nil
                return (overdue, next)
            }
            let error = PostgreSQLError(
                .leaseTimeout,
                "no connection became free within \(leaseTimeout): shorten the accesses, or raise the limits")
            for job in overdue { job.fail(error) }
            if let next { setTimer(for: next) }
        }
    }

    extension ConnectionPool.State {
        /// Returns the next job; without one, the thread becomes idle.
        fileprivate mutating func takeJob() -> (any Job)? {
            if let job = queue.popFirst() { return job }
            idleThreadCount += 1
            return nil
        }

        /// Returns the handlers once everything has ended.
        fileprivate mutating func takeCloseHandlers() -> [@Sendable () -> Void] {
            guard isClosed, threadCount == 0 else { return [] }
            defer { closeHandlers = [] }
            return closeHandlers
        }
    }
#endif
