#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL batches", .needsServer, .limitedConcurrency)
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

    @Test(
        "batches, copies and streamed rows go on after the server has changed the types of a statement",
        arguments: [false, true])
    func changedTypes(isTransaction: Bool) async throws {
        let create = "CREATE TYPE mood AS ENUM ('calm'); ALTER TABLE t ADD COLUMN m mood"
        let schema = [Migration("t", script: "CREATE TABLE t (x int); \(create)")]
        let configuration = Database.Configuration().with { $0.connectionCount = 1 }
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let other = try await Database.open(database.location)
            func write(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
                if isTransaction {
                    try await database.write(body)
                } else {
                    try await database.writeWithoutTransaction(body)
                }
            }
            /// Writes 2,000 numbers with the last one, and reads them, as 32 bits or 64.
            func use(_ last: Int) async throws {
                let numbers = Array(1..<1_000) + [last] + Array(1_001...2_000)
                try await write { (db) throws in
                    var bound: [Int] = []
                    let changed = try db.execute("INSERT INTO t VALUES ($1, $2)", forEach: numbers) { x, values in
                        try values.bind(x, "calm")
                        bound.append(x)
                    }
                    #expect(changed == 2_000 && bound.suffix(2_000) == numbers)
                    let copied = try db.copy(into: "t", columns: ["x", "m"], numbers) { x, values in
                        try values.bind(x, "calm")
                    }
                    #expect(copied == 2_000)
                    var read: [Int] = []
                    try db.forEach("SELECT *, x FROM t WHERE m = \("calm") OR x = \(last) ORDER BY x, m") { row in
                        read.append(try row[row.columnCount - 1])
                    }
                    #expect(read == (numbers + numbers).sorted())
                    try db.execute("DELETE FROM t")
                }
            }
            func alter(_ script: String) async throws {
                try await other.writeWithoutTransaction { db in try db.executeScript(script) }
            }
            try await use(1_000)
            // A value that the type does not admit stays an error, and so does an error of the body.
            await #expect(throws: PostgreSQLError.self) { try await use(.max) }
            await #expect(throws: Refusal.self) {
                try await write { (db) throws in
                    try db.execute("INSERT INTO t VALUES ($1, $2)", forEach: [1]) { _, _ in throw Refusal() }
                }
            }
            try await alter("DELETE FROM t; ALTER TABLE t ALTER COLUMN x TYPE bigint")
            try await use(.max)
            for _ in 0..<2 {
                try await alter("ALTER TABLE t DROP COLUMN m; DROP TYPE mood; \(create)")
                try await use(.max - 1)
            }
            await other.close()
        }
    }

    @Test("a batch binds a value again that a changed type admits, and no earlier one")
    func resumedBatch() async throws {
        let schema = [Migration("t", script: "CREATE TABLE t (x int)")]
        let configuration = Database.Configuration().with { $0.connectionCount = 1 }
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let other = try await Database.open(database.location)
            let insert = { @Sendable (db: Connection, numbers: [Int]) in
                var bound: [Int] = []
                let count = try db.execute("INSERT INTO t VALUES ($1)", forEach: numbers) { x, values in
                    bound.append(x)
                    try values.bind(x)
                }
                #expect(count == numbers.count)
                return bound
            }
            #expect(try await database.write { db in try insert(db, [1]) } == [1])
            try await other.write { db in _ = try db.execute("ALTER TABLE t ALTER COLUMN x TYPE bigint") }
            #expect(
                try await database.write { db in try insert(db, [1, 2, .max, 3, .min]) } == [1, 2, .max, .max, 3, .min])
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 6)
            await other.close()
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
