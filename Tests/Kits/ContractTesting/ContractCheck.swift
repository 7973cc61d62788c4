import TestReporting

/// A test of one promise of a protocol, for any implementation.
///
/// A contract suite is a list of checks. Written once for a protocol, it tests which promises each implementation
/// keeps:
///
/// ```swift
/// enum KeyValueContract {
///     static let checks: [ContractCheck<any KeyValueStore>] = [
///         ContractCheck("reading", "reading returns the last written value") { store in
///             try await store.write("a", for: "key")
///             try await store.write("b", for: "key")
///             try expect(await store.read("key"), equals: "b", "the value")
///         },
///         ContractCheck("reading", "reading a key that was never written throws") { store in
///             try await expect(StoreError.notFound, from: "reading") { try await store.read("key") }
///         },
///     ]
/// }
/// ```
///
/// A check needs no test framework: it throws its failure. In Swift Testing,
///
/// ```swift
/// @Test(arguments: KeyValueContract.checks)
/// func keepsItsPromises(check: ContractCheck<any KeyValueStore>) async throws {
///     try await check.run { MemoryStore() }
/// }
/// ```
///
/// and in XCTest,
///
/// ```swift
/// func testKeepsItsPromises() async throws {
///     for check in KeyValueContract.checks {
///         try await check.run { MemoryStore() }
///     }
/// }
/// ```
///
/// To test a contract suite itself, run it on an implementation that breaks a promise, and inspect
/// the `violations(of:)` of its checks.
public struct ContractCheck<Subject: Sendable>: Sendable, Identifiable {
    /// The part of the contract, such as `"keyword"`.
    public let area: String
    /// The promise, such as `"% stands for itself"`; unique within its area.
    public let promise: String
    private let body: @Sendable (_ make: () async throws -> Subject) async throws -> Void

    /// Creates a check of one promise: `body` tests it on a new, empty implementation, and throws ``UnmetExpectation``,
    /// as `expect` does, if the promise is not kept.
    public init(_ area: String, _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.init(area, promise, repeating: { make in try await body(make()) })
    }

    /// Creates a check that may make several implementations, new and empty each time: to repeat a failed attempt with
    /// fewer steps.
    public init(
        _ area: String, _ promise: String,
        repeating body: @escaping @Sendable (_ make: () async throws -> Subject) async throws -> Void
    ) {
        self.area = area
        self.promise = promise
        self.body = body
    }

    /// An error of the `make` closure of the caller.
    private struct FailureToMake: Error {
        let error: any Error
    }

    /// The name of the check: `"keyword: % stands for itself"`.
    public var id: String { "\(area): \(promise)" }

    /// Checks the implementation that `make` returns, which must be new and empty.
    ///
    /// ```swift
    /// try await check.run { InMemoryTripRepository() }
    /// ```
    ///
    /// - Throws: ``ContractViolation`` if the promise is not kept, or the implementation throws an unexpected error;
    ///   `CancellationError` if the calling task is cancelled; the errors of `make`.
    public func run(_ make: @Sendable () async throws -> Subject) async throws {
        do {
            try await body {
                do { return try await make() } catch { throw FailureToMake(error: error) }
            }
        } catch let failure as FailureToMake {
            throw failure.error
        } catch let failure as UnmetExpectation {
            throw ContractViolation(check: id, message: failure.message)
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch {
            throw ContractViolation(check: id, message: "threw \(type(of: error)): \(error)")
        }
    }
}

extension ContractCheck {
    /// This check, on the part of a larger implementation: to put the contracts of all parts into one list.
    ///
    /// ```swift
    /// enum StoreContract {
    ///     static let checks: [ContractCheck<any Store>] =
    ///         KeyValueContract.checks.map { $0.on { store in store.values } } + ListContract.checks.map { $0.on(\.lists) }
    /// }
    /// ```
    public func on<Whole>(_ part: @escaping @Sendable (Whole) -> Subject) -> ContractCheck<Whole> {
        ContractCheck<Whole>(area, promise, repeating: { make in try await body { part(try await make()) } })
    }
}

extension ContractCheck: CustomStringConvertible {
    public var description: String { id }
}

extension Collection {
    /// Runs every check on a separate implementation, and reports each broken promise as a separate finding: a test
    /// that calls it shows all of them, while `run` stops at the first.
    ///
    /// - Throws: The errors of ``ContractCheck/run(_:)`` other than ``ContractViolation``.
    public func report<Subject>(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ make: @Sendable () async throws -> Subject
    ) async throws where Element == ContractCheck<Subject> {
        for violation in try await violations(of: make) {
            FindingReporter.current.report(
                Finding("\(violation)", fileID: fileID, filePath: filePath, line: line, column: column))
        }
    }
}

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

    public init(check: String, message: String) {
        self.check = check
        self.message = message
    }
}

extension ContractViolation: CustomStringConvertible {
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
