import TestReporting

/// One promise of a protocol, checked on one implementation of it.
///
/// A contract suite is a list of checks. Written once for a protocol, it says of each implementation which promises it
/// keeps:
///
/// ```swift
/// enum KeyValueContract {
///     static let checks: [ContractCheck<any KeyValueStore>] = [
///         ContractCheck("reading", "what was written last is read") { store in
///             try await store.write("a", for: "key")
///             try await store.write("b", for: "key")
///             try expect(await store.read("key"), equals: "b", "the value")
///         },
///         ContractCheck("reading", "a key that was never written is refused") { store in
///             try await expect(StoreError.notFound, from: "reading") { try await store.read("key") }
///         },
///     ]
/// }
/// ```
///
/// A check needs no test framework: it throws what it found. In Swift Testing,
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
/// To test a contract suite itself, give it an implementation that breaks a promise, and look at
/// ``Swift/Collection/violations(of:)``.
public struct ContractCheck<Subject: Sendable>: Sendable, Identifiable {
    /// The part of the contract it belongs to, such as `"keyword"`.
    public let area: String
    /// What an implementation promises, such as `"% stands for itself"`; unique within its area.
    public let promise: String
    private let body: @Sendable (_ make: () async throws -> Subject) async throws -> Void

    /// A check of one promise.
    ///
    /// - Parameters:
    ///   - area: The part of the contract it belongs to.
    ///   - promise: What an implementation promises, in words.
    ///   - body: Tries it on a new, empty implementation. It throws ``UnmetExpectation``, as `expect` does, when the
    ///     promise is not kept.
    public init(_ area: String, _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.init(area, promise, repeating: { make in try await body(make()) })
    }

    /// A check that makes an implementation whenever it wants a new one: to try again, with less, what failed.
    ///
    /// - Parameters:
    ///   - area: The part of the contract it belongs to.
    ///   - promise: What an implementation promises, in words.
    ///   - body: Tries it on implementations that `make` returns, new and empty each time. It throws ``UnmetExpectation``
    ///     when the promise is not kept.
    public init(
        _ area: String, _ promise: String,
        repeating body: @escaping @Sendable (_ make: () async throws -> Subject) async throws -> Void
    ) {
        self.area = area
        self.promise = promise
        self.body = body
    }

    /// What the caller's own function threw.
    private struct FailureToMake: Error {
        let error: any Error
    }

    /// The name of the check: `"keyword: % stands for itself"`.
    public var id: String { "\(area): \(promise)" }

    /// Checks the implementation that `make` returns, which must be new and empty.
    ///
    /// - Throws: ``ContractViolation`` when the promise is not kept, an unexpected error of the implementation
    ///   included; `CancellationError` when the calling task was cancelled; what `make` throws.
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

extension ContractCheck: CustomStringConvertible {
    /// The name of the check.
    public var description: String { id }
}

extension Collection {
    /// Runs every check on an implementation of its own, and reports each promise that is not kept as a finding of its
    /// own: a test that calls it tells all of them at once, where `run` stops at the first.
    ///
    /// - Throws: What ``ContractCheck/run(_:)`` throws besides ``ContractViolation``.
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
