/// What a check throws when it does not find what was promised.
public struct UnmetExpectation: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected, and what happened instead.
    public let message: String

    /// An expectation that was not met.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

/// Expects a condition to hold.
///
/// - Throws: ``UnmetExpectation`` with the message when it does not.
public func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw UnmetExpectation(message()) }
}

/// Expects a value to be another.
///
/// - Throws: ``UnmetExpectation`` when it is not: `the title: expected "Jeju", got "Busan"`, where `what` is `"the title"`;
///   of values of many parts it names those that differ.
public func expect<Value: Equatable>(
    _ actual: Value, equals expected: Value, _ what: @autoclosure () -> String
) throws {
    guard actual == expected else {
        throw UnmetExpectation(mismatch(what(), actual, expected: expected))
    }
}

/// Expects `body` to throw exactly `expected`.
///
/// - Throws: ``UnmetExpectation`` when it throws another error of that type, or none; any other error as it is.
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

/// What `body` returns or, as a value, the error of that type that it throws: to compare an implementation with a model.
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

/// Expects `operation`, in a task that was cancelled before, to throw `CancellationError`.
///
/// - Throws: ``UnmetExpectation`` when it returns; what it throws instead.
public func expectCancellation(of what: String, _ operation: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                try await operation()
            } catch is CancellationError {
                return
            }
            throw UnmetExpectation("\(what) went on in a cancelled task")
        }
        try await group.waitForAll()
    }
}
