/// The values of a sequence that another task watches.
struct Inbox<Value: Sendable> {
    fileprivate let values: AsyncThrowingStream<Value, any Error>

    /// The next value that was watched.
    func next() async throws -> Value {
        for try await value in values { return value }
        throw UnmetExpectation(message: "the sequence ended by itself")
    }
}

/// Watches `sequence` in a task of its own while `body` runs, then cancels that task, and expects it to end.
func watch<Value: Sendable>(
    _ sequence: some AsyncSequence<Value, any Error> & Sendable, _ body: (Inbox<Value>) async throws -> Void
) async throws {
    let (values, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            do {
                for try await value in sequence { continuation.yield(value) }
                continuation.finish()
            } catch {
                // Asked first: who reads the error may cancel the watching right after.
                let wasCancelled = Task.isCancelled
                continuation.finish(throwing: error)
                if wasCancelled { throw UnmetExpectation(message: "a cancelled iteration threw \(error)") }
            }
        }
        try await body(Inbox(values: values))
        group.cancelAll()
        try await group.waitForAll()
    }
}
