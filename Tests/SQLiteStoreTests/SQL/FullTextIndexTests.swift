import SQLiteStore
import TestConcurrency
import TestReporting
import Testing

@Suite("Full-text indexes", .limitedConcurrency)
struct FullTextIndexTests {
    @Test(
        "a REPLACE fires the delete triggers of the rows that it replaces",
        arguments: [
            "INSERT OR REPLACE INTO trips VALUES (1, 'mountains', 'x')",
            "REPLACE INTO trips (title, \"it's\") VALUES ('mountains', 'one')",
            "UPDATE OR REPLACE trips SET \"it's\" = 'one' WHERE id = 2",
            "INSERT INTO kept VALUES (9, 'mountains', 'one')",
        ])
    func replacing(sql: String) async throws {
        let schema = [
            Migration("trips", script: "CREATE TABLE trips (id INTEGER PRIMARY KEY, title TEXT, \"it's\" UNIQUE)"),
            Migration("texts", creating: FullTextIndex("texts", of: "trips", columns: ["title"])),
            Migration(
                "rows",
                script: """
                    INSERT INTO trips VALUES (1, 'a day at the sea', 'one'), (2, 'mountains', 'two');
                    CREATE TABLE kept (id INTEGER PRIMARY KEY, title, key);
                    CREATE TRIGGER keep AFTER INSERT ON kept BEGIN
                        INSERT OR REPLACE INTO trips VALUES (new.id, new.title, new.key);
                    END;
                    """),
        ]
        let database = try await Database.open(.inMemory, migrations: schema)
        let find: @Sendable (Connection) throws -> [Int] = { db in
            try db.fetchAll(Int.self, "SELECT rowid FROM texts WHERE texts MATCH 'sea'")
        }
        #expect(try await database.read(find) == [1])
        try await database.write { db in _ = try db.execute("\(raw: sql)") }
        #expect(try await database.read(find) == [])
        #expect(try await database.integrityCheck() == [])
    }

