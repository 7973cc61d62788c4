import ContractTesting
import TravelDomain

/// Expects `body` to throw exactly `expected`.
func expect(_ expected: TravelError, from what: String, _ body: () async throws -> some Sendable) async throws {
    try await ContractTesting.expect(expected, from: what, body)
}

/// Returns the value of `body` or, as a failure, the `TravelError` that it throws.
func outcome<Value>(_ body: () async throws -> Value) async throws -> Result<Value, TravelError> {
    try await outcome(throwing: TravelError.self, body)
}

extension Result {
    /// The error, if there is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
