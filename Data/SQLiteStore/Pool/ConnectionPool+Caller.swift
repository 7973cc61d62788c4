// Accesses that run where the caller runs.
extension Lane {
    /// Runs `body` on the caller's executor, once there is a seat.
    func runHere<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let seat = if let seat = try takeSeat(orWait: nil) { seat } else { try await waitForSeat() }
        return try use(seat, body)
    }

    /// Runs `body` on the caller's thread, and blocks it until there is a seat.
    func runBlocking<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        if let seat = try takeSeat(orWait: nil) { return try use(seat, isCancellable: false, body) }
        let outcome = Outcome<Seat>()
        let waiter = Waiter.caller(id: nextWaiter(), take: outcome.fulfil)
        let seat = if let seat = try takeSeat(orWait: waiter) { seat } else { try outcome.wait() }
        return try use(seat, isCancellable: false, body)
    }

    func use<Value>(_ seat: Seat, isCancellable: Bool = true, _ body: (Connection) throws -> Value) throws -> Value {
        defer { giveBack(seat) }
        let connection = try seat.connection(open: open)
        connection.interruption.begin(isCancellable: isCancellable)
        defer { connection.interruption.end() }
        return try body(connection)
    }

    private func waitForSeat() async throws -> Seat {
        let id = nextWaiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter.caller(id: id) { continuation.resume(with: $0) }
                do {
                    if let seat = try takeSeat(orWait: waiter, isCancellable: true) {
                        continuation.resume(returning: seat)
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.removeFirst { if case .caller(id, _) = $0 { true } else { false } }
            }
            if case .caller(_, let take) = waiter { take(.failure(CancellationError())) }
        }
    }

    private func nextWaiter() -> UInt64 {
        state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
    }

    /// A seat if one is free; if not, `waiter` is given one later.
    private func takeSeat(orWait waiter: Waiter?, isCancellable: Bool = false) throws -> Seat? {
        try state.withLock { state in
            if state.isClosed { throw Database.closedError }
            let urgency = state.currentUrgency
            if let seat = state.takeSeat(urgency) { return seat }
            // Asked with the lock held, which whoever cancels takes next: either this sees it, or that finds the waiter.
            if isCancellable { try Task.checkCancellation() }
            if let waiter { state.waiters.append(waiter, urgency) }
            return nil
        }
    }
}
