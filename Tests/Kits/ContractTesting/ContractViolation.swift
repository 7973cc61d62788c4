/// A promise that an implementation does not keep.
public struct ContractViolation: Error, Hashable, Sendable {
    /// The name of the check that found it, as ``ContractCheck/id`` says it.
    public let check: String
    /// What was expected and what happened instead.
    public let message: String

    /// A promise that is not kept, for tests of what handles violations.
    public init(check: String, message: String) {
        self.check = check
        self.message = message
    }
}

extension ContractViolation: CustomStringConvertible {
    /// The check and what it found.
    public var description: String { "\(check): \(message)" }
}

extension Collection {
    /// Runs every check on an implementation of its own, and returns the promises that are not kept, in order.
    ///
    /// ```swift
    /// let violations = try await KeyValueContract.checks.violations { MemoryStore() }
    /// ```
    public func violations<Subject>(
        of make: @Sendable () async throws -> Subject
    ) async throws -> [ContractViolation] where Element == ContractCheck<Subject> {
        var violations: [ContractViolation] = []
        for check in self {
            do {
                try await check.run(make)
            } catch let violation as ContractViolation {
                violations.append(violation)
            }
        }
        return violations
    }
}
