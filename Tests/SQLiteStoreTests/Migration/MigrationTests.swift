import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

@Suite("Migrations", .limitedConcurrency)
struct MigrationTests {
    private static let cities = Migration("cities", script: "CREATE TABLE cities (name TEXT)")
    private static let people = Migration("people", script: "CREATE TABLE people (name TEXT)")

    private func tables(in database: Database) async throws -> [String] {
        try await database.read { (db) throws in
            try db.fetchAll(String.self, "SELECT name FROM sqlite_schema WHERE name != 'schema_migrations' ORDER BY 1")
                .filter { !$0.hasPrefix("sqlite_") }
        }
    }

    @Test("migrations run once each, in order")
    func once() async throws {
        try await withTemporaryFolder { (folder) async throws in
            for migrations in [[Self.cities], [Self.cities, Self.people], [Self.cities, Self.people]] {
                let database = try await Database.open(.file(folder + "/db"), migrations: migrations)
                #expect(try await tables(in: database) == migrations.map(\.name))
                await database.close()
            }
        }
    }

    @Test(
        "a newer file, or one with another history, is rejected and left unchanged",
        arguments: [
            ([cities], SQLiteError.Code.databaseIsNewer),
            ([people, cities], .migrationChanged),
            ([cities, Migration("people", script: "CREATE TABLE people (nick TEXT)")], .migrationChanged),
        ])
    func refused(migrations: [Migration], code: SQLiteError.Code) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            try await Database.open(.file(path), migrations: [Self.cities, Self.people]).close()
            let error = try await #require(throws: SQLiteError.self) {
                try await Database.open(.file(path), migrations: migrations)
            }
            #expect(error.code == code)
            let database = try await Database.open(.file(path), migrations: [Self.cities, Self.people])
            #expect(try await tables(in: database) == ["cities", "people"])
            await database.close()
        }
    }

    @Test(
        "a file with other migrations is erased where the configuration says so",
        arguments: [
            [cities], [people, cities], [cities, Migration("people", script: "CREATE TABLE people (nick TEXT)")],
        ])
    func erased(migrations: [Migration]) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let first = try await Database.open(.file(path), migrations: [Self.cities, Self.people])
            try await first.write { db in
                try db.executeScript(
                    """
                    INSERT INTO cities VALUES ('Seoul');
                    CREATE VIEW names AS SELECT name FROM people;
                    CREATE VIRTUAL TABLE words USING fts5 (body);
                    CREATE TABLE children (city REFERENCES cities (name), id INTEGER PRIMARY KEY AUTOINCREMENT);
                    CREATE TRIGGER added AFTER INSERT ON people BEGIN SELECT 1; END;
                    """)
            }
            await first.close()
            let configuration = Database.Configuration().with { $0.erasesOnMigrationChange = true }
            for _ in 0..<2 {
                let database = try await Database.open(
                    .file(path), configuration: configuration, migrations: migrations)
                #expect(try await tables(in: database) == migrations.map(\.name).sorted())
                #expect(try await database.read { db in try db.fetchAll(String.self, "SELECT name FROM cities") } == [])
                await database.close()
            }
            let readOnly = configuration.with { $0.isReadOnly = true }
            let error = await #expect(throws: SQLiteError.self) {
                try await Database.open(
                    .file(path), configuration: readOnly, migrations: [Migration("other", script: "SELECT 1")])
            }
            #expect(error?.code == .migrationChanged)
        }
    }

    @Test("an erased file keeps its content when the new migrations fail")
    func failedErasure() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            try await Database.open(.file(path), migrations: [Self.cities]).close()
            let configuration = Database.Configuration().with { $0.erasesOnMigrationChange = true }
            await #expect(throws: SQLiteError.self) {
                try await Database.open(
                    .file(path), configuration: configuration, migrations: [Migration("cities", script: "CREATE")])
            }
            let database = try await Database.open(.file(path), migrations: [Self.cities])
            #expect(try await tables(in: database) == ["cities"])
            await database.close()
        }
    }

    @Test("migrations up to a name end with it")
    func upTo() async {
        let all = [Self.cities, Self.people]
        #expect(all.upTo("cities").map(\.name) == ["cities"])
        #expect(all.upTo("people").map(\.name) == ["cities", "people"])
        await #expect(processExitsWith: .failure) { _ = [Migration("cities", script: "SELECT 1")].upTo("none") }
    }

    private static let merged = [
        Migration("schema", merging: ["cities", "people"], script: "CREATE TABLE cities (x); CREATE TABLE people (x)"),
        Migration("trips", script: "CREATE TABLE trips (x)"),
    ]

    @Test("a merged migration runs in a new file, and counts as applied where all of its parts are", arguments: [0, 2])
    func merging(applied: Int) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let earlier = Array([Self.cities, Self.people].prefix(applied))
            try await Database.open(.file(folder + "/db"), migrations: earlier).close()
            for _ in 1...2 {
                let database = try await Database.open(.file(folder + "/db"), migrations: Self.merged)
                #expect(try await tables(in: database) == ["cities", "people", "trips"])
                await database.close()
            }
        }
    }

    @Test("a file that has applied only some parts of a merged migration is rejected and left unchanged")
    func partlyMerged() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            try await Database.open(.file(path), migrations: [Self.cities]).close()
            let error = await #expect(throws: SQLiteError.self) {
                try await Database.open(.file(path), migrations: Self.merged)
            }
            #expect(error?.code == .migrationChanged)
            let database = try await Database.open(.file(path), migrations: [Self.cities, Self.people])
            #expect(try await tables(in: database) == ["cities", "people"])
            await database.close()
        }
    }

    @Test("an applied migration is recognised by its name in any Unicode normalization")
    func normalization() async throws {
        try await withTemporaryFolder { (folder) async throws in
            for name in ["caf\u{E9}s", "cafe\u{301}s"] {
                let migrations = [Migration(name, script: "CREATE TABLE cafes (name TEXT)")]
                let database = try await Database.open(.file(folder + "/db"), migrations: migrations)
                #expect(try await tables(in: database) == ["cafes"])
                await database.close()
            }
        }
    }

    @Test("a failing migration is rolled back, and the preceding ones are kept")
    func failing() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let broken = Migration("broken", script: "CREATE TABLE half (x); CREATE TABLE cities (x)")
            await #expect(throws: SQLiteError.self) {
                try await Database.open(.file(folder + "/db"), migrations: [Self.cities, broken])
            }
            let database = try await Database.open(.file(folder + "/db"), migrations: [Self.cities])
            #expect(try await tables(in: database) == ["cities"])
            await database.close()
        }
    }

    @Test("a migration that violates a foreign key is rejected")
    func foreignKeys() async throws {
        let migrations = [
            Migration("tables", script: "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a)"),
            Migration("rows", revision: "1") { db in try db.execute("INSERT INTO b VALUES (7)") },
        ]
        let error = try await #require(throws: SQLiteError.self) {
            try await Database.open(.inMemory, migrations: migrations)
        }
        #expect(error.extendedCode == .constraintForeignKey)
    }

    private static let keyed = Migration(
        "keyed",
        script: """
            CREATE TABLE a (id INTEGER PRIMARY KEY);
            CREATE TABLE b (a REFERENCES a);
            CREATE TABLE other (a REFERENCES a);
            INSERT INTO a VALUES (1), (2);
            INSERT INTO b VALUES (1), (2);
            """)

    @Test(
        "a migration that violates a foreign key is rejected, however it touches either table",
        arguments: [
            "DELETE FROM a WHERE id = 1", "DELETE FROM A", "DROP TABLE a", "UPDATE a SET id = 7 WHERE id = 1",
            "INSERT INTO B VALUES (7)", "ALTER TABLE b RENAME TO c; INSERT INTO c VALUES (7)",
            "CREATE TABLE c (a REFERENCES a); INSERT INTO c VALUES (7)",
            "CREATE TABLE new_a (id INTEGER PRIMARY KEY); DROP TABLE a; ALTER TABLE new_a RENAME TO a",
            "CREATE TRIGGER follows AFTER DELETE ON other BEGIN DELETE FROM a; END; INSERT INTO other VALUES (1); DELETE FROM other",
        ])
    func danglingKeys(script: String) async throws {
        let error = await #expect(throws: SQLiteError.self) {
            try await Database.open(.inMemory, migrations: [Self.keyed, Migration("next", script: script)])
        }
        #expect(error?.extendedCode == .constraintForeignKey)
    }

    @Test(
        "the foreign keys of a table are checked, whatever letters its name has",
        arguments: [
            ("BESTELLUNGEN", "bestellungen"), ("AUFTRÄGE", "aufträge"), ("AUFTRÄGE", "auftrÄge"), ("ЛЮДИ", "ЛЮДИ"),
            // One character, but two names.
            ("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{E9}"),
        ])
    func danglingKeysOfAnyName(name: String, other: String) async throws {
        let tables = Migration(
            "tables",
            script: """
                CREATE TABLE "ÄRZTE" (id INTEGER PRIMARY KEY); INSERT INTO "ÄRZTE" VALUES (1);
                CREATE TABLE "\(name)" (x REFERENCES "ÄRZTE"); INSERT INTO "\(name)" VALUES (1);
                """)
        for script in [
            "INSERT INTO \"\(name)\" VALUES (99)", "DELETE FROM \"ÄRzTE\"",
            // Is another table than the first only if SQLite says so.
            "CREATE TABLE IF NOT EXISTS \"\(other)\" (x REFERENCES \"ÄRZTE\"); INSERT INTO \"\(other)\" VALUES (99)",
            "CREATE TABLE c (x REFERENCES \"ÄRZTE\"); INSERT INTO c VALUES (99); DROP TABLE \"\(name)\"; "
                + "ALTER TABLE c RENAME TO \"\(other)\"",
        ] {
            let error = await #expect(throws: SQLiteError.self, "\(script)") {
                try await Database.open(.inMemory, migrations: [tables, Migration("next", script: script)])
            }
            #expect(error?.extendedCode == .constraintForeignKey)
        }
    }

    @Test("a migration that reruns a statement of an earlier one is checked, too")
    func compiledStatement() async throws {
        let insert: @Sendable (Connection, Int) throws -> Void = { db, a in
            try db.execute("INSERT INTO b VALUES (\(a))")
        }
        let migrations = [
            Self.keyed, Migration("first", revision: "1") { try insert($0, 1) },
            Migration("second", revision: "1") { try insert($0, 7) },
        ]
        let error = await #expect(throws: SQLiteError.self) {
            try await Database.open(.inMemory, migrations: migrations)
        }
        #expect(error?.message.contains("second") == true)
    }

    @Test("existing violations in tables that a migration does not touch are ignored")
    func untouchedTables() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with { $0.foreignKeys = false }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: [Self.keyed])
            try await database.write { db in try db.execute("INSERT INTO other VALUES (99)") }
            await database.close()
            let next = [
                Self.keyed, Self.cities,
                Migration(
                    "rebuild", script: "CREATE TABLE c (a REFERENCES a); INSERT INTO c SELECT a FROM b; DROP TABLE b"),
            ]
            // The new table refers to the same table as the untouched one.
            await (try Database.open(.file(folder + "/db"), migrations: next)).close()
        }
    }

    @Test("foreign keys are enforced after migrations")
    func enforcement() async throws {
        let database = try await Database.open(
            .inMemory,
            migrations: [
                Migration("tables", script: "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a)")
            ])
        let error = try await #require(throws: SQLiteError.self) {
            try await database.write { db in try db.execute("INSERT INTO b VALUES (7)") }
        }
        #expect(error.extendedCode == .constraintForeignKey)
    }

    @Test("concurrently opened databases migrate a file once")
    func together() async throws {
        try await withTemporaryFolder { (folder) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let database = try await Database.open(
                            .file(folder + "/db"), migrations: [Self.cities, Self.people])
                        await database.close()
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
