import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

/// The code of the article "Topic guides".
@Suite("Topic guides", .limitedConcurrency)
struct TopicGuideTests {
    @Test("the code of the article is that of these tests")
    func codeIsTested() throws { try expectCode(of: "TopicGuides", inSource: #filePath) }

    @Test("what a user types finds words, the last one by its beginning, and has no syntax")
    func fullText() async throws {
        let words = FullTextIndex("words", of: "texts", columns: ["body"])
        let migrations = [
            Migration("texts", script: "CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"),
            Migration("words", creating: words),
        ]
        let database = try await Database.open(.inMemory, migrations: migrations)
        try await database.write { db in
            for body in ["a walk by the sea", "the lake", "NOT \"quoted\""] {
                try db.execute("INSERT INTO texts (body) VALUES (\(body))")
            }
            try db.execute("UPDATE texts SET body = 'the long lake' WHERE body = 'the lake'")
        }

        let found = try await database.read { db in
            guard let pattern = FullTextPattern(allWordsIn: "the se", prefixes: .lastWord) else {
                return [] as [String]
            }
            return try db.fetchAll(
                String.self,
                """
                SELECT highlight(words, 0, '[', ']') FROM words JOIN texts ON texts.id = words.rowid
                WHERE words MATCH \(pattern) ORDER BY bm25(words) LIMIT 20
                """)
        }

        #expect(found == ["a walk by [the] [sea]"])
        for (typed, count) in [("long", 1), ("lake", 1), ("NOT \"quo", 1), ("by OR lake", 0)] {
            let matches = try await database.read { db in
                let pattern = FullTextPattern(allWordsIn: typed, prefixes: .lastWord)
                return try db.fetchOne(Int.self, "SELECT COUNT(*) FROM words WHERE words MATCH \(pattern)")
            }
            #expect(matches == count, "\(typed)")
        }
        await database.close()
    }

    @Test("a tokenizer of one's own finds what it has made tokens of")
    func tokenizer() async throws {
        let configuration = Database.Configuration().with { $0.prepare = { db in try db.addLetterTokenizer() } }
        let letters = FullTextIndex("letters_of_texts", of: "texts", columns: ["body"], tokenizer: "letters")
        let migrations = [
            Migration("texts", script: "CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"),
            Migration("letters", creating: letters),
        ]
        try await withTemporaryDatabase(configuration: configuration, migrations: migrations) {
            (database) async throws in
            try await database.write { db in
                for body in ["부산 바다", "바람", "A\u{0} sea"] {
                    try db.execute("INSERT INTO texts (body) VALUES (\(body))")
                }
            }
            for (typed, found) in [("바다", ["부산 바다"]), ("산바", ["부산 바다"]), ("EA", ["A\u{0} sea"]), ("다바", [])] {
                let texts = try await database.read { db in
                    try db.fetchAll(
                        String.self,
                        """
                        SELECT body FROM letters_of_texts WHERE letters_of_texts MATCH \(FullTextPattern(phrase: typed))
                        """)
                }
                #expect(texts == found, "\(typed)")
            }
            #expect(try await database.write { db in try letters.problems(in: db) } == [])
        }
    }

    @Test("dates sort, compare, and are read by SQLite's functions")
    func dates() async throws {
        let script = "CREATE TABLE visits (city TEXT NOT NULL, at TEXT NOT NULL) STRICT"
        let database = try await Database.open(.inMemory, migrations: [Migration("visits", script: script)])
        let midnight = Date(timeIntervalSince1970: 1_714_521_600)  // 2024-05-01
        try await database.write { db in
            try db.execute("INSERT INTO visits (city, at) VALUES (\("Busan"), \(midnight))")
        }
        let (recent, month) = try await database.read { db in
            (
                try db.fetchAll(Date.self, "SELECT at FROM visits WHERE at >= \(midnight) ORDER BY at"),
                try db.fetchOne(String.self, "SELECT strftime('%m', at) FROM visits")
            )
        }
        #expect(recent == [midnight] && month == "05")
        await database.close()
    }

    @Test("two databases on one file see each other's commits")
    func sharing() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/shared.sqlite"
            let migrations = [Migration("cities", script: "CREATE TABLE cities (name TEXT PRIMARY KEY) STRICT")]
            let shared = Database.Configuration().with {
                $0.busyTimeout = .seconds(10)
                $0.externalChangeInterval = .milliseconds(20)
            }
            let app = try await Database.open(.file(path), configuration: shared, migrations: migrations)
            let importer = try await Database.open(.file(path), configuration: shared, migrations: migrations)
            var names = app.observe(String.self, "SELECT name FROM cities").makeAsyncIterator()
            #expect(try await names.next() == [])
            try await importer.write { db in try db.execute("INSERT INTO cities VALUES ('Busan')") }
            #expect(try await names.next() == ["Busan"])
            await importer.close()
            await app.close()
        }
    }

