import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

/// The code of the article "Moving from GRDB", on files as GRDB writes them.
@Suite("Moving from GRDB", .limitedConcurrency)
struct MovingFromGRDBTests {
    @Test("the code of the article is that of these tests")
    func codeIsTested() throws { try expectCode(of: "MovingFromGRDB", inSource: #filePath) }

    @Test(
        "a file with migrations of GRDB gets those that it lacks, once, and a new file all of them",
        arguments: [
            [],
            ["CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"],
            [
                "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
                "INSERT INTO grdb_migrations VALUES ('players')",
                "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
                "INSERT INTO player VALUES (1, 'Mina')",
            ],
            [
                "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
                "INSERT INTO grdb_migrations VALUES ('players'), ('scores')",
                "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL DEFAULT 0)",
                "INSERT INTO player VALUES (1, 'Mina', 7)",
            ],
        ])
    func migrations(statements: [String]) async throws {
        let fromGRDB = Migration(
            "from GRDB",
            adoptingGRDB: [
                "players": "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
                "scores": "ALTER TABLE player ADD COLUMN score INTEGER NOT NULL DEFAULT 0",
            ])
        try await withTemporaryFolder { folder in
            let path = folder + "/players.sqlite"
            let written = try await Database.open(.file(path))
            try await written.write { db in for statement in statements { try db.executeScript(statement) } }
            await written.close()

            for _ in 1...2 {
                let database = try await Database.open(.file(path), migrations: [fromGRDB])
                let players = try await database.read { db in
                    try db.fetchAll("SELECT name, score FROM player") { row in
                        "\(try row[0] as String) \(try row[1] as Int)"
                    }
                }
                switch statements.count {
                case 0, 1: #expect(players == [])
                case _ where statements[3].hasSuffix("7)"): #expect(players == ["Mina 7"])
                default: #expect(players == ["Mina 0"])
                }
                await database.close()
            }
        }
    }

    @Test("a file with a migration of GRDB that the list lacks is refused, and left as it was")
    func newerFile() async throws {
        let statements = "CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES ('teams')"
        try await withTemporaryFolder { folder in
            let location = Database.Location.file(folder + "/players.sqlite")
            let written = try await Database.open(location)
            try await written.write { db in try db.executeScript(statements) }
            await written.close()
            let error = await #expect(throws: SQLiteError.self) {
                try await Database.open(
                    location,
                    migrations: [Migration("from GRDB", adoptingGRDB: ["players": "CREATE TABLE player (id)"])])
            }
            #expect(error?.code == .databaseIsNewer)
            let database = try await Database.open(location)
            #expect(
                try await database.read { db in
                    try db.fetchAll(String.self, "SELECT name FROM sqlite_schema WHERE type = 'table'")
                } == ["grdb_migrations"])
            await database.close()
        }
    }

    @Test("dates and identifiers that GRDB wrote sort and compare with new ones after the migrations")
    func values() async throws {
        let dates = Migration(
            "dates",
            script: "UPDATE trips SET created_at = strftime('%Y-%m-%dT%H:%M:%f', created_at) || '000000Z'")
        let identifiers = Migration(
            "identifiers",
            script: """
                UPDATE trips SET id = substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4)
                    || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)
                WHERE typeof(id) = 'blob'
                """)
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let new = Date(timeIntervalSince1970: 1_714_566_897)
        let rows = Migration(
            "rows",
            script: """
                CREATE TABLE trips (id PRIMARY KEY, created_at TEXT NOT NULL);
                INSERT INTO trips VALUES (X'E621E1F8C36C495A93FC0C247A3E6E5F', '2024-05-01 12:34:56.789');
                """)

        let database = try await Database.open(.inMemory, migrations: [rows, dates, identifiers])
        try await database.write { db in try db.execute("INSERT INTO trips VALUES (\(UUID()), \(new))") }

        let sorted = try await database.read { db in
            try db.fetchAll(Date.self, "SELECT created_at FROM trips ORDER BY 1")
        }
        #expect(sorted.map { ($0.timeIntervalSince1970 * 1_000).rounded() } == [1_714_566_896_789, 1_714_566_897_000])
        let found = try await database.read { db in
            try db.fetchOne(Date.self, "SELECT created_at FROM trips WHERE id = \(id) AND created_at < \(new)")
        }
        #expect(found != nil)
        await database.close()
    }

