/// The elements of a sequence that another task iterates; ``watch(_:_:)`` provides it.
///
/// ```swift
/// try await watch(store.values(for: "key")) { values in
///     try expect(await values.next(), equals: nil, "the first value")
/// }
/// ```
public struct ObservedValues<Value: Sendable>: Sendable {
    fileprivate let values: AsyncThrowingStream<Value, any Error>

    /// Returns the next element, and waits for it; a time limit on the test ends an endless wait.
    ///
    /// - Throws: The error of the sequence; ``UnmetExpectation`` if the sequence ends.
    public func next() async throws -> Value {
        for try await value in values { return value }
        throw UnmetExpectation("the sequence ended before it was cancelled")
    }
}

/// Iterates `sequence` in a separate task while `body` runs, then cancels that task, and expects it to end.
///
/// Use it for promises about observation:
///
/// ```swift
/// ContractCheck("observing", "an observer receives each written value") { store in
///     try await watch(store.values(for: "key")) { values in
///         try expect(await values.next(), equals: nil, "the first value")
///         try await store.write("a", for: "key")
///         try expect(await values.next(), equals: "a", "the next value")
///     }
/// }
/// ```
///
/// - Throws: The errors of `body`; ``UnmetExpectation`` if the cancelled iteration throws.
public func watch<Value: Sendable>(
    _ sequence: some AsyncSequence<Value, any Error> & Sendable, _ body: (ObservedValues<Value>) async throws -> Void
) async throws {
    let (values, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            do {
                for try await value in sequence { continuation.yield(value) }
                continuation.finish()
            } catch {
                // Read first: the reader of the error may cancel the task immediately afterwards.
                let wasCancelled = Task.isCancelled
                continuation.finish(throwing: error)
                if wasCancelled { throw UnmetExpectation("a cancelled iteration threw \(error)") }
            }
        }
        try await body(ObservedValues(values: values))
        group.cancelAll()
        try await group.waitForAll()
    }
}
