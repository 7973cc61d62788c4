internal import Synchronization

/// A unit of work for a thread of a connection pool.
protocol Job: AnyObject, Sendable {
    /// Where the access was requested; nil if its duration is not recorded.
    var site: AccessSite? { get }
    /// Runs the work on a connection of the pool, or fails with the error of opening it. Calls `release` when the
    /// connection is no longer needed, and then makes the result available to the requester: it may immediately request
    /// another access, and should find a free connection.
    func run(on connection: Result<any PooledConnection, any Error>, release: () -> Void)
    /// Fails a job that no thread has begun.
    func fail(_ error: any Error)
}

/// An access that a thread of the pool runs, with its result.
///
/// `@unchecked Sendable`: `outcome` is written only by the thread that moves `phase` on from `queued`, and read after
/// `resultState` is `available`. The requester writes `continuation` before it changes `resultState`; the running
/// thread writes `interruption` and `number` before it changes `phase`. Both changes publish these writes.
package final class Access<Value: Sendable>: Job, @unchecked Sendable {
    let site: AccessSite?
    private let body: @Sendable (any PooledConnection) throws -> Value
    private let completion: (@Sendable (Result<Value, any Error>) -> Void)?
    private let phase = Atomic(Phase.queued)
    private let resultState = Atomic(ResultState.pending)
    private var interruption: (any Interruptible)?
    private var number: UInt64 = 0
    private var outcome: Result<Value, any Error>?
    private var continuation: UnsafeContinuation<Value, any Error>?
    /// Whether the requester is suspended until the result arrives. Only the requester reads and writes it.
    private(set) var isAwaited = false

    /// Creates an access. Its result is requested with `resume`, or passed to `completion` on the running thread.
    init(
        at site: AccessSite? = nil, _ body: @escaping @Sendable (any PooledConnection) throws -> Value,
        completion: (@Sendable (Result<Value, any Error>) -> Void)? = nil
    ) {
        self.site = site
        self.body = body
        self.completion = completion
    }

    func run(on connection: Result<any PooledConnection, any Error>, release: () -> Void) {
        switch connection {
        case .failure(let error):
            if transition(to: Phase.running) { outcome = .failure(error) }
        case .success(let connection):
            let interruption = connection.cancellation
            number = interruption.begin(.onThread)
            self.interruption = interruption
            if transition(to: Phase.running) { outcome = Result { try body(connection) } }
            interruption.end()
        }
        release()
        if phase.load(ordering: .relaxed) == Phase.running { deliver() }
    }

    func fail(_ error: any Error) {
        guard transition(to: Phase.ended) else { return }
        outcome = .failure(error)
        deliver()
    }

    /// Fails an access that is still waiting, and interrupts a running one.
    package func cancel() {
        fail(CancellationError())
        // If the access has ended in the meantime, its number no longer matches any access.
        if phase.load(ordering: .acquiring) == Phase.running { interruption?.cancel(number) }
    }

    func resume(_ continuation: UnsafeContinuation<Value, any Error>) {
        self.continuation = continuation
        isAwaited = true
        let (isWaiting, _) = resultState.compareExchange(
            expected: ResultState.pending, desired: ResultState.awaited, ordering: .acquiringAndReleasing)
        guard !isWaiting else { return }
        isAwaited = false
        continuation.resume(with: result)
    }

    private var result: Result<Value, any Error> {
        // The outcome is written before `resultState` changes to `available`.
        outcome!
    }

    private func transition(to next: Phase) -> Bool {
        phase.compareExchange(expected: Phase.queued, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    private func deliver() {
        if let completion { return completion(result) }
        if resultState.exchange(ResultState.available, ordering: .acquiringAndReleasing) == ResultState.awaited {
            ThreadTurn.beginWait()
            continuation?.resume(with: result)
        }
    }
}

/// A short access that waits for a connection, and runs in its own task on the thread that has one.
///
/// Therefore it sees the task-local values and the cancellation of its task, whichever thread that is:
///
/// 1. The task switches to this actor. As its executor, `enqueue` stores the job that continues the task, and adds the
///    access to the queue of the pool.
/// 2. The thread that acquires a slot for the access runs the job: the task uses the connection, and calls `release`.
/// 3. Only then does the task leave the actor, with its result. It continues on its own executor: the runtime lets no job
///    of a serial executor switch to another one on the same thread.
///
/// If the access must wait for a lock on the thread of another one, it passes its slot to a thread of the pool, and the task
/// leaves without a release: with the slot, it could not give it back before its own executor runs it. If the access fails
/// while it waits, its job runs on a thread of the system, without a slot.
///
/// `nonisolated(unsafe)`: the requester writes `job` before it moves `phase` on from `created`. Then only the thread that
/// moves `phase` on from `queued` uses these properties, and the task within the job on this thread. Each change of `phase`
/// publishes the writes before it.
actor WaitingAccess: SerialExecutor, Job {
    nonisolated let site: AccessSite?
    private nonisolated let pool: ConnectionPool
    private nonisolated let phase = Atomic(Phase.created)
    nonisolated(unsafe) private var job: UnownedJob?
    nonisolated(unsafe) private var connection: Result<any PooledConnection, any Error>?
    nonisolated(unsafe) private var release: (() -> Void)?
    /// The slot of an access on the thread of another one.
    nonisolated(unsafe) private var keptSlot: PoolSlot?

    enum Outcome<Value: Sendable>: Sendable {
        case value(Value)
        /// The access must wait for a lock: a thread of the pool runs it again.
        case onThread(Access<Value>)
    }

    init(at site: AccessSite?, of pool: ConnectionPool) {
        (self.site, self.pool) = (site, pool)
    }

    /// Runs `body` when a connection is available. Called once; the caller calls `ThreadTurn.endWait` afterwards.
    func outcome<Value: Sendable>(
        of body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) throws -> Outcome<Value> {
        // Comes after the last use of the connection: a pool that closes must be the only one to hold it.
        defer {
            release.take()?()
            // The task is about to wait for a thread of its executor.
            ThreadTurn.beginWait()
        }
        do {
            let connection = try keptSlot?.opened ?? connection.take()!.get()
            let cancellation = connection.cancellation
            _ = cancellation.begin(keptSlot == nil ? .inTask : .shortInTask)
            defer { cancellation.end() }
            return .value(try body(connection))
        } catch let error as MustWait {
            guard let keptSlot else { throw error }
            release = nil
            let access = Access(at: site, body)
            pool.dispatch(access, keptSlot)
            return .onThread(access)
        }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    /// Called once, by the task that calls `value`.
    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let priority = TaskPriority(rawValue: job.priority.rawValue)
        self.job = UnownedJob(job)
        // Once `phase` is `queued`, another thread may run the job and release this object: from then on, the queue keeps it.
        var isQueued = false
        do {
            try pool.add(self, priority) { isQueued = transition(from: .created, to: .queued) }
            if !isQueued { end(throwing: CancellationError()) }
        } catch {
            end(throwing: error)
        }
    }

    /// Whether the thread of another access may run this one.
    nonisolated var isShort: Bool { site.map(pool.areShort) ?? true }

    /// Runs the work on the thread of another access, on an open connection. Does not call `release` if it would have to
    /// wait for a lock.
    nonisolated func run(on slot: PoolSlot, release: () -> Void) {
        guard transition(from: .queued, to: .running) else { return release() }
        keptSlot = slot
        resume(release)
    }

    nonisolated func run(on connection: Result<any PooledConnection, any Error>, release: () -> Void) {
        guard transition(from: .queued, to: .running) else { return release() }
        self.connection = connection
        resume(release)
    }

    nonisolated func fail(_ error: any Error) {
        if transition(from: .queued, to: .ended) { end(throwing: error) }
    }

    /// Fails an access that is still waiting. A running one reads the cancellation of its task.
    nonisolated func cancel() {
        if !transition(from: .created, to: .ended) { fail(CancellationError()) }
    }

    /// Runs the job on another thread: the current one may be cancelling the task, or suspending it.
    private nonisolated func end(throwing error: any Error) {
        Task.detached {
            self.connection = .failure(error)
            self.resume {}
        }
    }

    private nonisolated func resume(_ release: () -> Void) {
        withoutActuallyEscaping(release) { release in
            self.release = release
            job?.runSynchronously(on: unownedExecutor)
        }
    }

    private nonisolated func transition(from phase: Phase, to next: Phase) -> Bool {
        self.phase.compareExchange(expected: phase, desired: next, ordering: .acquiringAndReleasing).exchanged
    }
}

private enum Phase: UInt8, AtomicRepresentable {
    case created, queued, running, ended
}

private enum ResultState: UInt8, AtomicRepresentable {
    case pending, awaited, available
}
