internal import TravelDataShared

/// A lock that suspends waiting tasks instead of blocking their threads, and may be held across suspension points.
/// Tasks acquire it in the order in which they ask for it.
package actor AsyncMutex {
    private var isLocked = false
    private var waiting: [(number: Int, grant: AsyncStream<Never>.Continuation)] = []
    private var nextNumber = 0

    package init() {}

    /// Calls `body` while no other task holds the lock, and returns its result.
    ///
    /// - Throws: The errors of `body`; `CancellationError` when the task is cancelled while it waits. `body` is not
    ///   called then.
    package nonisolated func withLock<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await lock()
        return try await closing({ await unlock() }, body)
    }

    private func lock() async throws {
        guard isLocked else {
            isLocked = true
            return
        }
        let (granted, grant) = AsyncStream<Never>.makeStream()
        let number = nextNumber
        nextNumber += 1
        waiting.append((number, grant))
        // Ends when the lock is passed on to this task, and when the task is cancelled.
        for await _ in granted {}
        if let index = waiting.firstIndex(where: { $0.number == number }) {
            waiting.remove(at: index)
            throw CancellationError()
        }
        if Task.isCancelled {
            unlock()
            throw CancellationError()
        }
    }

    /// Passes the lock on to the task that has waited longest, or releases it.
    private func unlock() {
        if waiting.isEmpty {
            isLocked = false
        } else {
            waiting.removeFirst().grant.finish()
        }
    }
}
