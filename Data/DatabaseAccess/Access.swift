internal import Synchronization

/// A unit of work for a thread of a connection pool.
protocol Job: AnyObject, Sendable {
    /// Where the access was requested; nil if its duration is not recorded.
    var site: AccessSite? { get }
    /// Runs the work on a connection of the pool, or fails with the error of opening it.
    func run(on connection: Result<any PooledConnection, any Error>)
    /// Makes the result available to the requester.
    func publish()
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

    func run(on connection: Result<any PooledConnection, any Error>) {
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
    }

    func publish() {
        guard phase.load(ordering: .relaxed) == Phase.running else { return }
        deliver()
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

private enum Phase: UInt8, AtomicRepresentable {
    case queued, running, ended
}

private enum ResultState: UInt8, AtomicRepresentable {
    case pending, awaited, available
}
