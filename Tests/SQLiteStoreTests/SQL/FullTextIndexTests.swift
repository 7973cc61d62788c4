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
        #expect(FullTextIndex.match(allWordsOf: " \n") == nil)
        #expect(FullTextIndex.match(phrase: " ") == nil)
    }
}
