#if PostgreSQL
    internal import Synchronization

    /// A unit of work for a thread of a connection pool.
    protocol Job: AnyObject, Sendable {
        /// When the job no longer waits for a connection.
        var deadline: Deadline { get }
        /// Runs the work on the connection of a slot.
        func run(on slot: Slot)
        /// Makes the result available to the requester.
        func publish()
        /// Fails a job that no thread has begun.
        func fail(_ error: any Error)
    }

    /// An access that a thread of the pool runs, with its result.
    ///
    /// `@unchecked Sendable`: `outcome` is written only by the thread that moves `phase` on from `queued`, and read after
    /// `handoff` is `arrived`. The requester writes `continuation` before it changes `handoff`; the running thread writes
    /// `interruption` and `number` before it changes `phase`. Both changes publish these writes.
    final class Access<Value: Sendable>: Job, @unchecked Sendable {
        let deadline: Deadline
        private let body: @Sendable (Slot) throws -> Value
        private let completion: (@Sendable (Result<Value, any Error>) -> Void)?
        private let phase = Atomic(Phase.queued)
        private let handoff = Atomic(Handoff.open)
        private var interruption: Interruption?
        private var number: UInt64 = 0
        private var outcome: Result<Value, any Error>?
        private var continuation: UnsafeContinuation<Value, any Error>?

        /// Creates an access. Its result is requested with `resume`, or passed to `completion` on the running thread.
        init(
            deadline: Deadline, _ body: @escaping @Sendable (Slot) throws -> Value,
            completion: (@Sendable (Result<Value, any Error>) -> Void)? = nil
        ) {
            self.deadline = deadline
            self.body = body
            self.completion = completion
        }

        func run(on slot: Slot) {
            guard phase.load(ordering: .relaxed) == Phase.queued else { return }
            number = slot.interruption.begin()
            interruption = slot.interruption
            if transition(to: Phase.running) { outcome = Result { try body(slot) } }
            slot.interruption.end()
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
        func cancel() {
            fail(CancellationError())
            // If the access has ended in the meantime, its number no longer matches any access.
            if phase.load(ordering: .acquiring) == Phase.running { interruption?.cancel(number) }
        }

        /// Resumes `continuation` with the result, immediately or on arrival.
        func resume(_ continuation: UnsafeContinuation<Value, any Error>) {
            self.continuation = continuation
            let (isWaiting, _) = handoff.compareExchange(
                expected: Handoff.open, desired: Handoff.awaited, ordering: .acquiringAndReleasing)
            // The outcome is written before `handoff` changes to `arrived`.
            if !isWaiting { continuation.resume(with: outcome!) }
        }

        private func transition(to next: Phase) -> Bool {
            phase.compareExchange(expected: Phase.queued, desired: next, ordering: .acquiringAndReleasing).exchanged
        }

        private func deliver() {
            if let completion { return completion(outcome!) }
            if handoff.exchange(Handoff.arrived, ordering: .acquiringAndReleasing) == Handoff.awaited {
                continuation?.resume(with: outcome!)
            }
        }
    }

    private enum Phase: UInt8, AtomicRepresentable {
        case queued, running, ended
    }

    private enum Handoff: UInt8, AtomicRepresentable {
        case open, awaited, arrived
    }
#endif
