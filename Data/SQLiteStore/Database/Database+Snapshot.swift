internal import CSQLite
internal import DatabaseAccess

extension Database {
    /// A fixed state of a database, which can be read repeatedly, beside later writes.
    ///
    /// ```swift
    /// let snapshot = try await database.snapshot()
    /// let count = try await snapshot.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") }
    /// try await database.write { db in try db.execute("DELETE FROM cities") }
    /// try await snapshot.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") }    // still `count`
    /// ```
    ///
    /// A snapshot has a connection of its own, which closes with its last reference, or by ``close()``; it may outlive the
    /// database's `close`. While it is open, the write-ahead log grows: the pages of later commits cannot be moved out of
    /// it. In other journal modes, no commit is possible.
    public final class Snapshot: Sendable {
        private let pool: ConnectionPool
        private let hub: ObservationHub
        private let suspension: Suspension

        fileprivate init(_ opener: ConnectionOpener, _ hub: ObservationHub) {
            (self.hub, suspension) = (hub, opener.suspension)
            pool = ConnectionPool(
                connections: 1, execution: opener.configuration.execution == .inline ? .inline : .dedicatedThreads,
                error: Self.error(for:)
            ) { try opener.open(.reader).beginningSnapshot(of: opener.configuration.attached.keys.sorted()) }
            suspension.add(pool)
        }

        deinit {
            suspension.remove(pool)
            pool.close {}
        }

        private static func error(for failure: AccessFailure) -> any Error {
            guard case .suspended = failure else { return Connection.error(for: failure) }
            return SQLiteError(.suspended, "the suspension of the database has ended the snapshot: take another")
        }

        fileprivate func begin(isolation: isolated (any Actor)?) async throws {
            try await pool.run(isolation: isolation) { _ in }
        }

        /// Runs `body` on the state of the snapshot. Reads of one snapshot run one after the other.
        ///
        /// - Throws: The errors of `body`; `CancellationError`; `.reentrantAccess` within an access to the database or to
        ///   a snapshot of it; `.closed` after ``close()``; `.suspended` after ``Database/suspend()``, for good.
        public func read<Value: Sendable>(
            _ body: @escaping @Sendable (Connection) throws -> Value
        ) async throws -> Value {
            try CurrentAccess.check(hub, orThrow: Connection.error(for:))
            return try await pool.run(isolation: #isolation) { [hub] db in
                let db = Connection.of(db)
                return try CurrentAccess.enter(hub) { try db.readSnapshot(body) }
            }
        }

        /// Waits for running and waiting reads to end, and closes the connection.
        public func close() async {
            await pool.close()
        }
    }

    /// Returns a snapshot of the current state, which contains all writes that have ended.
    ///
    /// - Throws: The errors of opening a connection; `CancellationError`; `.misuse` for a database with a single connection,
    ///   such as one in memory; `.reentrantAccess` within an access to the database; `.closed` after `close`; `.suspended`
    ///   while the database is.
    public func snapshot() async throws -> Snapshot {
        guard opener.isShareable else {
            throw SQLiteError(.misuse, "a database with a single connection, such as one in memory, has no snapshots")
        }
        try checkNoAccess()
        if writer.isClosed { throw Connection.error(for: .closed) }
        let snapshot = Snapshot(opener, hub)
        do {
            try await snapshot.begin(isolation: #isolation)
        } catch {
            await snapshot.close()
            throw error
        }
        return snapshot
    }
}

extension Connection {
    /// Begins a transaction that lasts until the connection closes, and fixes the state of each file: through the handle,
    /// because no access may leave a transaction open.
    fileprivate func beginningSnapshot(of attached: [String]) throws -> Connection {
        isWritable = false
        let code = sqlite3_exec(handle, "BEGIN DEFERRED", nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql: "BEGIN DEFERRED") }
        // The first statement of a transaction that reads a file fixes its state.
        for name in ["main"] + attached {
            _ = try fetchOne(Int.self, "SELECT COUNT(*) FROM \(identifier: name).sqlite_schema")
        }
        transactionDepth = 1
        return self
    }

    fileprivate func readSnapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        func checkState() throws {
            guard sqlite3_get_autocommit(handle) == 0 else {
                throw SQLiteError(.misuse, "the transaction of the snapshot was ended through the handle")
            }
        }
        try checkState()
        let value = try restoringSettings { try body(self) }
        try checkState()
        try fileIdentity?.check(self, isForced: false)
        return value
    }
}
