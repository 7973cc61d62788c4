import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Fetching", .takesTurns)
struct FetchTests {
    private func withNumbers(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        let database = try await Database.open(
            .inMemory,
            migrations: [
                Migration(
                    "numbers",
                    script: """
                        CREATE TABLE numbers (x INTEGER, name TEXT); CREATE INDEX numbers_by_x ON numbers (x);
                        INSERT INTO numbers VALUES (1, 'one'), (2, 'two'), (3, 'three')
                        """)
            ])
        try await database.write(body)
        await database.close()
    }

    @Test("a single optional value is nil for NULL and for no row, and another type is an error")
    func optionalValue() async throws {
        try await withNumbers { db in
            let largest: Int? = try db.fetchOne(Int?.self, "SELECT MAX(x) FROM numbers WHERE x > 9")
            #expect(largest == nil)
            #expect(try db.fetchOne(Int?.self, "SELECT x FROM numbers WHERE x > 9") == nil)
            #expect(try db.fetchOne(Int?.self, "SELECT MAX(x) FROM numbers") == 3)
            let error = #expect(throws: SQLiteError.self) {
                try db.fetchOne(Int.self, "SELECT MAX(x) FROM numbers WHERE x > 9")
            }
            #expect(error?.code == .mismatch)
            #expect(try db.fetchAll(Int?.self, "SELECT NULL UNION ALL SELECT 1") == [nil, 1])
        }
    }

    @Test("iteration ends when the closure sets stop, and the statement can be run again")
    func stopping() async throws {
        try await withNumbers { db in
            for last in [1, 2, 3, 4] {
                var seen: [Int] = []
                try db.forEach("SELECT x FROM numbers ORDER BY x") { row, stop in
                    seen.append(try row[0])
                    stop = seen.last == last
                }
                #expect(seen == Array(1...min(last, 3)))
            }
        }
    }

    @Test("a statement that writes runs to its end although the closure sets stop")
    func stoppingWrites() async throws {
        try await withNumbers { db in
            var seen: [Int] = []
            try db.forEach("UPDATE numbers SET x = x + 10 RETURNING x") { row, stop in
                seen.append(try row[0])
                stop = true
            }
            #expect(seen == [11])
            #expect(try db.fetchAll(Int.self, "SELECT x FROM numbers ORDER BY x") == [11, 12, 13])
        }
    }

    @Test("a query plan has one step per line, with nested steps indented")
    func plan() async throws {
        try await withNumbers { db in
            #expect(
                try db.explain("SELECT name FROM numbers WHERE x = \(1)")
                    == "SEARCH numbers USING INDEX numbers_by_x (x=?)")
            let nested = try db.explain(
                "SELECT name FROM numbers WHERE x = (SELECT MIN(x) FROM numbers) ORDER BY name")
            #expect(
                nested == """
                    SEARCH numbers USING INDEX numbers_by_x (x=?)
                    SCALAR SUBQUERY 1
                      SEARCH numbers USING COVERING INDEX numbers_by_x
                    USE TEMP B-TREE FOR ORDER BY
                    """)
        }
    }

    @Test("a read can explain a statement that writes without running it")
    func planOfWrite() async throws {
        try await withTemporaryDatabase(migrations: [Migration("t", script: "CREATE TABLE t (x)")]) {
            (database) async throws in
            let plan = try await database.read { db in try db.explain("DELETE FROM t WHERE x = \(1)") }
            #expect(plan == "SCAN t")
        }
    }
}
