// Accesses that run on the caller's executor or thread.
extension ConnectionPool {
    /// Runs `body` on the caller's executor, when a slot is available.
    func runInline<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let slot = if let slot = try acquireSlot(orEnqueue: nil) { slot } else { try await waitForSlot() }
        return try use(slot, body)
    }

    /// Runs `body` on the caller's thread, and blocks the thread until a slot is available.
    package func runBlocking<Value>(_ body: (any PooledConnection) throws -> Value) throws -> Value {
        if let slot = try acquireSlot(orEnqueue: nil) { return try use(slot, isCancellable: false, body) }
        let outcome = BlockingPromise<PoolSlot>()
        let waiter = PoolState.Waiter.caller(id: nextWaiter()) { outcome.fulfil($0) }
        let slot = if let slot = try acquireSlot(orEnqueue: waiter) { slot } else { try outcome.wait() }
        return try use(slot, isCancellable: false, body)
    }

    private func use<Value>(
        _ slot: PoolSlot, isCancellable: Bool = true, _ body: (any PooledConnection) throws -> Value
    ) throws -> Value {
        defer { release(slot) }
        let connection = try connection(of: slot)
        let cancellation = connection.cancellation
        _ = cancellation.begin(isCancellable: isCancellable)
        defer { cancellation.end() }
        return try body(connection)
    }

    private func waitForSlot() async throws -> PoolSlot {
        let id = nextWaiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = PoolState.Waiter.caller(id: id) { continuation.resume(with: $0) }
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
    private func acquireSlot(orEnqueue waiter: PoolState.Waiter?, isCancellable: Bool = false) throws -> PoolSlot? {
        let (slot, startsTimer) = try state.withLock { state -> (PoolSlot?, Bool) in
            if state.isClosed { throw error(.closed) }
            let priority = state.currentPriority
            if let slot = state.acquireSlot(priority) { return (slot, false) }
            // Checked under the lock that the cancellation handler acquires next: either this detects the cancellation,
            // or the handler finds the waiter.
            if isCancellable { try Task.checkCancellation() }
            return (nil, waiter.map { state.enqueue($0, priority) } ?? false)
        }
        if startsTimer { startLeaseTimer() }
        return slot
    }
}
