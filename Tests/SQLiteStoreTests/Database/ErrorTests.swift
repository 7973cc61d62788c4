import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Errors", .takesTurns)
struct ErrorTests {
    private static let schema = [
        Migration(
            "t", script: "CREATE VIRTUAL TABLE words USING fts5 (word); CREATE TABLE names (name TEXT UNIQUE)")
    ]

    /// What the access throws, on a database that also has a function `refuse`, which quotes its argument.
    private func error(_ access: @escaping @Sendable (Connection) throws -> Void) async throws -> SQLiteError? {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in
                try db.addFunction("refuse") { (text: String) throws -> Int in
                    throw SQLiteError(.error, "no \(text)!")
                }
            }
        }
        return try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            await #expect(throws: SQLiteError.self) { try await database.writeWithoutTransaction(access) }
        }
    }

    static let quoting: [(sql: SQL, message: String)] = [
        ("SELECT * FROM words WHERE words MATCH \("kim:busan")", "no such column: …"),
        ("SELECT * FROM words WHERE words MATCH \("(a) ) kim busan")", "fts5: syntax error near \")\""),
        ("SELECT * FROM words WHERE words MATCH \("서울 + + kim")", "fts5: syntax error near \"+\""),
        ("SELECT * FROM words WHERE words MATCH \(#"- "kim's 서울""#)", "no such column: …'… …"),
        ("SELECT * FROM words WHERE words MATCH \(Array("kim:busan".utf8))", "no such column: …"),
        ("SELECT json_extract('{}', \("kim busan"))", "JSON path error near '… …'"),
        ("VACUUM INTO \("/nowhere/kim")", "unable to open database: /…/…"),
        ("SELECT refuse(\("kim, busan"))", "no …, …!"),
        ("SELECT refuse('in the text') + \(1)", "no in the text!"),
    ]

    @Test("quote no bound value, though SQLite's own do", arguments: quoting.indices)
    func values(index: Int) async throws {
        let (sql, message) = Self.quoting[index]
        let error = try await error { db in _ = try db.execute(sql) }
        #expect(error?.message == message)
        #expect(error?.sql == sql.text)
    }

    @Test("of constraints name what is in the schema, whatever the values are")
    func constraint() async throws {
        let error = try await error { db in
            for _ in 0..<2 { try db.execute("INSERT INTO names VALUES (\("UNIQUE"))") }
        }
        #expect(error?.message == "UNIQUE constraint failed: names.name")
        #expect(error?.extendedCode == .constraintUnique)
    }

    @Test("of JSON say where, by the names in the source and not by what is in the data")
    func path() async throws {
        struct Trip: Decodable {
            let days: [String: [Int]]
        }
        let error = try await error { db in
            _ = try db.fetchOne(JSON<Trip>.self, "SELECT \(#"{"days":{"kim":[1,"busan"]}}"#)")
        }
        #expect(error?.message.hasSuffix("found TEXT, which is not JSON of one, at days.*.1") == true)
    }

    @Test("of a text that is NULL say so")
    func missingText() async throws {
        let error = try await error { db in
            try db.forEach("SELECT NULL AS name") { row in
                try row.withColumn(0) { column in try column.withTextBytes { _ in } }
            }
        }
        #expect(error?.message == "column 0 \"name\": expected String, found NULL")
    }
}
