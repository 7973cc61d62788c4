import SQLiteStore
import TestTurns
import Testing

@Suite("Functions and collations", .takesTurns)
struct FunctionTests {
    private func open() async throws -> Database {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in
                try db.addFunction("reversed") { (text: String) in String(text.reversed()) }
                try db.addFunction("plus") { (left: Int, right: Int?) -> Int? in right.map { left + $0 } }
                try db.addFunction("answer") { 42 }
                try db.addFunction("refuse") { (_: Int) -> Int in throw FunctionError("refused by Swift") }
                try db.addFunction("count_all", values: { .integer(Int64($0.count)) })
                try db.addCollation("by_length") { $0.count < $1.count }
            }
        }
        return try await Database.open(.inMemory, configuration: configuration)
    }

    @Test("functions take and return values")
    func values() async throws {
        let database = try await open()
        let row = try await database.read { db in
            try db.fetchOne("SELECT reversed('여행'), plus(1, 2), plus(1, NULL), answer(), count_all(1, 'a', x'00')") {
                row in
                [
                    try row[0] as String, "\(try row[1] as Int)", "\((try row[2] as Int?) == nil)",
                    "\(try row[3] as Int)", "\(try row[4] as Int)",
                ]
            }
        }
        #expect(row == ["행여", "3", "true", "42", "3"])
    }

    @Test(
        "errors of a function and arguments of another type fail the statement",
        arguments: [
            ("refuse(1)", "refused by Swift"), ("plus('a', 1)", "column 0 \"argument\": expected Int, found TEXT"),
        ])
    func errors(expression: String, message: String) async throws {
        let database = try await open()
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read { db in try db.fetchOne(Int?.self, "SELECT \(raw: expression)") }
        }
        #expect(error?.message == message)
    }

    @Test("a collation defines the order of texts")
    func collation() async throws {
        let database = try await open()
        let words = try await database.read { db in
            try db.fetchAll(
                String.self, "SELECT value FROM json_each(\(json: ["ccc", "a", "bb"])) ORDER BY value COLLATE by_length"
            )
        }
        #expect(words == ["a", "bb", "ccc"])
    }
}
