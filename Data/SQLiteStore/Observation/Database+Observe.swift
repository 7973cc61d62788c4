package import DatabaseAccess

extension Database {
    /// Observes the result of `fetch`, which can run any number of statements on one state of the database, like the
    /// closure of ``read(_:)``.
    ///
    /// Each fetch determines the observed tables and columns anew, including those accessed through views and virtual
    /// tables. A commit that changes none of them causes no fetch. Nothing is fetched until the observation is
    /// iterated, and at most once in each `interval`.
    ///
    /// Observations with the same `name`, value type and interval share their fetches: use the same name only for
    /// equivalent closures. Without one, only the observers of the returned observation share fetches.
    public func observe<Value: Sendable>(
        sharedAs name: String? = nil, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(name.map { .name($0) }, interval, isUnchanged: { _, _ in false }, fetch)
    }

    /// Observes the result of `fetch`, and skips values that are equal to their predecessor.
    public func observe<Value: Sendable & Equatable>(
        sharedAs name: String? = nil, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(name.map { .name($0) }, interval, isUnchanged: ==, fetch)
    }

    /// Observes all rows of a query, and skips results that are equal to their predecessor. Observations with equal
    /// SQL, values and intervals share their fetches.
    ///
    /// ```swift
    /// let cities = database.observe(City.self, "SELECT name, population FROM cities WHERE region IN \(regions)")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the rows.
    ///   - sql: The query. The iterator throws its errors, except those after which the fetch is retried.
    ///   - interval: The minimum time between two fetches.
    public func observe<Value: RowDecodable & Sendable & Equatable>(
        _ type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(identity(of: sql), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql) }
    }

    /// Observes the first column of all rows of a query, and skips results that are equal to their predecessor.
    /// Observations with equal SQL, values and intervals share their fetches.
    ///
    /// ```swift
    /// let names = database.observe(String.self, "SELECT name FROM cities ORDER BY name")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the column.
    ///   - sql: The query. The iterator throws its errors, except those after which the fetch is retried.
    ///   - interval: The minimum time between two fetches.
    public func observe<Value: SQLDecodable & Sendable & Equatable>(
        _ type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(identity(of: sql), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql) }
    }

    package var observedQueryCount: Int { hub.queryCount }

    /// The number of queries whose health is recorded, because it is watched or was not always live.
    package var watchedHealthCount: Int { hub.healthCount }

    private func observation<Value: Sendable>(
        _ identity: QueryIdentity?, _ interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        DatabaseObservation(
            source: ObservationSource(
                database: self, identity: identity, interval: interval, isUnchanged: isUnchanged,
                read: observedRead(fetch)))
    }

    /// Returns nil if a value of the SQL cannot be converted; the fetch will throw the error.
    private func identity(of sql: SQL) -> QueryIdentity? {
        guard let values = try? sql.values else { return nil }
        return .sql(sql.text, values)
    }
}

private enum QueryIdentity: Hashable {
    case name(String)
    case sql(String, [SQLValue])
}

extension Database: ObservableDatabase {
    package var fetchPool: ConnectionPool { readers }

    package func observerAdded() {
        externalChangeMonitor?.addObserver()
    }

    package func observerRemoved() {
        externalChangeMonitor?.removeObserver()
    }

    /// Does nothing: the writer reports its own commits before the next one can begin, and each fetch starts the
    /// monitor of commits by other processes unless it is active.
    package func prepareFetch(isolation: isolated (any Actor)?) async throws {}

    package func isTemporary(_ error: any Error) -> Bool {
        (error as? SQLiteError).map { $0.code == .busy || $0.code == .locked } ?? false
    }
}

extension ObservationHealth {
    init(_ health: QueryHealth) {
        switch health {
        case .live: self = .live
        case .retrying(let error as SQLiteError): self = .retrying(error)
        case .retrying(let error), .failed(let error): self = .failed(error)
        }
    }
}

/// The values of a query over time: first the current value, then one for each commit that changes it.
///
/// ```swift
/// for try await names in database.observe({ db in
///     try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
/// }) {
///     show(names)
/// }
/// ```
///
/// - Each iteration is an observer. All observers of one observation share its fetches.
/// - Every value is a committed state, later than the preceding one. A slow observer receives only the newest value,
///   and nothing is fetched while no observer waits.
/// - The iteration ends when the task is cancelled, and throws the errors of fetching. If the database is busy or
///   locked, the fetch is retried until it succeeds, which `health` reports.
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
    /// The stream covers all iterations of the observation, and fetches nothing itself. A slow consumer receives only
    /// the latest health. The stream ends when the task is cancelled, and when the database is released.
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
/// case .retrying: showBanner("The database is busy")
/// case .failed(let error): showBanner("\(error)")
/// }
/// ```
public enum ObservationHealth: Sendable {
    case live
    /// The database was busy or locked; the fetch is retried.
    case retrying(SQLiteError)
    /// The observation has failed with this error.
    case failed(any Error)
}
