// Accesses that run on the caller's executor or thread.
extension ConnectionPool {
    /// Runs `body` on the caller's executor, when a slot is available.
    func runInline<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let slot = if let slot = try acquireSlot(orEnqueue: nil) { slot } else { try await waitForSlot() }
        return try use(slot, body)
    }

    /// Runs `body` on the caller's thread, and blocks the thread until a slot is available.
    func runBlocking<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        if let slot = try acquireSlot(orEnqueue: nil) { return try use(slot, isCancellable: false, body) }
        let outcome = BlockingPromise<Slot>()
        let waiter = Waiter.caller(id: nextWaiter(), take: outcome.fulfil)
        let slot = if let slot = try acquireSlot(orEnqueue: waiter) { slot } else { try outcome.wait() }
        return try use(slot, isCancellable: false, body)
    }

    func use<Value>(_ slot: Slot, isCancellable: Bool = true, _ body: (Connection) throws -> Value) throws -> Value {
        defer { release(slot) }
        let connection = try slot.connection(open: open)
        connection.interruption.begin(isCancellable: isCancellable)
        defer { connection.interruption.end() }
        return try body(connection)
    }

    private func waitForSlot() async throws -> Slot {
        let id = nextWaiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter.caller(id: id) { continuation.resume(with: $0) }
                do {
                    if let slot = try acquireSlot(orEnqueue: waiter, isCancellable: true) {
                        continuation.resume(returning: slot)
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

    /// Returns a free slot, or enqueues `waiter`, which then receives the next one.
    private func acquireSlot(orEnqueue waiter: Waiter?, isCancellable: Bool = false) throws -> Slot? {
        try state.withLock { state in
            if state.isClosed { throw Database.closedError }
            let priority = state.currentPriority
            if let slot = state.acquireSlot(priority) { return slot }
            // Checked under the lock that the cancellation handler acquires next: either this detects the cancellation,
            // or the handler finds the waiter.
            if isCancellable { try Task.checkCancellation() }
            if let waiter { state.waiters.append(waiter, priority) }
            return nil
        }
    }
}
