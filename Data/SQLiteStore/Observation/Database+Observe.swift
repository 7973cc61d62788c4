internal import DatabaseAccess

extension Database {
    /// Observes the result of `fetch`, which can run any number of statements on one state of the database.
    ///
    /// Each fetch determines the observed tables and columns anew, including those accessed through views and virtual
    /// tables. A commit that changes none of them causes no fetch.
    ///
    /// - Parameters:
    ///   - name: Observations with the same name, value type and interval share their fetches. Use the same name only
    ///     for equivalent closures. With nil, only the observers of the returned observation share fetches.
    ///   - interval: The minimum time between two fetches.
    ///   - fetch: Fetches the value; it runs like the closure of ``read(_:)``. The iterator throws its errors, except
    ///     those after which the fetch is retried.
    /// - Returns: An observation, which fetches nothing until it is iterated.
    public func observe<Value: Sendable>(
        sharedAs name: String? = nil, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(name.map { .name($0) }, interval, isUnchanged: { _, _ in false }, fetch)
    }

    /// Observes the result of `fetch`, and skips values that are equal to their predecessor.
    ///
    /// - Parameters:
    ///   - name: Observations with the same name, value type and interval share their fetches. Use the same name only
    ///     for equivalent closures. With nil, only the observers of the returned observation share fetches.
    ///   - interval: The minimum time between two fetches.
    ///   - fetch: Fetches the value; it runs like the closure of ``read(_:)``. The iterator throws its errors, except
    ///     those after which the fetch is retried.
    /// - Returns: An observation, which fetches nothing until it is iterated.
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
    /// - Returns: An observation, which fetches nothing until it is iterated.
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
    /// - Returns: An observation, which fetches nothing until it is iterated.
    public func observe<Value: SQLDecodable & Sendable & Equatable>(
        _ type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(identity(of: sql), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql) }
    }

    /// The number of distinct queries that are observed.
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

/// Identifies equivalent queries.
private enum QueryIdentity: Hashable {
    case name(String)
    case sql(String, [SQLValue])
}
