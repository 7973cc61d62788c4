/// Runs the pending migrations of a database.
struct Migrator {
    let migrations: [Migration]

    /// The table of the applied migrations.
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

    /// Returns the pending migrations. Throws if the applied migrations are not a prefix of the list. Writes nothing.
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
                    "the file has applied the migration \"\(past.name)\" at the position of \"\(migration.name)\" in the list"
                )
            }
            guard past.digest == migration.digest else {
                throw SQLiteError(
                    .migrationChanged,
                    "the migration \"\(past.name)\" was edited after it was applied: undo the edit, and add another migration"
                )
            }
        }
        guard applied.count <= migrations.count else {
            throw SQLiteError(
                .databaseIsNewer,
                "the file has applied the migration \"\(applied.last?.name ?? "")\", which is not in the list")
        }
        return migrations[applied.count...]
    }

    /// Runs the pending migrations, each in its own transaction.
    ///
    /// Foreign keys are off during the migrations, so that tables can be rebuilt, and are checked before each commit.
    func migrate(_ db: Connection) throws {
        guard try !check(db).isEmpty else { return }
        let enforcesKeys = try db.fetchOne(Bool.self, "PRAGMA foreign_keys") ?? false
        try db.runScript("PRAGMA foreign_keys = OFF")
        while try db.outermostTransaction(begin: "BEGIN IMMEDIATE", { try migrateOnce(db) }) {}
        if enforcesKeys { try db.runScript("PRAGMA foreign_keys = ON") }
    }

    /// Runs the next migration, and returns false if there is none. Another process may have run some in the meantime.
    func migrateOnce(_ db: Connection) throws -> Bool {
        let pending = try check(db)
        guard let migration = pending.first else { return false }
        try db.runScript(Self.table)
        let tables = try tableNames(db)
        try migration.run(db)
        db.recordReadWriteSet(db.recorder.take())
        // Tables with a new name count as touched.
        let touched = db.changes.region.tableNames.union(try tableNames(db).subtracting(tables))
        for table in try tablesToCheck(touched, db) {
            let violation = try db.fetchOne("PRAGMA foreign_key_check(\(identifier: table))") { row in
                "a row of table \"\(try row[0] as String)\" refers to a missing row of \"\(try row[2] as String)\""
            }
            guard let violation else { continue }
            throw SQLiteError(.constraintForeignKey, "after the migration \"\(migration.name)\", \(violation)")
        }
        try db.execute(
            """
            INSERT INTO schema_migrations (position, name, digest, applied_at)
            VALUES (\(pending.startIndex), \(migration.name), \(migration.digest), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
            """)
        return true
    }

    private func tableNames(_ db: Connection) throws -> Set<String> {
        Set(try db.fetchAll(String.self, "SELECT lower(name) FROM sqlite_schema WHERE type = 'table'"))
    }

    /// Returns the tables with foreign keys that were touched or refer to a touched table. Large tables that a
    /// migration does not touch need not be read.
    private func tablesToCheck(_ touched: Set<String>, _ db: Connection) throws -> [String] {
        let references = try db.fetchAll(
            """
            SELECT child.name, lower(child.name), lower(parent."table")
            FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS parent
            WHERE child.type = 'table' ORDER BY child.name
            """
        ) { row in (name: try row[0] as String, child: try row[1] as String, parent: try row[2] as String) }
        var names: [String] = []
        for reference in references where touched.contains(reference.child) || touched.contains(reference.parent) {
            if names.last != reference.name { names.append(reference.name) }
        }
        return names
    }
}
