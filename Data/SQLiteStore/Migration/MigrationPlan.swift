internal import DatabaseAccess

/// The result of a dry run of migrations.
///
/// ```swift
/// let plan = try await Database.planMigrations(of: .file(path), migrations: migrations)
/// if let failure = plan.failure { print("\(failure.migration) would fail: \(failure.error)") }
/// ```
public struct MigrationPlan: Hashable, Sendable {
    /// The names of the applied migrations, in order.
    public let applied: [String]
    /// The names of the pending migrations, in order.
    public let pending: [String]
    /// The first pending migration that would fail; nil if none would.
    public let failure: Failure?

    /// A migration that would fail.
    ///
    /// ```swift
    /// if let failure = plan.failure { print("\(failure.migration) would fail: \(failure.error)") }
    /// ```
    public struct Failure: Hashable, Sendable {
        /// The name of the migration.
        public let migration: String
        /// The error that it would throw.
        public let error: SQLiteError
    }
}

extension Database {
    /// Runs the pending migrations of a file in one transaction and rolls it back. The file is unchanged; in the
    /// meantime only writers have to wait.
    ///
    /// ```swift
    /// let plan = try await Database.planMigrations(of: .file("cities.db"), migrations: migrations)
    /// print(plan.pending)    // the names of the migrations that `open` would run
    /// ```
    ///
    /// - Throws: The errors that `open` throws before the first migration, such as `.databaseIsNewer` and
    ///   `.migrationChanged`; `.cannotOpen` if the file does not exist; `CancellationError`.
    public static func planMigrations(
        of location: Location, configuration: Configuration = Configuration(), migrations: [Migration]
    ) async throws -> MigrationPlan {
        let opener = try ConnectionOpener(location: location, configuration: configuration)
        let pool = ConnectionPool(
            connections: 1, runsInline: configuration.execution == .inline, error: Connection.error(for:)
        ) {
            try opener.open(.dryRun)
        }
        defer { pool.close {} }
        return try await pool.run(isolation: #isolation) { connection in
            try Migrator(migrations: migrations).plan(Connection.of(connection))
        }
    }
}

extension Migrator {
    fileprivate func plan(_ db: Connection) throws -> MigrationPlan {
        struct RolledBack: Error {}
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
                throw RolledBack()
            }
        } catch is RolledBack {
            // The rollback is intended.
        }
        return MigrationPlan(
            applied: migrations.dropLast(pending.count).map(\.name), pending: pending.map(\.name), failure: failure)
    }
}
