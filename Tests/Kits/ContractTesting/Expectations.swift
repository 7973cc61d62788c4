/// The error of a check whose expectation is not met.
///
/// ```swift
/// try expect(1 + 1 == 3, "1 + 1 is \(1 + 1)")    // throws UnmetExpectation, with that text
/// ```
public struct UnmetExpectation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expected and the actual result.
    public let message: String

    /// Creates an error with a message, which the violation of the contract repeats.
    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}

/// Expects a condition to hold.
///
/// ```swift
/// try expect(titles.count == 2, "expected 2 titles, got \(titles)")
/// ```
///
/// - Throws: ``UnmetExpectation`` with the message if it does not.
public func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw UnmetExpectation(message()) }
}

/// Expects two values to be equal.
///
/// ```swift
/// try expect(await store.read("key"), equals: "a", "the stored value")
/// ```
///
/// - Throws: ``UnmetExpectation`` if they are not: `the title: expected "Jeju", got "Busan"`, where `what` is `"the
///   title"`; for values with several parts, the message lists the parts that differ.
public func expect<Value: Equatable>(
    _ actual: Value, equals expected: Value, _ what: @autoclosure () -> String
) throws {
    guard actual == expected else {
        throw UnmetExpectation(mismatch(what(), actual, expected: expected))
    }
}

/// Expects `body` to throw exactly `expected`.
///
/// ```swift
/// try await expect(StoreError.notFound, from: "reading a removed key") { try await store.read("removed") }
/// ```
///
/// - Throws: ``UnmetExpectation`` if it throws another error of that type, or none; any other error unchanged.
public func expect<Failure: Error & Equatable>(
    _ expected: Failure, from what: String, _ body: () async throws -> some Sendable
) async throws {
    do {
        _ = try await body()
    } catch let error as Failure {
        return try expect(error, equals: expected, "the error of \(what)")
    }
    throw UnmetExpectation("\(what) should have thrown \(sourceText(expected))")
}

/// The result of `body`, or its error of that type as a value: to compare an implementation with a model.
///
/// ```swift
/// let expected = try await outcome(throwing: StoreError.self) { try model.read("key") }
/// let actual = try await outcome(throwing: StoreError.self) { try await store.read("key") }
/// try expect(actual, equals: expected, "reading")
/// ```
///
/// - Throws: Errors of other types.
public func outcome<Value, Failure: Error>(
    throwing type: Failure.Type, _ body: () async throws -> Value
) async throws -> Result<Value, Failure> {
    do {
        return .success(try await body())
    } catch let error as Failure {
        return .failure(error)
    }
}

/// Expects `operation`, in a task that is already cancelled, to throw `CancellationError`.
///
/// ```swift
/// try await expectCancellation(of: "reading") { _ = try await store.read("key") }
/// ```
///
/// - Throws: ``UnmetExpectation`` if it returns; any other error that it throws.
public func expectCancellation(of what: String, _ operation: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                try await operation()
            } catch is CancellationError {
                return
            }
            throw UnmetExpectation("\(what) did not stop in a cancelled task")
        }
        try await group.waitForAll()
    }
}

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
