internal import CSQLite

extension Database {
    /// One state of a database, which can be read again and again until it is closed.
    ///
    /// ```swift
    /// let snapshot = try await database.snapshot()
    /// let count = try await snapshot.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") }
    /// try await database.write { db in try db.execute("DELETE FROM cities") }
    /// try await snapshot.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") }    // the same as before
    /// await snapshot.close()
    /// ```
    ///
    /// It has a connection of its own, which closes at `close` or with the last reference, and may outlive the database's
    /// own `close`. As long as it is open, what was committed since cannot leave the write-ahead log, which grows; in other
    /// journal modes, nobody can commit.
    public final class Snapshot: Sendable {
        private let pool: ConnectionPool
        private let hub: ObservationHub

        fileprivate init(_ opener: ConnectionOpener, hub: ObservationHub) {
            self.hub = hub
            pool = ConnectionPool(execution: opener.configuration.execution, connections: 1) {
                let connection = try opener.open(.reader)
                connection.isWritable = false
                // By the handle: an access may not leave a transaction open.
                let code = sqlite3_exec(connection.handle, "BEGIN DEFERRED", nil, nil, nil)
                guard code == SQLITE_OK else { throw SQLiteError.last(on: connection.handle, code: code) }
                // A transaction has the state of its first statement in each file.
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

        /// Fixes the state.
        fileprivate func begin(isolation: isolated (any Actor)?) async throws {
            try await pool.run(isolation: isolation) { _ in }
        }

        /// Runs `body` on the state of the snapshot, one read after the other.
        ///
        /// - Throws: what `body` throws; `CancellationError`; `.reentrantAccess` inside of an access to the database or the
        ///   snapshot; `.closed` after `close`.
        public func read<Value: Sendable>(
            _ body: @escaping @Sendable (Connection) throws -> Value
        ) async throws -> Value {
            try CurrentAccess.check(hub)
            return try await pool.run(isolation: #isolation) { [hub] db in
                try CurrentAccess.enter(hub) { try body(db) }
            }
        }

        /// Lets the reads under way and those waiting end, and gives the state up.
        public func close() async {
            await withCheckedContinuation { continuation in
                pool.close { continuation.resume() }
            }
        }
    }

    /// The state of the database now, to be read for as long as it is kept.
    ///
    /// - Throws: what opening a connection throws; `CancellationError`; `.misuse` for a database in memory, which has one
    ///   connection only; `.reentrantAccess` inside of an access to the database; `.closed` after `close`.
    public func snapshot() async throws -> Snapshot {
        guard opener.isShareable else {
            throw SQLiteError(.misuse, "a database in memory has no snapshots: it has one connection")
        }
        try CurrentAccess.check(hub)
        if isClosed { throw Self.closedError }
        let snapshot = Snapshot(opener, hub: hub)
        try await snapshot.begin(isolation: #isolation)
        return snapshot
    }
}
