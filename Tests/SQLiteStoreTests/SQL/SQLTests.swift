import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("SQL literals", .takesTurns)
struct SQLTests {
    @Test("every interpolated value of a literal is bound")
    func bind() throws {
        let name = "Robert'); DROP TABLE students;--"
        let sql: SQL = "SELECT \(1), \(2.5), \(name), \([1, 2] as [UInt8]), \(nil as Int?), \(true)"
        #expect(sql.text == "SELECT ?, ?, ?, ?, ?, ?")
        #expect(
            try sql.values == [.integer(1), .real(2.5), .text(name), .blob([1, 2]), .null, .integer(1)])
    }

    @Test(
        "lists expand to one parameter for each value",
        arguments: [([1, 2, 3], "x IN (?, ?, ?)"), ([7], "x IN (?)"), ([], "x IN ()")])
    func expand(list: [Int], text: String) throws {
        let sql: SQL = "x IN \(list)"
        #expect(sql.text == text)
        #expect(try sql.values == list.map { .integer(Int64($0)) })
    }

    @Test("every value of a long list is bound")
    func longList() async throws {
        let values = (0..<200).map { SQLValue.text("w\"\\\n\u{1}\($0)") } + [.real(0.1), .text("a\0b"), .blob([1, 2])]
        let sql: SQL = "SELECT \(SQLValue.real(0.1)) IN \(values)"
        #expect(try sql.values == [.real(0.1)] + values)
        let database = try await Database.open(.inMemory)
        #expect(try await database.read { db in try db.fetchOne(Bool.self, sql) } == true)
    }

    @Test(
        "values without an equivalent in SQLite's JSON are rejected in JSON lists",
        arguments: [SQLValue.real(.infinity), .text("a\0b"), .blob([1, 2])])
    func notInJSON(value: SQLValue) {
        let error = #expect(throws: SQLiteError.self) { try ("\(json: [value])" as SQL).values }
        #expect(error?.code == .mismatch)
    }

    @Test("SQL text with a NUL is rejected")
    func textWithNUL() async throws {
        let database = try await Database.open(.inMemory)
        for sql in ["SELECT 1 \(raw: "\0") + 1", SQL(raw: "SELECT 1\0")] {
            let error = await #expect(throws: SQLiteError.self) {
                try await database.read { db in try db.fetchOne(Int.self, sql) }
            }
            #expect(error?.code == .misuse)
        }
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { db in try db.executeScript("CREATE TABLE a (x);\0CREATE TABLE b (x)") }
        }
        #expect(error?.code == .misuse)
    }

    @Test("the description of a literal contains no values")
    func printing() {
        #expect("\("name = \("Kim")" as SQL)" as String == "name = ?")
    }

    @Test("identifiers are quoted")
    func identifiers() {
        let name = "odd \" name"
        #expect(("SELECT \(identifier: name)" as SQL).text == "SELECT \"odd \"\" name\"")
    }

    @Test("composed literals keep the order of their values")
    func compose() throws {
        let conditions: [SQL] = ["a = \(1)", "b IN \([2, 3])"]
        let sql: SQL = "SELECT * FROM t WHERE \(conditions.joined(separator: " AND ")) LIMIT \(4)"
        #expect(sql.text == "SELECT * FROM t WHERE a = ? AND b IN (?, ?) LIMIT ?")
        #expect(try sql.values == [.integer(1), .integer(2), .integer(3), .integer(4)])
        #expect(("a" + " b" as SQL).text == "a b")
    }

    @Test("text is spliced only with raw")
    func raw() throws {
        #expect(("ORDER BY title \(raw: "DESC")" as SQL).text == "ORDER BY title DESC")
        #expect(try SQL(raw: "SELECT ?, ?", [1, "a"]).values == [.integer(1), .text("a")])
    }

    @Test("the error of converting an interpolated value is thrown when the statement is run")
    func failingValue() async throws {
        let database = try await Database.open(.inMemory)
        let error = try await #require(throws: SQLiteError.self) {
            try await database.read { db in try db.fetchOne(Double.self, "SELECT \(Double.nan)") }
        }
        #expect(error.code == .mismatch)
    }

    @Test("a value within quotes is rejected, because SQLite would not bind it")
    func valueInQuotes() async throws {
        let database = try await Database.open(.inMemory)
        let error = try await #require(throws: SQLiteError.self) {
            try await database.read { db in try db.fetchOne(String.self, "SELECT '\("x")'") }
        }
        #expect(error.code == .range)
    }
}
