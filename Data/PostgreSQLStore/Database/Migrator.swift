#if PostgreSQL
public import DatabaseAccess

/// One step of the evolution of a database schema: see `SchemaMigration`.
public typealias Migration = SchemaMigration<Connection>

extension Migration {
    /// Creates a migration from SQL. Any edit of the script, including white space, changes its digest.
    public init(_ name: String, merging parts: [String] = [], script: String) {
        self.init(name, merging: parts, revision: script) { db in try db.executeScript(script) }
    }
}

struct Migrator {
    let migrations: [Migration]

    private static let table = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            position integer PRIMARY KEY, name text NOT NULL UNIQUE, digest text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        )
        """

    /// Runs the pending migrations, each in its own transaction.
    ///
    /// The advisory lock is released at the end of each transaction, also if the process or the connection ends.
    func migrate(_ db: Connection) throws {
        guard try !check(db).isEmpty else { return }
        try db.withStatementTimeout(db.configuration.migrationTimeout) {
            while try transaction(db) {}
        }
    }

    /// Each statement must see what another process has committed while this one waited for the lock.
    private func transaction(_ db: Connection) throws -> Bool {
        try db.begin(.readCommitted, isReadOnly: false)
        return try db.finishTransaction { try migrateOnce(db) }
    }

    /// Returns the pending migrations. Throws if the applied migrations are not a prefix of the list. Writes
    /// nothing.
    private func check(_ db: Connection) throws -> ArraySlice<Migration> {
        // Without a list the caller does not use migrations.
        guard !migrations.isEmpty, try hasTable(db) else { return migrations[...] }
        let applied = try db.fetchAll("SELECT name, digest FROM schema_migrations ORDER BY position") { row in
            (name: try row[0] as String, digest: try row[1] as String)
        }
        return try Migration.pending(of: migrations, applied: applied, in: "the database") { isNewer, message in
            PostgreSQLError(isNewer ? .databaseIsNewer : .migrationChanged, message)
        }
    }

    private func hasTable(_ db: Connection) throws -> Bool {
        try db.fetchOne(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT FROM pg_catalog.pg_class AS tables
                JOIN pg_catalog.pg_namespace AS schemas ON schemas.oid = tables.relnamespace
                WHERE schemas.nspname = current_schema() AND tables.relname = 'schema_migrations'
            )
            """) ?? false
    }

    /// Runs the next migration, and returns false if there is none. Another process may have run some in the
    /// meantime.
    private func migrateOnce(_ db: Connection) throws -> Bool {
        try db.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('schema_migrations ' || current_schema(), 0))")
        guard let migration = try check(db).first else { return false }
        try db.executeScript(Self.table)
        try migration.run(db)
        try db.execute(
            """
            INSERT INTO schema_migrations (position, name, digest)
            SELECT COUNT(*), \(migration.name), \(migration.digest) FROM schema_migrations
            """)
        return true
    }
}
#endif
