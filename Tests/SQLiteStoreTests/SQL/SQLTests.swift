import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Testing
import TestReporting
import TestConcurrency

@Suite("SQL literals", .limitedConcurrency)
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

    @Test("statements whose texts differ only in the composition of a character are not confused")
    func composition() async throws {
        let database = try await Database.open(.inMemory)
        for text in ["\u{E9}", "e\u{301}"] {
            let read = try await database.read { db in try db.fetchOne(SQLValue.self, "SELECT \(raw: "'\(text)'")") }
            #expect(read == .text(text))
        }
        #expect(SQLValue.text("\u{E9}") != .text("e\u{301}"))
    }

    @Test("a value within quotes is rejected, because SQLite would not bind it")
    func valueInQuotes() async throws {
        let database = try await Database.open(.inMemory)
        let error = try await #require(throws: SQLiteError.self) {
            try await database.read { db in try db.fetchOne(String.self, "SELECT '\("x")'") }
        }
        #expect(error.code == .range)
        #expect(error.message == "expected 0 values, found 1 or more: is a value within quotes?")
    }

    @Test("a missing value is rejected, without a guess at quotes")
    func missingValue() async throws {
        let database = try await Database.open(.inMemory)
        let error = try await #require(throws: SQLiteError.self) {
            try await database.read { db in try db.fetchOne(String.self, "SELECT ?") }
        }
        #expect(error.code == .range)
        #expect(error.message == "expected 1 value, found 0")
    }
}

/// Compares lists of any length with a simple model: `x IN (a, b, c)` is `x = a OR x = b OR x = c`.
@Suite("Lists of values", .limitedConcurrency)
struct ListTests {
    private static let columns = ["t TEXT", "n NUMERIC", "i INTEGER", "r REAL", "b BLOB", "x"]

    private static let pool: [SQLValue] = [
        .null, .integer(0), .integer(1), .integer(-7), .integer(9_007_199_254_740_993), .integer(.max), .real(1),
        .real(1.5), .real(9_007_199_254_740_992), .real(.infinity), .text("1"), .text("1.0"), .text(" 1"), .text("01"),
        .text("1.5"), .text("a"), .text("A"), .text("a\0b"), .text(""), .text("9007199254740993"), .blob([0x31]),
        .blob([]), .blob([0x61]),
    ]

    /// Whether a row is in a list; nil if only a comparison with `NULL` could tell.
    private struct Model {
        /// By row, column and value.
        let equal: [[[Bool?]]]

        init(_ db: Connection) throws {
            var equal = [[[Bool?]]](
                repeating: .init(repeating: [], count: ListTests.columns.count), count: ListTests.pool.count)
            for value in ListTests.pool {
                let rows = try db.fetchAll(
                    """
                    SELECT t = \(value), n = \(value), i = \(value), r = \(value), b = \(value), x = \(value)
                    FROM v ORDER BY id
                    """
                ) { row in try (0..<6).map { try row[$0] as Bool? } }
                for (row, columns) in rows.enumerated() {
                    for (column, isEqual) in columns.enumerated() { equal[row][column].append(isEqual) }
                }
            }
            self.equal = equal
        }

        func isIn(_ list: Set<Int>, row: Int, column: Int) -> Bool? {
            let results = list.map { equal[row][column][$0] }
            return results.contains(true) ? true : results.contains(nil) ? nil : false
        }
    }

