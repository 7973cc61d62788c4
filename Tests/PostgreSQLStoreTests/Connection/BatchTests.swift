#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestTurns
import Testing

@Suite("PostgreSQL batches", .needsServer, .takesTurns)
struct BatchTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x integer PRIMARY KEY, y text)")]
    private struct Refusal: Error {}

    @Test("a statement runs once for each element, however many there are", arguments: [0, 1, 255, 256, 257, 2000])
    func pipeline(count: Int) async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let changed = try await database.write { (db) throws in
                try db.execute("INSERT INTO t VALUES ($1, $2)", forEach: 0..<count) { x, values in
                    try values.bind(x, x.isMultiple(of: 2) ? nil : "text \(x)")
                }
            }
            #expect(changed == count)
            let sum = try await database.read { (db) throws in
                try db.fetchOne(Int?.self, "SELECT SUM(x + COALESCE(length(y), 0)) FROM t")
            }
            let expected = (0..<count).reduce(0) { $0 + $1 + ($1.isMultiple(of: 2) ? 0 : "text \($1)".count) }
            #expect(sum ?? 0 == expected)
        }
    }

    @Test("a failing run fails the batch, and the connection can be used again")
    func failingRun() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await database.write { (db) throws in
                let error = #expect(throws: PostgreSQLError.self) {
                    try db.transaction {
                        try db.execute("INSERT INTO t VALUES ($1)", forEach: [1, 2, 2, 3]) { x, values in
                            try values.bind(x)
                        }
                    }
                }
                #expect(error?.code == .uniqueViolation)
                #expect(throws: Refusal.self) {
                    try db.transaction {
                        try db.execute("INSERT INTO t VALUES ($1)", forEach: 0..<10) { x, values in
                            if x == 5 { throw Refusal() }
                            try values.bind(x)
                        }
                    }
                }
                for (extra, found) in [(0, "0"), (2, "more: is a value within quotes?")] {
                    let error = #expect(throws: PostgreSQLError.self) {
                        try db.transaction {
                            try db.execute("INSERT INTO t VALUES ($1)", forEach: [7]) { x, values in
                                for _ in 0..<extra { try values.bind(x) }
                            }
                        }
                    }
                    #expect(error?.code == .range && error?.message == "expected 1 value, found \(found)")
                }
                #expect(try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") == 0)
            }
        }
    }

    @Test("copy inserts rows of every type", arguments: [0, 1, 5000])
    func copy(count: Int) async throws {
        let schema = [
            Migration(
                "t",
                script: """
                    CREATE TYPE mood AS ENUM ('good', 'bad');
                    CREATE TABLE "T t" (
                        id uuid, x integer, y double precision, "select" text, z timestamptz, b bytea, l int[], n numeric, j jsonb,
                        m mood
                    )
                    """)
        ]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            try await database.write { (db) throws in
                let columns = ["id", "x", "y", "select", "z", "b", "l", "n", "j", "m"]
                let copied = try db.copy(into: "T t", columns: columns, 0..<count) { x, values in
                    try values.bind(UUID())
                    try values.bind(x)
                    try values.bind(0.5)
                    try values.bind(x == 3 ? nil : "a\tb\n\\.")
                    try values.bind(date)
                    try values.bind([1, 2] as [UInt8])
                    try values.bind([x, nil])
                    try values.bind(Decimal(string: "1.25")!)
                    try values.bind(SQLJSON(["a": x]))
                    try values.bind("bad")
                }
                #expect(copied == count)
                let same = try db.fetchOne(
                    Int.self,
                    """
                    SELECT COUNT(*) FROM "T t" WHERE y = 0.5 AND ("select" IS NULL) = (x = 3) AND z = \(date) AND b = '\\x0102'
                        AND l = ARRAY[x, NULL] AND n = 1.25 AND (j ->> 'a')::int = x AND m = 'bad'
                    """)
                #expect(same == count)
            }
        }
    }

    @Test("a copy that fails inserts nothing, and the connection can be used again")
    func failingCopy() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await database.writeWithoutTransaction { (db) throws in
                let duplicate = #expect(throws: PostgreSQLError.self) {
                    try db.copy(into: "t", columns: ["x"], [1, 1]) { x, values in try values.bind(x) }
                }
                #expect(duplicate?.code == .uniqueViolation)
                #expect(throws: Refusal.self) {
                    try db.copy(into: "t", columns: ["x"], 0..<100_000) { x, values in
                        if x == 90_000 { throw Refusal() }
                        try values.bind(x)
                    }
                }
                for count in [0, 1, 3] {
                    #expect(throws: PostgreSQLError.self) {
                        try db.copy(into: "t", columns: ["x", "y"], [1]) { _, values in
                            for _ in 0..<count { try values.bind(1) }
                        }
                    }
                }
                #expect(throws: PostgreSQLError.self) {
                    try db.copy(into: "nowhere", columns: ["x"], [1]) { _, _ in }
                }
                #expect(throws: PostgreSQLError.self) { try db.execute("COPY t FROM STDIN") }
            }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
        }
    }

    @Test("rows are received one at a time, until the body stops or throws")
    func streaming() async throws {
        try await withTemporaryDatabase { (database) async throws in
            try await database.read { (db) throws in
                var sum = 0
                try db.forEach("SELECT x FROM generate_series(1, \(10_000)) AS x") { row in sum += try row[0] }
                #expect(sum == 50_005_000)
                var rows = 0
                try db.forEach("SELECT x FROM generate_series(1, 10000) AS x") { row, stop in
                    rows += 1
                    stop = try row[0] == 10
                }
                #expect(rows == 10)
                #expect(throws: Refusal.self) {
                    try db.forEach("SELECT x FROM generate_series(1, 10000) AS x") { _ in throw Refusal() }
                }
                let nested = #expect(throws: PostgreSQLError.self) {
                    try db.forEach("SELECT 1") { _ in try db.execute("SELECT 2") }
                }
                #expect(nested?.code == .misuse)
                let late = #expect(throws: PostgreSQLError.self) {
                    try db.transaction {
                        try db.forEach("SELECT 1 / (x - 5000) FROM generate_series(1, 10000) AS x") { _ in }
                    }
                }
                #expect(late?.message == "division by zero")
                #expect(try db.fetchOne(Int.self, "SELECT 1") == 1)
            }
        }
    }

    @Test("lists of values are inserted with one statement by unnest")
    func unnest() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let (numbers, texts) = ([1, 2, 3], ["a", nil, "c"])
            let changed = try await database.write { (db) throws in
                try db.execute("INSERT INTO t SELECT * FROM unnest(\(numbers)::int[], \(texts)::text[])")
            }
            #expect(changed == 3)
        }
    }
}
#endif
