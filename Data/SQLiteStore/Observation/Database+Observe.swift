extension Database {
    /// Observes whatever `fetch` reads: any number of statements, on one state of the database.
    ///
    /// What it reads is found out anew with each fetch, down to the columns, through views and virtual tables too. A
    /// commit that touches none of it costs nothing.
    ///
    /// - Parameters:
    ///   - name: Observations with the same name and type of value share their fetches; give the same name only to
    ///     closures that do the same. Without a name an observation shares with its own observers alone.
    ///   - interval: The least time from one fetch to the next, however many commits there are between.
    ///   - fetch: Reads the value. It runs as `read` runs its closure.
    public func observe<Value: Sendable>(
        sharedAs name: String? = nil, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(name.map { .name($0) }, interval, isUnchanged: { _, _ in false }, fetch)
    }

    /// Observes whatever `fetch` reads, and passes over values that are equal to the one before.
    ///
    /// - Parameters:
    ///   - name: Observations with the same name and type of value share their fetches; give the same name only to
    ///     closures that do the same. Without a name an observation shares with its own observers alone.
    ///   - interval: The least time from one fetch to the next, however many commits there are between.
    ///   - fetch: Reads the value. It runs as `read` runs its closure.
    public func observe<Value: Sendable & Equatable>(
        sharedAs name: String? = nil, every interval: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation(name.map { .name($0) }, interval, isUnchanged: ==, fetch)
    }

    /// Observes every row of a query. All observations of the same SQL with the same values share their fetches.
    ///
    /// ```swift
    /// let cities = database.observe(City.self, "SELECT name, population FROM cities WHERE region IN \(regions)")
    /// ```
    public func observe<Value: RowDecodable & Sendable & Equatable>(
        _ type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(identity(of: sql), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql) }
    }

    /// Observes the first column of every row of a query. All observations of the same SQL with the same values share
    /// their fetches.
    public func observe<Value: SQLDecodable & Sendable & Equatable>(
        _ type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(identity(of: sql), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql) }
    }

    /// How many different queries are observed now.
    package var observedQueryCount: Int { hub.queryCount }

    /// How many queries anyone watches the health of, or were not live when last fetched.
    package var watchedHealthCount: Int { hub.healthCount }

    private func observation<Value: Sendable>(
        _ identity: QueryKey.Identity?, _ interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        DatabaseObservation(
            source: ObservationSource(
                database: self, identity: identity, interval: interval, isUnchanged: isUnchanged, read: fetch))
    }

    /// nil for SQL whose values cannot be had: fetching will throw why.
    private func identity(of sql: SQL) -> QueryKey.Identity? {
        guard let values = try? sql.values else { return nil }
        return .sql(sql.text, values)
    }
}