    private static let index = FullTextIndex(#"the "texts""#, of: "my trips", columns: ["Title", "it's"])
    private static let migrations = [
        Migration(
            "trips", script: #"CREATE TABLE "my trips" (id INTEGER PRIMARY KEY, title TEXT, "it's", key TEXT UNIQUE)"#),
        Migration("rows", script: #"INSERT INTO "my trips" VALUES (1, 'a day at the sea', 'blue', 'one')"#),
        Migration("texts", creating: index),
    ]

    private static func find(_ pattern: FullTextPattern?, in db: Connection) throws -> [Int] {
        let name = index.name
        return try db.fetchAll(
            Int.self, "SELECT rowid FROM \(identifier: name) WHERE \(identifier: name) MATCH \(pattern) ORDER BY rowid")
    }

    @Test("an index has the rows that existed, and follows changes of texts and keys")
    func changes() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        try await database.write { db in
            let sea = FullTextPattern(allWordsIn: "SEA blue")
            #expect(try Self.find(sea, in: db) == [1])
            try db.execute("UPDATE \(identifier: "my trips") SET rowid = 7")
            #expect(try Self.find(sea, in: db) == [7])
            try db.execute(
                """
                INSERT INTO \(identifier: "my trips") VALUES (7, 'mountains', 1, 'x')
                ON CONFLICT (id) DO UPDATE SET title = excluded.title
                """)
            #expect(try Self.find(sea, in: db) == [])
            #expect(try Self.find(FullTextPattern(phrase: "mountains"), in: db) == [7])
            try db.execute("DELETE FROM \(identifier: "my trips")")
            #expect(try Self.find(FullTextPattern(phrase: "mountains"), in: db) == [])
            #expect(try Self.index.problems(in: db) == [])
        }
        await database.close()
    }

    @Test("generated changes leave an index that is equal to its table", arguments: 0..<20 as Range<UInt64>)
    func generatedChanges(seed: UInt64) async throws {
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        try await database.write { db in
            var generator = SeededGenerator(seed: seed)
            func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
            for _ in 0..<80 {
                let (id, key) = (random(5), random(3) == 0 ? nil : "\(random(4))")
                let title = ["sea", "Sea blue", "1", nil, "é\u{301} x"][random(5)]
                let value: SQLValue = [.integer(1), .real(1), .text("1"), .null, .text("SEA")][random(5)]
                let table: SQL = #""my trips""#
                let sql: SQL =
                    switch random(7) {
                    case 0: "INSERT OR IGNORE INTO \(table) VALUES (\(id), \(title), \(value), \(key))"
                    case 1: "REPLACE INTO \(table) VALUES (\(id), \(title), \(value), \(key))"
                    case 2:
                        "UPDATE OR REPLACE \(table) SET key = \(key), \(identifier: "it's") = \(value) WHERE id = \(id)"
                    case 3: "UPDATE OR IGNORE \(table) SET id = \(id) WHERE id = \(random(5))"
                    case 4: "DELETE FROM \(table) WHERE key IS \(key)"
                    case 5:
                        """
                        INSERT INTO \(table) VALUES (\(id), \(title), \(value), NULL)
                        ON CONFLICT (id) DO UPDATE SET title = excluded.title, \(identifier: "it's") = \(value)
                        """
                    default: "UPDATE \(table) SET title = \(title)"
                    }
                struct Undo: Error {}
                let isUndone = random(4) == 0
                do {
                    try db.transaction {
                        try db.execute(sql)
                        if isUndone { throw Undo() }
                    }
                } catch is Undo {}
            }
            #expect(try Self.index.problems(in: db) == [])
        }
        await database.close()
    }

    @Test("a missing trigger and a different content are found, and a rebuild mends the content")
    func problems() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        try await database.write { db in
            try db.execute(#"DROP TRIGGER "the ""texts"" insert""#)
            try db.execute(#"INSERT INTO "my trips" (title) VALUES ('lost')"#)
            let missing = #"the trigger "the "texts" insert" is missing"#
            #expect(
                try Self.index.problems(in: db) == [missing, #"the index differs from the table "my trips""#])
            try Self.index.rebuild(in: db)
            #expect(try Self.index.problems(in: db) == [missing])
        }
        await database.close()
    }

    @Test(
        "an index of a table without an integer key, or of a missing column, is refused",
        arguments: [
            ("CREATE TABLE trips (title TEXT)", "no INTEGER PRIMARY KEY"),
            ("CREATE TABLE trips (id TEXT PRIMARY KEY, title TEXT)", "no INTEGER PRIMARY KEY"),
            ("CREATE TABLE trips (id INTEGER PRIMARY KEY, name TEXT)", "no column"), ("SELECT 1", "no table"),
        ])
    func refusals(schema: String, reason: String) async throws {
        let error = await #expect(throws: SQLiteError.self) {
            try await Database.open(
                .inMemory,
                migrations: [
                    Migration("trips", script: schema),
                    Migration("texts", creating: FullTextIndex("texts", of: "trips", columns: ["title"])),
                ])
        }
        #expect(error?.code == .misuse)
        #expect(error.map { "\($0)".contains(reason) } == true)
    }

    @Test("a pattern takes what a person types as words, whatever it is")
    func patterns() async throws {
        #expect(FullTextPattern(allWordsIn: " … \"") == nil)
        #expect(FullTextPattern(anyWordIn: "") == nil)
        #expect(FullTextPattern(phrase: " \0 ") == nil)
        #expect(FullTextPattern(allWordsIn: "blue NOT", prefixes: .lastWord)?.description == #""blue" "NOT"*"#)
        #expect(FullTextPattern(allWordsIn: "wal se", prefixes: .everyWord)?.description == #""wal"* "se"*"#)
        #expect(FullTextPattern(anyWordIn: "a - b", in: ["it's"])?.description == #"{"it's"} : ("a" OR "b")"#)
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        try await database.write { db in
            for pattern in [
                FullTextPattern(allWordsIn: "the se", prefixes: .lastWord), FullTextPattern(anyWordIn: "no \"sea\""),
                FullTextPattern(phrase: "at the"), FullTextPattern(allWordsIn: "sea", in: ["Title"]),
                FullTextPattern(raw: "sea NOT red"),
            ] {
                #expect(try Self.find(pattern, in: db) == [1])
            }
            #expect(try Self.find(FullTextPattern(allWordsIn: "sea", in: ["it's"]), in: db) == [])
            #expect(try Self.find(FullTextPattern(phrase: "the at"), in: db) == [])
            let pieces = [
                "\"", "*", "(", ")", "^", "{", ":", "-", "+", "NEAR(", "AND", "a", "é", "\u{301}", "\0", " ", "'", "한",
            ]
            var random = SeededGenerator(seed: 1)
            for _ in 0..<500 {
                let text = (0..<6).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }.joined()
                for pattern in [
                    FullTextPattern(allWordsIn: text, prefixes: .lastWord), FullTextPattern(anyWordIn: text),
                    FullTextPattern(phrase: text, in: ["Title"]),
                ] {
                    if let pattern { _ = try Self.find(pattern, in: db) }
                }
            }
        }
        await database.close()
    }

    @Test("a trigram index finds parts of words, and results are ranked and marked")
    func trigrams() async throws {
        let texts = FullTextIndex("texts", of: "trips", columns: ["title"], tokenizer: "trigram")
        let database = try await Database.open(
            .inMemory,
            migrations: [
                Migration("trips", script: "CREATE TABLE trips (id INTEGER PRIMARY KEY, title TEXT)"),
                Migration("texts", creating: texts),
            ])
        try await database.write { db in
            try db.execute("INSERT INTO trips (title) VALUES ('seaside, seaside'), ('undersea worlds')")
            let marked = try db.fetchAll(
                String.self,
                """
                SELECT highlight(texts, 0, '[', ']') FROM texts WHERE texts MATCH \(FullTextPattern(phrase: "sea"))
                ORDER BY bm25(texts)
                """)
            #expect(marked == ["[sea]side, [sea]side", "under[sea] worlds"])
        }
        await database.close()
    }
}
