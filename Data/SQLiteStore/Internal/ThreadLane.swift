/// Runs accesses on threads of their own, so that waiting for the disk or a lock occupies no thread of the caller's.
final class ThreadLane: Lane {
    private let queue: JobQueue

    init(connections: Int, open: @escaping @Sendable () throws -> Connection) {
        queue = JobQueue(threadLimit: connections, open: open)
    }

    func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        let ticket = Ticket<Value>()
        return try await withTaskCancellationHandler {
            // Using it makes the closure run where the caller runs, instead of on yet another thread.
            _ = isolation
            return try await withCheckedThrowingContinuation { continuation in
                guard ticket.wait(with: continuation) else {
                    return continuation.resume(throwing: CancellationError())
                }
                let isAdded = queue.add { connection in ticket.use(connection, body) }
                if !isAdded { ticket.fail(Database.closedError) }
            }
        } onCancel: {
            ticket.cancel()
        }
    }

    func runBlocking<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        let isAdded = queue.add { connection in
            outcome.fulfil(Result { try body(connection.get()) })
        }
        guard isAdded else { throw Database.closedError }
        return try outcome.wait()
    }

    func runIfConvenient(_ job: @escaping @Sendable (Connection) -> Void) {
        // A connection that cannot be opened, or a closed queue, are no convenience.
        _ = queue.add { connection in if case .success(let connection) = connection { job(connection) } }
    }

    func close(whenEnded: @escaping @Sendable () -> Void) {
        queue.close(whenEnded: whenEnded)
    }
}

/// One access, from the request to its result; whoever takes the continuation out of it resumes it.
private final class Ticket<Value: Sendable>: Sendable {
    private let state = Locked(State.new)

    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        case running(Interruption, access: UInt64)
        case ended
    }

    /// Puts the continuation in; false if the access was cancelled before.
    func wait(with continuation: CheckedContinuation<Value, any Error>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    /// Runs `body`, unless the access was cancelled meanwhile.
    func use(_ connection: Result<Connection, any Error>, _ body: (Connection) throws -> Value) {
        switch connection {
        case .failure(let error):
            fail(error)
        case .success(let connection):
            let interruption = connection.interruption
            let access = interruption.begin()
            let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
                guard case .waiting(let continuation) = state else { return nil }
                state = .running(interruption, access: access)
                return continuation
            }
            let result = continuation.map { _ in Result { try body(connection) } }
            interruption.end()
            state.withLock { $0 = .ended }
            if let continuation, let result { continuation.resume(with: result) }
        }
    }

    /// Ends an access that found no connection.
    func fail(_ error: any Error) {
        takeWaiting()?.resume(throwing: error)
    }

    /// Ends an access that waits at once, and interrupts one that runs.
    func cancel() {
        let running = state.withLock { state -> (Interruption, UInt64)? in
            switch state {
            case .running(let interruption, let access): return (interruption, access)
            case .new:
                state = .ended
                return nil
            case .waiting, .ended: return nil
            }
        }
        if let (interruption, access) = running { interruption.cancel(access) }
        takeWaiting()?.resume(throwing: CancellationError())
    }

    private func takeWaiting() -> CheckedContinuation<Value, any Error>? {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = .ended
            return continuation
        }
    }
}
