internal import CSQLite
public import DatabaseAccess

/// One step of the evolution of a database schema: see `SchemaMigration`.
public typealias Migration = SchemaMigration<Connection>

extension Migration {
    /// Creates a migration from SQL. Any edit of the script, including white space, changes its digest.
    public init(_ name: String, merging parts: [String] = [], script: String) {
        self.init(name, merging: parts, revision: script) { db in try db.runScript(script) }
    }
}

extension Migration {
    /// Creates a migration that takes over a file of GRDB: it runs those of the earlier migrations that the table
    /// `grdb_migrations` does not name, in order; in a new file, all of them.
    ///
    /// ```swift
    /// Migration(
    ///     "from GRDB",
    ///     adoptingGRDB: [
    ///         "players": "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    ///         "scores": "ALTER TABLE player ADD COLUMN score INTEGER NOT NULL DEFAULT 0",
    ///     ])
    /// ```
    ///
    /// - Throws: From opening: ``SQLiteError`` with `.databaseIsNewer` if the file has a migration that the list lacks.
    public init(_ name: String, adoptingGRDB earlier: KeyValuePairs<String, String>) {
        let migrations = earlier.map { Migration($0.key, script: $0.value) }
        let revision = earlier.map { "\($0.key): \($0.value)" }.joined(separator: ";")
        self.init(name, revision: revision) { db in try Self.run(migrations, in: db) }
    }

    /// Creates a migration that takes over a file of GRDB, some of whose migrations are code. They have the names that
    /// GRDB knows.
    ///
    /// ```swift
    /// Migration(
    ///     "from GRDB",
    ///     adoptingGRDB: [
    ///         Migration("players", script: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"),
    ///         Migration("initials", revision: "1") { db in … },
    ///     ])
    /// ```
    ///
    /// - Throws: As for a list of scripts; the errors of the code.
    public init(_ name: String, adoptingGRDB earlier: [Migration]) {
        let revision = earlier.map { "\($0.name): \($0.digest)" }.joined(separator: ";")
        self.init(name, revision: revision) { db in try Self.run(earlier, in: db) }
    }

    private static func run(_ migrations: [Migration], in db: Connection) throws {
        let applied =
            try db.hasTable(named: "grdb_migrations")
            ? try db.fetchAll(String.self, "SELECT identifier FROM grdb_migrations") : []
        if let unknown = applied.first(where: { name in !migrations.contains { $0.name == name } }) {
            throw SQLiteError(
                .databaseIsNewer, "the file has the migration \"\(unknown)\" of GRDB, which the list lacks")
        }
        for migration in migrations where !applied.contains(migration.name) { try migration.run(db) }
    }
}

extension Collection<Migration> {
    /// The migrations up to the one with this name, for tests of those that follow. Stops the program if none has the name.
    ///
    /// ```swift
    /// let database = try await Database.open(.file(path), migrations: migrations.upTo("like counts"))
    /// try await database.write { db in try db.execute("INSERT INTO trips …") }
    /// await database.close()
    /// let migrated = try await Database.open(.file(path), migrations: migrations)
    /// ```
    public func upTo(_ name: String) -> [Migration] {
        guard let last = firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no migration \"\(name)\" among \(map(\.name))")
        }
        return Array(self[...last])
    }
}

struct Migrator {
    let migrations: [Migration]
    /// Whether a file that has applied other migrations is erased, instead of refused.
    let erasesOnChange: Bool

    private static let table = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, applied_at TEXT NOT NULL
        )
        """

    /// Returns the pending migrations: all of them if the file will be erased. Throws if the applied migrations are not a
    /// prefix of the list. Writes nothing.
    func check(_ db: Connection) throws -> ArraySlice<Migration> {
        do { return try pending(db) } catch let error as SQLiteError where erases(after: error) {
            return migrations[...]
        }
    }

    private func erases(after error: SQLiteError) -> Bool {
        erasesOnChange && (error.code == .migrationChanged || error.code == .databaseIsNewer)
    }

    private func pending(_ db: Connection) throws -> ArraySlice<Migration> {
        // Without a list the caller does not use migrations.
        guard !migrations.isEmpty, try db.hasTable(named: "schema_migrations") else { return migrations[...] }
        let applied = try db.fetchAll("SELECT name, digest FROM schema_migrations ORDER BY position") { row in
            (name: try row[0] as String, digest: try row[1] as String)
        }
        return try Migration.pending(of: migrations, applied: applied, in: "the file") { isNewer, message in
            SQLiteError(isNewer ? .databaseIsNewer : .migrationChanged, message)
        }
    }

    /// Runs the pending migrations, each in its own transaction.
    ///
    /// Foreign keys are off during the migrations, so that tables can be rebuilt, and are checked before each commit.
    func migrate(_ db: Connection) throws {
        try db.restoringSettings {
            try db.runScript("PRAGMA foreign_keys = OFF")
            while try db.outermostTransaction(begin: .beginImmediate, { try migrateOnce(db) }) {}
        }
    }

    /// Runs the next migration, and returns false if there is none. Another process may have run some in the meantime.
    private func migrateOnce(_ db: Connection) throws -> Bool {
        let next: Migration?
        do {
            next = try pending(db).first
        } catch let error as SQLiteError where erases(after: error) {
            try erase(db)
            next = migrations.first
        }
        guard let migration = next else { return false }
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
            SELECT COUNT(*), \(migration.name), \(migration.digest), strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
            FROM schema_migrations
            """)
        return true
    }

    /// Drops everything in the file. Virtual tables before the tables that they keep.
    private func erase(_ db: Connection) throws {
        let objects = try db.fetchAll(
            """
            SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
            ORDER BY type = 'table', sql NOT LIKE 'CREATE VIRTUAL%'
            """
        ) { (type: try $0[0] as String, name: try $0[1] as String) }
        for (type, name) in objects { try db.execute("DROP \(raw: type) IF EXISTS \(identifier: name)") }
    }

    private func tableNames(_ db: Connection) throws -> Set<ExactText> {
        Set(try db.fetchAll("SELECT name FROM sqlite_schema WHERE type = 'table'") { ExactText(name: try $0[0]) })
    }

    /// Returns the tables with foreign keys that were touched or refer to a touched table. Large tables that a
    /// migration does not touch need not be read.
    private func tablesToCheck(_ touched: Set<ExactText>, _ db: Connection) throws -> [String] {
        var (names, known): ([String], Set<ExactText>) = ([], [])
        try db.forEach(
            """
            SELECT child.name, parent."table" FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS parent
            WHERE child.type = 'table' ORDER BY child.name
            """
        ) { row in
            let name = try row[0] as String
            let child = ExactText(name: name)
            let parent = ExactText(name: try row[1])
            guard touched.contains(child) || touched.contains(parent) else { return }
            if known.insert(child).inserted { names.append(name) }
        }
        return names
    }
}

extension Connection {
    func hasTable(named name: String) throws -> Bool {
        // Looks the table up in the schema without compiling a statement.
        let code = sqlite3_table_column_metadata(handle, "main", name, nil, nil, nil, nil, nil, nil)
        switch code & 0xFF {
        case SQLITE_OK: return true
        case SQLITE_ERROR:
            // There is no such table, or the schema could not be read, which the query reports.
            return try fetchOne(
                Bool.self, "SELECT COUNT(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = \(name)") ?? false
        default: throw failure(code, sql: "schema of \(name)")
        }
    }
}