    private static func fill(_ db: Connection) throws {
        try db.executeScript("CREATE TABLE v (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
        for (id, value) in pool.enumerated() {
            try db.execute(
                "INSERT INTO v VALUES (\(id), \(value), \(value), \(value), \(value), \(value), \(value))")
        }
    }

    @Test(
        "lists of any length select the rows that the model selects, for any affinity, with and without an index",
        arguments: [(0, 1), (1, 23), (2, 12), (3, 12), (99, 2), (100, 3), (101, 3), (5000, 1)], [false, true])
    func model(lists: (length: Int, count: Int), isIndexed: Bool) async throws {
        let database = try await Database.open(.inMemory)
        try await database.write { db in
            try Self.fill(db)
            let model = try Model(db)
            var random = SeededGenerator(seed: UInt64(lists.length))
            for (column, name) in ["t", "n", "i", "r", "b", "x"].enumerated() {
                // The longest lists take longer, so that they are tested on a text and a real column only.
                if lists.length > 1000, name != "t", name != "r" { continue }
                if isIndexed { try db.execute("CREATE INDEX \(identifier: "by \(name)") ON v (\(identifier: name))") }
                for round in 0..<lists.count {
                    // Only a few different values, because otherwise every list would contain all of them. Every other
                    // list contains only numbers and texts.
                    let values = Self.pool.indices.filter { index in
                        if round % 2 == 1 { return true }
                        return switch Self.pool[index] {
                        case .integer: true
                        case .text(let text): !text.contains("\0")
                        default: false
                        }
                    }
                    let few = (0..<3).map { _ in values[Int(random.next() % UInt64(values.count))] }
                    let indices = (0..<lists.length).map { _ in few[Int(random.next() % 3)] }
                    let list = indices.map { Self.pool[$0] }
                    let expected = Self.pool.indices.map { model.isIn(Set(indices), row: $0, column: column) }
                    let found = try db.fetchAll(
                        Bool?.self, "SELECT \(identifier: name) IN \(list) FROM v ORDER BY id")
                    #expect(found == expected, "\(name) IN \(few.map { Self.pool[$0] })")
                    let kept = try db.fetchAll(
                        Int.self, "SELECT id FROM v WHERE \(identifier: name) IN \(list) ORDER BY id")
                    #expect(kept == Self.pool.indices.filter { expected[$0] == true })
                    let others = try db.fetchAll(
                        Int.self, "SELECT id FROM v WHERE \(identifier: name) NOT IN \(list) ORDER BY id")
                    #expect(others == Self.pool.indices.filter { expected[$0] == false })
                }
            }
        }
    }

    @Test("lists of 100 and 101 numbers match a text column alike")
    func deletion() async throws {
        let database = try await Database.open(.inMemory)
        for count in [100, 101] {
            let left = try await database.write { db in
                try db.executeScript("DROP TABLE IF EXISTS codes; CREATE TABLE codes (code TEXT)")
                try db.execute("INSERT INTO codes VALUES ('1'), ('2'), ('x')")
                try db.execute("DELETE FROM codes WHERE code NOT IN \(Array(0..<count))")
                return try db.fetchAll(String.self, "SELECT code FROM codes ORDER BY code")
            }
            #expect(left == ["1", "2"])
        }
    }

    @Test("a list of 40,000 values works, or is an error if SQLite was compiled with a lower limit")
    func longest() async throws {
        let database = try await Database.open(.inMemory)
        let limit = try await database.read { db in
            sqlite3_limit(db.handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)
        }
        let find = { @Sendable (db: Connection) in
            try db.fetchAll(
                String.self,
                """
                WITH codes AS (SELECT CAST(value AS TEXT) AS code FROM json_each(\(json: [1, 39_999, 40_000])))
                SELECT code FROM codes WHERE code IN \(Array(0..<40_000))
                """)
        }
        if limit >= 40_001 {
            #expect(try await database.read(find) == ["1", "39999"])
        } else {
            let error = await #expect(throws: SQLiteError.self) { try await database.read(find) }
            #expect(error?.message == "too many SQL variables")
        }
    }
}

/// Dates and decimal numbers in the formats of other libraries.
@Suite("Other formats of values", .limitedConcurrency)
struct OtherFormsTests {
    private func value<Value: SQLDecodable & Sendable>(_ type: Value.Type, _ sql: SQL) async throws -> Value? {
        let database = try await Database.open(.inMemory)
        return try await database.read { db in try db.fetchOne(type, "SELECT \(sql)") }
    }

    @Test(
        "a Decimal is read exactly from text, integers and the shortest form of reals",
        arguments: [
            ("'12.30'", "12.3"), ("'-0.1'", "-0.1"), ("'+5'", "5"), ("'1e3'", "1000"), ("42", "42"),
            ("9223372036854775807", "9223372036854775807"), ("0.1", "0.1"), ("1e-7", "0.0000001"),
            ("'12345678901234567890123456789012345678'", "12345678901234567890123456789012345678"),
        ])
    func decimal(expression: String, description: String) async throws {
        #expect(try await value(Decimal.self, "\(raw: expression)") == Decimal(string: description))
    }

    @Test(
        "text that is not a decimal number, or does not fit one, is a mismatch",
        arguments: [
            "''", "'.'", "'12abc'", "'1,5'", "'1.2.3'", "'--1'", "'1e'", "'nan'", "x'31'", "NULL", "9e999",
            "'1234567890123456789012345678901234567891'", "'340282366920938463463374607431768211456'", "'1e200'",
        ])
    func noDecimal(expression: String) async throws {
        let error = await #expect(throws: SQLiteError.self) {
            try await value(Decimal.self, "\(raw: expression)")
        }
        #expect(error?.code == .mismatch)
    }

    @Test("a Decimal survives a round trip")
    func decimals() async throws {
        let texts = ["0", "-12.345", "99999999999999999999.999999", "0.00000000000000000001", "1e38", "-1.5e120"]
        for decimal in try texts.map({ try #require(Decimal(string: $0)) }) + [.greatestFiniteMagnitude] {
            #expect(try await value(Decimal.self, "\(decimal)") == decimal)
        }
        #expect(throws: SQLiteError.self) { try Decimal.nan.sqlValue }
    }
}
