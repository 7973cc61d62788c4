/// The values of a sequence that another task watches; handed out by ``watch(_:_:)``.
public struct Inbox<Value: Sendable>: Sendable {
    fileprivate let values: AsyncThrowingStream<Value, any Error>

    /// The next value that was watched. Waits for it; a time limit on the test ends a wait that has no end.
    ///
    /// - Throws: What the sequence throws; ``UnmetExpectation`` when it ends by itself.
    public func next() async throws -> Value {
        for try await value in values { return value }
        throw UnmetExpectation("the sequence ended by itself")
    }
}

/// Watches `sequence` in a task of its own while `body` runs, then cancels that task, and expects it to end.
///
/// For promises about what is observed:
///
/// ```swift
/// ContractCheck("observing", "whoever watches sees what is written") { store in
///     try await watch(store.values(for: "key")) { values in
///         try expect(await values.next(), equals: nil, "the first value")
///         try await store.write("a", for: "key")
///         try expect(await values.next(), equals: "a", "the next value")
///     }
/// }
/// ```
///
/// - Throws: What `body` throws; ``UnmetExpectation`` when the cancelled iteration throws.
public func watch<Value: Sendable>(
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
                if wasCancelled { throw UnmetExpectation("a cancelled iteration threw \(error)") }
            }
        }
        try await body(Inbox(values: values))
        group.cancelAll()
        try await group.waitForAll()
    }
}
