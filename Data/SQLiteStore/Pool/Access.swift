internal import Synchronization

/// What a thread of a pool's does.
protocol Job: AnyObject, Sendable {
    /// Does it on a connection, or learns why there is none.
    func run(on connection: Result<Connection, any Error>)
    /// Lets whoever waits for the result go on.
    func publish()
}

/// One access by another thread, from the request to its result.
///
/// `@unchecked Sendable`: `outcome` is written by the one who moves `phase` on from `queued`, and read once `handoff` has
/// arrived; `continuation` is written by the requester before `handoff`, and `interruption` and `number` by the thread
/// before `phase`, which tell others that they are there.
final class Access<Value: Sendable>: Job, @unchecked Sendable {
    private let body: @Sendable (Connection) throws -> Value
    private let completion: (@Sendable (Result<Value, any Error>) -> Void)?
    private let phase = Atomic(Phase.queued)
    private let handoff = Atomic(Handoff.open)
    private var interruption: Interruption?
    private var number: UInt64 = 0
    private var outcome: Result<Value, any Error>?
    private var continuation: UnsafeContinuation<Value, any Error>?

    /// An access whose result is asked for, or passed to `completion` by the thread.
    init(
        _ body: @escaping @Sendable (Connection) throws -> Value,
        completion: (@Sendable (Result<Value, any Error>) -> Void)? = nil
    ) {
        self.body = body
        self.completion = completion
    }

    func run(on connection: Result<Connection, any Error>) {
        switch connection {
        case .failure(let error):
            if transition(to: Phase.running) { outcome = .failure(error) }
        case .success(let connection):
            let interruption = connection.interruption
            number = interruption.begin()
            self.interruption = interruption
            if transition(to: Phase.running) { outcome = Result { try body(connection) } }
            interruption.end()
        }
    }

    func publish() {
        guard phase.load(ordering: .relaxed) == Phase.running else { return }
        deliver()
    }

    /// Ends an access that nobody has taken up, with this error.
    func fail(_ error: any Error) {
        guard transition(to: Phase.ended) else { return }
        outcome = .failure(error)
        deliver()
    }

    /// Ends an access that waits at once, and interrupts one that runs.
    func cancel() {
        fail(CancellationError())
        // If it has ended meanwhile, the number belongs to no access any more.
        if phase.load(ordering: .acquiring) == Phase.running { interruption?.cancel(number) }
    }

    /// Whether the result arrives within so many nanoseconds.
    func arrives(within nanoseconds: Int) -> Bool {
        guard nanoseconds > 0 else { return false }
        SpinPolicy.spin(until: MonotonicClock.now() + nanoseconds) { hasArrived }
        return hasArrived
    }

    /// The result, once it has arrived.
    var result: Result<Value, any Error> {
        // It is written before it arrives.
        outcome!
    }

    /// Resumes `continuation` with the result, now or when it arrives.
    func resume(_ continuation: UnsafeContinuation<Value, any Error>) {
        self.continuation = continuation
        let (isWaiting, _) = handoff.compareExchange(
            expected: Handoff.open, desired: Handoff.awaited, ordering: .acquiringAndReleasing)
        if !isWaiting { continuation.resume(with: result) }
    }

    private var hasArrived: Bool {
        handoff.load(ordering: .acquiring) == Handoff.arrived
    }

    private func transition(to next: Phase) -> Bool {
        phase.compareExchange(expected: Phase.queued, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    private func deliver() {
        if let completion { return completion(result) }
        if handoff.exchange(Handoff.arrived, ordering: .acquiringAndReleasing) == Handoff.awaited {
            continuation?.resume(with: result)
        }
    }
}

private enum Phase: UInt8, AtomicRepresentable {
    case queued, running, ended
}

private enum Handoff: UInt8, AtomicRepresentable {
    case open, awaited, arrived
}