    @Test("the number of changed rows is the result of the statement")
    func changes() async throws {
        let script =
            "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO player VALUES (1, 'Mina')"
        let database = try await Database.open(.inMemory, migrations: [Migration("players", script: script)])
        for (id, isThere) in [(1, true), (2, false)] {
            let name = "Sora"
            let wasRenamed = try await database.write { db in
                try db.execute("UPDATE player SET name = \(name) WHERE id = \(id)") == 1
            }
            #expect(wasRenamed == isThere)
        }
        let (added, total) = try await database.write { db in
            (
                try db.fetchOne(Int64.self, "INSERT INTO player (name) VALUES ('Jun') RETURNING id"),
                try db.fetchOne(Int.self, "SELECT total_changes()")
            )
        }
        #expect(added == 2 && (total ?? 0) >= 3)
        await database.close()
    }

    @Test("patterns find any word, beginnings of all words, or a phrase")
    func patterns() async throws {
        let script = """
            CREATE VIRTUAL TABLE words USING fts5 (body);
            INSERT INTO words VALUES ('a walk by the sea'), ('the lake'), ('sea, walk');
            """
        let database = try await Database.open(.inMemory, migrations: [Migration("words", script: script)])
        for (pattern, count) in [
            (FullTextPattern(anyWordIn: "lake walk"), 3),
            (FullTextPattern(allWordsIn: "wal se", prefixes: .everyWord), 2),
            (FullTextPattern(phrase: "walk by the"), 1), (FullTextPattern(phrase: "walk sea"), 0),
        ] {
            let found = try await database.read { db in
                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM words WHERE words MATCH \(pattern)")
            }
            #expect(found == count, "\(pattern?.description ?? "nil")")
        }
        await database.close()
    }

    @Test("a collation that a column names is registered by the app, for writing and reading connections")
    func collations() async throws {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in
                try db.addCollation("swiftLocalizedCaseInsensitiveCompare") { $0.localizedCaseInsensitiveCompare($1) }
            }
        }
        let script = """
            CREATE TABLE player (name TEXT NOT NULL COLLATE swiftLocalizedCaseInsensitiveCompare);
            CREATE INDEX players ON player (name);
            INSERT INTO player VALUES ('Mina'), ('jun'), ('Sora'), ('mina'), ('');
            """
        try await withTemporaryFolder { folder in
            let (path, migrations) = (folder + "/players.sqlite", [Migration("players", script: script)])
            let names = "SELECT lower(name) FROM player ORDER BY name" as SQL
            let database = try await Database.open(.file(path), configuration: configuration, migrations: migrations)
            #expect(
                try await database.read { db in try db.fetchAll(String.self, names) } == [
                    "", "jun", "mina", "mina", "sora",
                ])
            #expect(try await database.integrityCheck() == [])
            await database.close()

            let without = try await Database.open(.file(path), migrations: migrations)
            let error = await #expect(throws: SQLiteError.self) {
                try await without.read { db in try db.fetchAll(String.self, names) }
            }
            #expect(error?.message.contains("no such collation sequence") == true)
            await without.close()
        }
    }
}

/// The code of the article "Moving from SQLite.swift".
@Suite("Moving from SQLite.swift", .limitedConcurrency)
struct MovingFromSQLiteSwiftTests {
    @Test("the code of the article is that of these tests")
    func codeIsTested() throws { try expectCode(of: "MovingFromSQLiteSwift", inSource: #filePath) }

    @Test("a file with the number of its schema gets what it lacks, once, and a new file everything", arguments: 0...2)
    func versions(applied: Int) async throws {
        let steps = [
            "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
            "ALTER TABLE users ADD COLUMN email TEXT",
        ]
        let fromVersions = Migration("from versions", revision: steps.joined(separator: ";")) { db in
            let version = try db.fetchOne(Int.self, "PRAGMA user_version") ?? 0
            for step in steps.dropFirst(version) { try db.executeScript(step) }
        }
        try await withTemporaryFolder { folder in
            let path = folder + "/users.sqlite"
            let written = try await Database.open(.file(path))
            try await written.write { db in
                for step in steps.prefix(applied) { try db.executeScript(step) }
                try db.executeScript("PRAGMA user_version = \(applied)")
            }
            await written.close()

            for _ in 1...2 {
                let database = try await Database.open(.file(path), migrations: [fromVersions])
                let users = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(email) FROM users")
                }
                #expect(users == 0)
                await database.close()
            }
        }
    }
}
