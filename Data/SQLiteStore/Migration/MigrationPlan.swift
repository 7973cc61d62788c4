/// What migrating a file would do.
public struct MigrationPlan: Hashable, Sendable {
    /// The migrations that the file has been through, in order.
    public let applied: [String]
    /// The migrations that it would go through, in order.
    public let pending: [String]
    /// Which of those would fail, and how; nil if none would.
    public let failure: Failure?

    /// A migration that would fail.
    public struct Failure: Hashable, Sendable {
        /// Its name.
        public let migration: String
        /// What it would throw.
        public let error: SQLiteError
    }
}

extension Database {
    /// Tries the migrations that a file has not been through yet, all in one transaction, and undoes them: the file is
    /// as it was, and nobody but the writers had to wait.
    ///
    /// - Throws: what `open` would throw before the first migration, among it `.databaseIsNewer` and `.migrationChanged`;
    ///   `.cannotOpen` if there is no file.
    public static func planMigrations(
        of location: Location, configuration: Configuration = Configuration(), migrations: [Migration]
    ) async throws -> MigrationPlan {
        let opener = try ConnectionOpener(location: location, configuration: configuration)
        let pool = ConnectionPool(execution: configuration.execution, connections: 1) { try opener.open(.dryRun) }
        defer { pool.close {} }
        return try await pool.run(isolation: #isolation) { connection in
            try Migrator(migrations: migrations).plan(connection)
        }
    }
}

extension Migrator {
    fileprivate func plan(_ db: Connection) throws -> MigrationPlan {
        struct Undone: Error {}
        let pending = Array(try check(db))
        var failure: MigrationPlan.Failure?
        try db.runScript("PRAGMA foreign_keys = OFF")
        do {
            try db.outermostTransaction(begin: "BEGIN IMMEDIATE") {
                for migration in pending {
                    do {
                        _ = try migrateOnce(db)
                    } catch let error as SQLiteError {
                        failure = MigrationPlan.Failure(migration: migration.name, error: error)
                        break
                    }
                }
                throw Undone()
            }
        } catch is Undone {
            // As intended.
        }
        return MigrationPlan(
            applied: migrations.dropLast(pending.count).map(\.name), pending: pending.map(\.name), failure: failure)
    }
}
