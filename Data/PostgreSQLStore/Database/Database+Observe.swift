#if PostgreSQL
package import DatabaseAccess

extension Database {
    /// Observes the result of `fetch`, which can run any number of statements on one state of the database, like the
    /// closure of ``read(_:)``.
    ///
    /// The value is fetched again after each commit that announces one of the topics with `Connection.notify`, in this
    /// process or another. Nothing is fetched until the observation is iterated, and at most once in each `interval`.
    ///
    /// Observations with the same `name`, topics, value type and interval share their fetches: use the same name only
    /// for equivalent closures. Without one, only the observers of the returned observation share fetches.
    public func observe<Value: Sendable>(
        _ topics: Set<String>, sharedAs name: String? = nil, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(topics, name.map { .name($0, topics: topics) }, interval, isUnchanged: { _, _ in false }, fetch)
    }

    /// Observes the result of `fetch`, and skips values that are equal to their predecessor.
    public func observe<Value: Sendable & Equatable>(
        _ topics: Set<String>, sharedAs name: String? = nil, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(topics, name.map { .name($0, topics: topics) }, interval, isUnchanged: ==, fetch)
    }

    /// Observes all rows of a query, and skips results that are equal to their predecessor. Observations with equal
    /// topics, SQL, values and intervals share their fetches.
    ///
    /// ```swift
    /// let cities = database.observe(["cities"], rows: City.self, "SELECT name, population FROM cities")
    /// ```
    public func observe<Value: RowDecodable & Sendable & Equatable>(
        _ topics: Set<String>, rows type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(topics, identity(of: sql, topics), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql)
        }
    }

    /// Observes the first column of all rows of a query, and skips results that are equal to their predecessor.
    /// Observations with equal topics, SQL, values and intervals share their fetches.
    ///
    /// ```swift
    /// let names = database.observe(["cities"], rows: String.self, "SELECT name FROM cities ORDER BY name")
    /// ```
    public func observe<Value: SQLDecodable & Sendable & Equatable>(
        _ topics: Set<String>, rows type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(topics, identity(of: sql, topics), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql)
        }
    }

    package var observedQueryCount: Int { hub.queryCount }

    private func observation<Value: Sendable>(
        _ topics: Set<String>, _ identity: QueryIdentity?, _ interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        DatabaseObservation(
            source: ObservationSource(
                database: self, identity: identity, interval: interval, isUnchanged: isUnchanged,
                read: observedRead(topics, fetch)))
    }

    /// Returns nil if a value of the SQL cannot be converted; the fetch will throw the error.
    private func identity(of sql: SQL, _ topics: Set<String>) -> QueryIdentity? {
        guard let values = try? sql.values else { return nil }
        return .sql(sql.text, values, topics: topics)
    }
}

private enum QueryIdentity: Hashable {
    case name(String, topics: Set<String>)
    case sql(String, [SQLValue], topics: Set<String>)
}

extension Database: ObservableDatabase {
    package var fetchPool: ConnectionPool { pool }

    package func observerAdded() {
        listener.addObserver()
    }

    package func observerRemoved() {
        listener.removeObserver()
    }

    /// Waits until the listener receives announcements of commits.
    package func prepareFetch(isolation: isolated (any Actor)?) async throws {
        try await listener.listening(isolation: isolation)
    }

    package func isTemporary(_ error: any Error) -> Bool {
        (error as? PostgreSQLError)?.code.isTemporary ?? false
    }
}

extension ObservationHealth {
    init(_ health: QueryHealth) {
        switch health {
        case .live: self = .live
        case .retrying(let error as PostgreSQLError): self = .retrying(error)
        case .retrying(let error), .failed(let error): self = .failed(error)
        }
    }
}

/// The values of a query over time: first the current value, then one for each announced commit that changes it.
///
/// ```swift
/// for try await names in database.observe(["cities"], { db in
///     try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
/// }) {
///     show(names)
/// }
/// ```
///
/// - Each iteration is an observer. All observers of one observation share its fetches.
/// - Every value is a committed state, later than the preceding one. A slow observer receives only the newest
///   value, and nothing is fetched while no observer waits.
/// - The iteration ends when the task is cancelled, and throws the errors of fetching. If the server
///   cannot be reached or is busy, the fetch is retried until it succeeds, which `health` reports.
public struct DatabaseObservation<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = any Error

    let source: ObservationSource<Value>

    public var health: ObservationHealth { ObservationHealth(source.health) }

    /// The current health of the observation, and then each change between live, retrying and failed.
    ///
    /// ```swift
    /// for await health in cities.healthChanges {
    ///     isDelayed = if case .retrying = health { true } else { false }
    /// }
    /// ```
    ///
    /// The stream covers all iterations of the observation, and fetches nothing itself. A slow consumer receives
    /// only the latest health. The stream ends when the task is cancelled, and when the database
    /// is released.
    public var healthChanges: AsyncStream<ObservationHealth> { source.healthChanges(ObservationHealth.init) }

    package var isStale: Bool { source.isStale }

    /// Creates an observer, which fetches when its first value is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(observer: QueryObserver(source))
    }

    /// The iterator of one observer.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let observer: QueryObserver<Value>

        /// Returns the next value; nil when the task is cancelled, and after it has thrown an error of fetching.
        public mutating func next() async throws -> Value? {
            try await observer.next(isolation: #isolation)
        }

        /// Returns the next value in the isolation of `actor`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            try await observer.next(isolation: actor)
        }
    }
}

/// The health of an observation.
///
/// ```swift
/// switch cities.health {
/// case .live: hideBanner()
/// case .retrying: showBanner("The server cannot be reached")
/// case .failed(let error): showBanner("\(error)")
/// }
/// ```
public enum ObservationHealth: Sendable {
    case live
    /// The server could not be reached, or was busy; the fetch is retried.
    case retrying(PostgreSQLError)
    /// The observation has failed with this error.
    case failed(any Error)
}

extension PostgreSQLError.Code {
    /// Whether a fetch can succeed later without a change of the program.
    var isTemporary: Bool {
        switch self {
        case .cannotConnect, .connectionLost, .leaseTimeout, .statementTimeout, .lockNotAvailable,
            .tooManyConnections,
            .serializationFailure, .deadlockDetected:
            true
        default: rawValue.hasPrefix("57P")
        }
    }
}
#endif
