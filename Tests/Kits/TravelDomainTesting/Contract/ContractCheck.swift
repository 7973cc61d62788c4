/// One promise of a protocol, checked on one implementation of it.
///
/// A check needs no test framework: it throws what it found. In Swift Testing,
///
/// ```swift
/// @Test(arguments: TravelRepositoryContract.checks)
/// func keepsItsPromises(check: ContractCheck<any TravelRepository>) async throws {
///     try await check.run { MyTravelRepository() }
/// }
/// ```
///
/// and in XCTest,
///
/// ```swift
/// func testKeepsItsPromises() async throws {
///     for check in TravelRepositoryContract.checks {
///         try await check.run { MyTravelRepository() }
///     }
/// }
/// ```
public struct ContractCheck<Subject: Sendable>: Sendable, Identifiable {
    /// The part of the contract it belongs to, such as `"keyword"`.
    public let area: String
    /// What an implementation promises, such as `"% stands for itself"`; unique within its area.
    public let promise: String
    private let body: @Sendable (_ make: () async throws -> Subject) async throws -> Void

    init(_ area: String, _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.init(area, promise, repeating: { make in try await body(make()) })
    }

    /// A check that makes an implementation whenever it wants a new one: to try again, with less, what failed.
    init(
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
