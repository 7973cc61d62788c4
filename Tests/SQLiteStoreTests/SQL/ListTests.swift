import CSQLite
import SQLiteStore
import TestReporting
import TestTurns
import Testing

/// Compares lists of any length with a simple model: `x IN (a, b, c)` is `x = a OR x = b OR x = c`.
@Suite("Lists of values", .takesTurns)
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
