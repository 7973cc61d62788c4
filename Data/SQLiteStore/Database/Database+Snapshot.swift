internal import CSQLite
internal import DatabaseAccess

extension Database {
    /// A fixed state of a database, which can be read repeatedly until the snapshot is closed.
    ///
    /// ```swift
    /// let snapshot = try await database.snapshot()
    /// let count = try await snapshot.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") }
    /// try await database.write { db in try db.execute("DELETE FROM cities") }
    /// try await snapshot.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") }  // equal to `count`
    /// await snapshot.close()
    /// ```
    ///
    /// A snapshot uses a connection of its own. `close`, or the release of the last reference, closes it, and it may
    /// outlive the database's `close`. While a snapshot is open, later commits cannot be moved out of the write-ahead
    /// log, which grows; in other journal modes no commit is possible.
    public final class Snapshot: Sendable {
        private let pool: ConnectionPool
        private let hub: ObservationHub

        fileprivate init(_ opener: ConnectionOpener, hub: ObservationHub) {
            self.hub = hub
            pool = ConnectionPool(
                connections: 1, runsInline: opener.configuration.execution == .inline, spinPause: csqlite_pause,
                error: Connection.error(for:)
            ) {
                let connection = try opener.open(.reader)
                connection.isWritable = false
                // Through the handle, because an access must not leave a transaction open.
                let code = sqlite3_exec(connection.handle, "BEGIN DEFERRED", nil, nil, nil)
                guard code == SQLITE_OK else { throw SQLiteError.last(on: connection.handle, code: code) }
                // In each file, the first statement of a transaction fixes its state.
                for name in ["main"] + opener.configuration.attached.keys.sorted() {
                    _ = try connection.fetchOne(Int.self, "SELECT COUNT(*) FROM \(identifier: name).sqlite_schema")
                }
                connection.transactionDepth = 1
                return connection
            }
        }

        deinit {
            pool.close {}
        }

        fileprivate func begin(isolation: isolated (any Actor)?) async throws {
            try await pool.run(isolation: isolation) { _ in }
        }

        /// Runs `body` on the state of the snapshot. Reads of a snapshot run one after the other.
        ///
        /// - Throws: The errors of `body`; `CancellationError`; `.reentrantAccess` within an access to the database or
        ///   the snapshot; `.closed` after `close`.
        public func read<Value: Sendable>(
            _ body: @escaping @Sendable (Connection) throws -> Value
        ) async throws -> Value {
            try CurrentAccess.check(hub, orThrow: Connection.error(for:))
            return try await pool.run(isolation: #isolation) { [hub] db in
                let db = Connection.of(db)
                return try CurrentAccess.enter(hub) {
                    let value = try db.restoringSettings { try body(db) }
                    try db.fileIdentity?.check(db, isForced: false)
                    return value
                }
            }
        }

        /// Waits for running and waiting reads to end, and closes the connection.
        public func close() async {
            await pool.close()
        }
    }

    /// Returns a snapshot of the current state.
    ///
    /// - Throws: The errors of opening a connection; `CancellationError`; `.misuse` for a database in memory, which has
    ///   a single connection; `.reentrantAccess` within an access to the database; `.closed` after `close`.
    public func snapshot() async throws -> Snapshot {
        guard opener.isShareable else {
            throw SQLiteError(.misuse, "a database in memory has a single connection and cannot have snapshots")
        }
        try checkNoAccess()
        if isClosed { throw Connection.error(for: .closed) }
        let snapshot = Snapshot(opener, hub: hub)
        do {
            try await snapshot.begin(isolation: #isolation)
        } catch {
            await snapshot.close()
            throw error
        }
        return snapshot
    }
}
