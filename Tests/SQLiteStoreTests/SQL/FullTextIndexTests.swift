import CSQLite
import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Full-text indexes", .takesTurns)
struct FullTextIndexTests {
    private static let index = FullTextIndex("texts", of: "travels", columns: ["title", "it's"], tokenizer: "trigram")

    private static let schema = [
        Migration("travels", script: "CREATE TABLE travels (id INTEGER PRIMARY KEY, title TEXT, \"it's\" TEXT)"),
        Migration("before", script: "INSERT INTO travels VALUES (1, 'a day at the sea', '')"),
        Migration("texts", script: index.creationScript),
    ]

    private func find(_ words: String, in database: Database) async throws -> [Int] {
        try await database.read { db in
            guard let match = FullTextIndex.match(allWordsOf: words) else { return [] }
            return try db.fetchAll(Int.self, "SELECT rowid FROM texts WHERE texts MATCH \(match) ORDER BY rowid")
        }
    }

    @Test("a full-text index follows insertions, updates and deletions of its table")
    func follow() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.schema)
        #expect(try await find("sea", in: database) == [1])
        try await database.write { db in try db.execute("INSERT INTO travels VALUES (2, 'two days at the sea', 'sun')")
        }
        #expect(try await find("sea", in: database) == [1, 2])
        try await database.write { db in try db.execute("UPDATE travels SET title = 'mountains' WHERE id = 1") }
        #expect(try await find("sea", in: database) == [2])
        #expect(try await find("mountains", in: database) == [1])
        try await database.write { db in try db.execute("DELETE FROM travels WHERE id = 2") }
        #expect(try await find("sea", in: database) == [])
        try await database.write { db in
            _ = try db.execute("INSERT INTO texts (texts, rank) VALUES ('integrity-check', 1)")
        }
    }

    @Test(
        "a full-text index forgets the rows that a REPLACE deletes",
        arguments: [
            "INSERT OR REPLACE INTO travels VALUES (1, 'mountains', 'x')",
            "REPLACE INTO travels (title, \"it's\") VALUES ('mountains', 'one')",
            "UPDATE OR REPLACE travels SET \"it's\" = 'one' WHERE id = 2",
            "INSERT INTO kept VALUES (9, 'mountains', 'one')",
        ])
    func replacing(sql: String) async throws {
        let schema = [
            Migration("travels", script: "CREATE TABLE travels (id INTEGER PRIMARY KEY, title TEXT, \"it's\" UNIQUE)"),
            Migration("texts", script: Self.index.creationScript),
            Migration(
                "rows",
                script: """
                    INSERT INTO travels VALUES (1, 'a day at the sea', 'one'), (2, 'mountains', 'two');
                    CREATE TABLE kept (id INTEGER PRIMARY KEY, title, key);
                    CREATE TRIGGER keep AFTER INSERT ON kept BEGIN
                        INSERT OR REPLACE INTO travels VALUES (new.id, new.title, new.key);
                    END;
                    """),
        ]
        let database = try await Database.open(.inMemory, migrations: schema)
        #expect(try await find("sea", in: database) == [1])
        try await database.write { db in _ = try db.execute("\(raw: sql)") }
        #expect(try await find("sea", in: database) == [])
        #expect(try await database.integrityCheck() == [])
    }

    @Test(
        "a full-text index is not created for a table whose rows VACUUM may renumber",
        arguments: [
            "(title)", "(id TEXT PRIMARY KEY, title)", "(id INT PRIMARY KEY, title)",
            "(a, b, title, PRIMARY KEY (a, b))",
            "(id INTEGER PRIMARY KEY DESC, title)", "(id INTEGER PRIMARY KEY, title) WITHOUT ROWID",
        ])
    func withoutKey(columns: String) async throws {
        let index = FullTextIndex("texts", of: "my travels", columns: ["title"])
        let database = try await Database.open(
            .inMemory, migrations: [Migration("t", script: "CREATE TABLE \"my travels\" \(columns)")])
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { db in try db.executeScript(index.creationScript) }
        }
        let message = "the table my travels has no INTEGER PRIMARY KEY by which a full-text index can refer to its rows"
        #expect(error?.message.contains(message) == true)
        let tables = try await database.read { db in try db.fetchAll(String.self, "SELECT name FROM sqlite_schema") }
        #expect(!tables.contains("texts"))
    }

    @Test(
        "a full-text index follows its table across a vacuum",
        arguments: [
            "id INTEGER PRIMARY KEY, title", "title, id INTEGER PRIMARY KEY AUTOINCREMENT",
            "id integer, title, PRIMARY KEY (id DESC)",
        ])
    func vacuum(columns: String) async throws {
        let index = FullTextIndex("texts", of: "travels", columns: ["title"])
        try await withTemporaryDatabase(
            migrations: [
                Migration("t", script: "CREATE TABLE travels (\(columns))"),
                Migration("texts", script: index.creationScript),
            ]
        ) { database in
            try await database.write { db in
                try db.executeScript(
                    "INSERT INTO travels (title) VALUES ('hill'), ('sea'), ('sea'); DELETE FROM travels WHERE id = 1")
            }
            try await database.vacuum()
            #expect(try await find("sea", in: database) == [2, 3])
            #expect(try await database.integrityCheck() == [])
        }
    }

    @Test(
        "an integrity check finds full-text indexes that do not match their texts, and wakes no observer",
        arguments: [
            ("fts5(body, content = 'notes')", "DELETE FROM notes"), ("fts5(body)", "DELETE FROM texts_content"),
            ("fts4(body, content=\"notes\")", "DELETE FROM notes"), ("fts4(body)", "DELETE FROM texts_segdir"),
        ])
    func integrity(definition: String, damage: String) async throws {
        let schema = Migration(
            "texts",
            script: """
                CREATE TABLE notes (body); INSERT INTO notes VALUES ('sea'), ('lake');
                CREATE VIRTUAL TABLE texts USING \(definition);
                INSERT INTO texts (rowid, body) SELECT rowid, body FROM notes;
                CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
                """)
        try await withTemporaryFolder { (folder) async throws in
            // The archive is attached, and its index is sound.
            let archive = try await Database.open(.file(folder + "/archive"), migrations: [schema])
            await archive.close()
            let configuration = Database.Configuration().with { $0.attached = ["archive": folder + "/archive"] }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: [schema])
            let texts = database.observe(String.self, "SELECT body FROM texts WHERE texts MATCH 'sea'")
            var iterator = texts.makeAsyncIterator()
            #expect(try await iterator.next() == ["sea"])
            #expect(try await database.integrityCheck() == [])
            #expect(!texts.isStale)
            try await database.write { db in
                // Otherwise SQLite rejects changes of the tables in which an index is stored.
                csqlite_db_config(db.handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
                try db.execute("\(raw: damage)")
            }
            let problems = try await database.integrityCheck()
            #expect(problems.contains { $0.hasPrefix("the full-text index \"texts\" does not match its texts: run ") })
            await database.close()
        }
    }

    @Test(
        "words of a full-text search are not interpreted as operators",
        arguments: ["sea\" OR \"x", "sea AND", "NEAR(sea)", "sea*", "-sea", "title:sea", "^sea", "((", "\"", "a\0b"])
    func quoting(input: String) async throws {
        let database = try await Database.open(.inMemory, migrations: Self.schema)
        #expect(try await find(input, in: database) == [])
    }

    @Test("match expressions consist of words, prefixes and phrases")
    func expressions() {
        #expect(FullTextIndex.match(allWordsOf: "  day  sea ") == "\"day\" \"sea\"")
        #expect(FullTextIndex.match(allWordsOf: "day se", lastIsPrefix: true) == "\"day\" \"se\"*")
        #expect(FullTextIndex.match(phrase: "day at") == "\"day at\"")
        for blank in [" \n", "", "…", "?! - \"", "\0", "🏔️"] { #expect(FullTextIndex.match(allWordsOf: blank) == nil) }
        #expect(FullTextIndex.match(allWordsOf: "c++ -") == "\"c++\" \"-\"")
        #expect(FullTextIndex.match(phrase: "...") == "\"...\"")
        #expect(FullTextIndex.match(phrase: " ") == nil)
    }
}
