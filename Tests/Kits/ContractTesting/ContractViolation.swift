/// A promise that an implementation does not keep.
///
/// ```swift
/// let violations = try await KeyValueContract.checks.violations { ForgetfulStore() }
/// violations.map(\.check)    // the names of the promises that the store does not keep
/// ```
public struct ContractViolation: Error, Hashable, Sendable {
    /// The name of the check that failed, as in ``ContractCheck/id``.
    public let check: String
    /// The expected and the actual result.
    public let message: String

    /// Creates a violation, to test code that handles violations.
    public init(check: String, message: String) {
        self.check = check
        self.message = message
    }
}

extension ContractViolation: CustomStringConvertible {
    /// The check and its failure.
    public var description: String { "\(check): \(message)" }
}

extension Collection {
    /// Runs every check on a separate implementation, and returns the broken promises, in order. Throws what `make`
    /// throws.
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
