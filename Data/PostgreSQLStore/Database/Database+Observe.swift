#if PostgreSQL
public import DatabaseAccess

extension Database {
    /// Observes the result of `fetch`, which can run any number of statements on one state of the database, like the
    /// closure of ``read(_:)``.
    ///
    /// The value is fetched again after each commit that announces one of the topics with `Connection.notify`, in this
    /// process or another. Nothing is fetched until the observation is iterated, and at most once in each `interval`.
    ///
    /// All observers of the returned observation share its fetches.
    public func observe<Value: Sendable>(
        _ topics: Set<String>, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(topics, nil, interval, isUnchanged: { _, _ in false }, fetch)
    }

    /// Observes the result of `fetch`, and skips values that are equal to their predecessor.
    public func observe<Value: Sendable & Equatable>(
        _ topics: Set<String>, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(topics, nil, interval, isUnchanged: ==, fetch)
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

    private func observation<Value: Sendable>(
        _ topics: Set<String>, _ identity: [SQLValue]?, _ interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        DatabaseObservation(
            database: self, identity: { identity }, interval: interval, isUnchanged: isUnchanged,
            read: { [self] pooled in
                // Each fetch has its own time.
                let read = transaction(.repeatableRead, isReadOnly: true) { db in
                    Fetched(value: try fetch(db), region: Region(topics: topics))
                }
                return try read(pooled)
            },
            readOnce: { [self] pooled in try transaction(.repeatableRead, isReadOnly: true, fetch)(pooled) })
    }

    /// The topics, the text and the values; nil if a value cannot be converted: the fetch will throw the error.
    private func identity(of sql: SQL, _ topics: Set<String>) -> [SQLValue]? {
        (try? sql.values).map { [.array(topics.sorted().map(SQLValue.text)), .text(sql.text)] + $0 }
    }
}

extension Database: ObservableDatabase {
    package var fetchPool: ConnectionPool { pool }

    package var hasShortAccesses: Bool { false }

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

extension PostgreSQLError.Code {
    /// Whether a fetch can succeed later without a change of the program.
    var isTemporary: Bool {
        switch self {
        case .cannotConnect, .connectionLost, .leaseTimeout, .statementTimeout, .queryCanceled, .lockNotAvailable,
            .tooManyConnections, .serializationFailure, .deadlockDetected:
            true
        default: rawValue.hasPrefix("57P")
        }
    }
}
#endif
