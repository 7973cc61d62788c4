public import DatabaseAccess

extension Database {
    /// Observes the result of `fetch`, which can run any number of statements on one state of the database, like the
    /// closure of ``read(fileID:line:_:)``.
    ///
    /// Each fetch determines the observed tables and columns anew, including those accessed through views and virtual
    /// tables. A commit that changes none of them causes no fetch. Nothing is fetched until the observation is
    /// iterated, and at most once in each `interval`.
    ///
    /// All observers of the returned observation share its fetches.
    public func observe<Value: Sendable>(
        every interval: Duration = .zero, _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation({ Never?.none }, interval, isUnchanged: { _, _ in false }, fetch)
    }

    /// Observes the result of `fetch`, and skips values that are equal to their predecessor.
    public func observe<Value: Sendable & Equatable>(
        every interval: Duration = .zero, _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation({ Never?.none }, interval, isUnchanged: ==, fetch)
    }

    /// Observes the result of `fetch`, and skips values that are equal to their predecessor. Observations with equal
    /// identities and types of values share their fetches: the identity contains all that the result depends on.
    package func observe<Value: Sendable & Equatable>(
        sharing identity: some Hashable & Sendable, _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        observation({ identity }, .zero, isUnchanged: ==, fetch)
    }

    /// Observes all rows of a query, and skips results that are equal to their predecessor. Observations with equal
    /// SQL, values and intervals share their fetches.
    ///
    /// ```swift
    /// let cities = database.observe(City.self, "SELECT name, population FROM cities WHERE region IN \(regions)")
    /// ```
    @inlinable
    public func observe<Value: RowDecodable & Sendable & Equatable>(
        _ type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(of: sql, interval, isUnchanged: ==) { db in try db.fetchAll(type, sql) }
    }

    /// Observes the first column of all rows of a query, and skips results that are equal to their predecessor.
    /// Observations with equal SQL, values and intervals share their fetches.
    ///
    /// ```swift
    /// let names = database.observe(String.self, "SELECT name FROM cities ORDER BY name")
    /// ```
    @inlinable
    public func observe<Value: SQLDecodable & Sendable & Equatable>(
        _ type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
    ) -> DatabaseObservation<[Value]> {
        observation(of: sql, interval, isUnchanged: ==) { db in try db.fetchAll(type, sql) }
    }

    @usableFromInline
    func observation<Value: Sendable>(
        of sql: SQL, _ interval: Duration, isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        // The text and the values; nil if a value cannot be converted: the fetch will throw the error.
        observation(
            { (try? sql.values).map { [SQLValue.text(sql.text)] + $0 } }, interval, isUnchanged: isUnchanged, fetch)
    }

    private func observation<Value: Sendable, Identity: Hashable & Sendable>(
        _ identity: @escaping @Sendable () -> Identity?, _ interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        DatabaseObservation(
            database: self, identity: identity, interval: interval, isUnchanged: isUnchanged,
            read: observedRead(fetch), readOnce: unobservedRead(fetch))
    }
}

extension Database: ObservableDatabase {
    package var fetchPool: ConnectionPool { readers }

    package func observerAdded() {
        externalChangeMonitor?.addObserver()
    }

    package func observerRemoved() {
        externalChangeMonitor?.removeObserver()
    }

    /// Waits only for the end of a suspension: the writer reports its own commits before the next one can begin, and each
    /// fetch starts the monitor of commits by other processes unless it is active.
    package func prepareFetch(isolation: isolated (any Actor)?) async throws {
        await opener.suspension.waitForEnd(isolation: isolation)
        try Task.checkCancellation()
    }

    package func isTemporary(_ error: any Error) -> Bool {
        (error as? SQLiteError).map { [.busy, .locked, .suspended].contains($0.code) } ?? false
    }
}
