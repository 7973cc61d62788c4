import TravelDomain

/// What a check throws when it does not find what was promised.
struct UnmetExpectation: Error {
    let message: String
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw UnmetExpectation(message: message()) }
}

func expect<Value: Equatable>(_ actual: Value, equals expected: Value, _ what: @autoclosure () -> String) throws {
    guard actual == expected else {
        throw UnmetExpectation(message: mismatch(what(), actual, expected: expected))
    }
}

/// Expects `body` to throw exactly `expected`.
func expect(
    _ expected: TravelError, from what: String, _ body: () async throws -> some Sendable
) async throws {
    do {
        _ = try await body()
    } catch let error as TravelError {
        return try expect(error, equals: expected, "the error of \(what)")
    }
    throw UnmetExpectation(message: "\(what) should have thrown \(sourceText(expected))")
}

/// What `body` returns or, as a value, the domain's error that it throws.
func outcome<Value>(_ body: () async throws -> Value) async throws -> Result<Value, TravelError> {
    do {
        return .success(try await body())
    } catch let error as TravelError {
        return .failure(error)
    }
}

/// Expects `operation`, in a task that was cancelled before, to throw `CancellationError`.
func expectCancellation(of what: String, _ operation: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                try await operation()
            } catch is CancellationError {
                return
            }
            throw UnmetExpectation(message: "\(what) went on in a cancelled task")
        }
        try await group.waitForAll()
    }
}
