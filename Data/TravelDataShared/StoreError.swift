public import TravelDomain

/// An error of a database that the domain knows as an outage.
public protocol StoreError: Error {
    /// The reason in the words of the travel log, without stored values.
    var outage: TravelError.Outage { get }
}

extension TravelError.Outage {
    package static let newerVersion = Self(
        "The travel database was written by a newer version: update this program.", cause: .newerVersion,
        canRetry: false)

    package static let earlierVersion = Self(
        "The travel database was written before version 0.1: export its trips as JSON with the program that wrote it, and "
            + "import them into a new one.", cause: .earlierVersion, canRetry: false)

    package static let invalidValues = Self(
        "The travel database contains invalid values.", cause: .damaged, canRetry: false)
}

// These functions are public, not `package`: only then does the compiler specialize them in the stores.

/// Calls `body`, and throws `TravelError.unavailable` for errors of the database; other errors pass through.
@inlinable
public func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as any StoreError {
        throw TravelError.unavailable(error.outage)
    }
}

/// Calls `body` to create domain values from values that the schema has already checked.
///
/// - Throws: `TravelError.unavailable` when a value breaks a rule of the domain nevertheless.
@inlinable
public func readingValues<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch TravelError.invalid {
        throw invalidValues()
    }
}

@usableFromInline
func invalidValues() -> TravelError { .unavailable(.invalidValues) }

/// An observation of a database, whose errors are those of the domain.
public struct TripObservation<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
    public typealias Element = Base.Element
    public typealias Failure = any Error

    private let base: Base

    public init(_ base: Base) { self.base = base }

    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator

        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            do {
                return try await base.next(isolation: actor)
            } catch let error as any StoreError {
                throw TravelError.unavailable(error.outage)
            }
        }
    }
}
