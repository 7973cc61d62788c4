/// Brings a database's schema up to date.
struct Migrator {
    let migrations: [Migration]

    /// Where the file remembers what it has been through.
    private static let table = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, applied_at TEXT NOT NULL
        )
        """

    private struct Applied: RowDecodable {
        let name: String
        let digest: String

        init(row: borrowing Row) throws {
            name = try row[0]
            digest = try row[1]
        }
    }

    /// Refuses a file whose history is not the beginning of the list. Nothing is written.
    @discardableResult
    func check(_ db: Connection) throws -> ArraySlice<Migration> {
        let hasTable = try db.fetchOne(
            Int.self, "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'")
        let applied =
            hasTable == 1
            ? try db.fetchAll(Applied.self, "SELECT name, digest FROM schema_migrations ORDER BY position") : []
        if migrations.isEmpty { return [] }
        for (past, migration) in zip(applied, migrations) {
            guard past.name == migration.name else {
                throw SQLiteError(
                    .migrationChanged,
                    "the file has been through \"\(past.name)\" where the list has \"\(migration.name)\"")
            }
            guard past.digest == migration.digest else {
                throw SQLiteError(
                    .migrationChanged,
                    "\"\(past.name)\" was edited after the file went through it: undo that, and add another migration")
            }
        }
        guard applied.count <= migrations.count else {
            throw SQLiteError(
                .databaseIsNewer, "the file has been through \"\(applied.last?.name ?? "")\", which is not in the list")
        }
        return migrations[applied.count...]
    }

    /// Runs what the file has not been through yet, each migration in a transaction of its own.
    ///
    /// Foreign keys are off meanwhile, so that tables can be rebuilt, and checked before each commit.
    func migrate(_ db: Connection) throws {
        guard try !check(db).isEmpty else { return }
        let enforcesKeys = try db.fetchOne(Bool.self, "PRAGMA foreign_keys") ?? false
        try db.runScript("PRAGMA foreign_keys = OFF")
        while try db.outermostTransaction(begin: "BEGIN IMMEDIATE", { try migrateOnce(db) }) {}
        if enforcesKeys { try db.runScript("PRAGMA foreign_keys = ON") }
    }

    /// Runs the next migration; false if there is none. Another process may have run some since the last look.
    func migrateOnce(_ db: Connection) throws -> Bool {
        let pending = try check(db)
        guard let migration = pending.first else { return false }
        try db.runScript(Self.table)
        try migration.run(db)
        let violation = try db.fetchOne("PRAGMA foreign_key_check") { row in
            "\(try row[0] as String) refers to a row missing in \(try row[2] as String)"
        }
        if let violation {
            throw SQLiteError(.constraintForeignKey, "after the migration \"\(migration.name)\", \(violation)")
        }
        try db.execute(
            """
            INSERT INTO schema_migrations (position, name, digest, applied_at)
            VALUES (\(pending.startIndex), \(migration.name), \(migration.digest), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
            """)
        return true
    }
}