    @Test("a notification suspends a database, and another resumes it")
    func suspension() async throws {
        let suspendsDatabases = Notification.Name("suspendsDatabases")
        let resumesDatabases = Notification.Name("resumesDatabases")
        try await withTemporaryDatabase { (database) async throws in
            let center = NotificationCenter.default
            let observers = [
                center.addObserver(forName: suspendsDatabases, object: nil, queue: nil) { _ in
                    database.blockingSuspend()
                },
                center.addObserver(forName: resumesDatabases, object: nil, queue: nil) { _ in database.resume() },
            ]
            let one: @Sendable (Connection) throws -> Int? = { db in try db.fetchOne(Int.self, "SELECT 1") }
            await onThread { NotificationCenter.default.post(name: suspendsDatabases, object: nil) }
            #expect(await errorCode { _ = try await database.read(one) } == .suspended)
            await onThread { NotificationCenter.default.post(name: resumesDatabases, object: nil) }
            #expect(try await database.read(one) == 1)
            for observer in observers { center.removeObserver(observer) }
        }
    }

    private struct NotEnough: Error {}

    @Test("a rule inside a write holds, and a broken rule changes nothing")
    func isolation() async throws {
        let script = """
            CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL) STRICT;
            INSERT INTO accounts VALUES (1, 7), (2, 0);
            """
        let migrations = [Migration("accounts", script: script)]
        let configuration = Database.Configuration().with { $0.execution = .inline }
        let database = try await Database.open(.inMemory, configuration: configuration, migrations: migrations)
        func pay() async throws {
            try await database.write { db in
                let balance = try db.fetchOne(Int.self, "SELECT balance FROM accounts WHERE id = \(1)") ?? 0
                guard balance >= 5 else { throw NotEnough() }
                try db.execute("UPDATE accounts SET balance = balance - 5 WHERE id = \(1)")
                try db.execute("UPDATE accounts SET balance = balance + 5 WHERE id = \(2)")
            }
        }
        try await pay()
        await #expect(throws: NotEnough.self) { try await pay() }
        let balances = try await database.read { db in
            try db.fetchAll(Int.self, "SELECT balance FROM accounts ORDER BY id")
        }
        #expect(balances == [2, 5])
        await database.close()
    }
}

extension Connection {
    /// Registers a tokenizer whose tokens are the letters and digits of a text, one by one.
    func addLetterTokenizer() throws {
        var api: UnsafeMutablePointer<fts5_api>?
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nil)
        withUnsafeMutablePointer(to: &api) { api in
            sqlite3_bind_pointer(statement, 1, api, "fts5_api_ptr", nil)
            sqlite3_step(statement)
        }
        sqlite3_finalize(statement)
        var tokenizer = fts5_tokenizer(
            xCreate: { _, _, _, tokenizer in
                // It needs no state, but an address.
                tokenizer?.pointee = OpaquePointer(bitPattern: 1)
                return SQLITE_OK
            },
            xDelete: { _ in },
            xTokenize: { _, context, _, text, count, addToken in
                let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
                guard let text = String(validating: bytes, as: UTF8.self) else { return SQLITE_OK }
                var (code, start) = (SQLITE_OK, Int32(0))
                for character in text where code == SQLITE_OK {
                    let end = start + Int32(character.utf8.count)
                    if character.isLetter || character.isNumber {
                        let token = character.lowercased()
                        code = addToken?(context, 0, token, Int32(token.utf8.count), start, end) ?? SQLITE_OK
                    }
                    start = end
                }
                return code
            })
        guard let api, api.pointee.xCreateTokenizer(api, "letters", nil, &tokenizer, nil) == SQLITE_OK else {
            throw SQLiteError(.error, "the tokenizer cannot be registered")
        }
    }
}
