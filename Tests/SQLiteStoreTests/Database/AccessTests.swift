import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

@Suite("Accesses", .limitedConcurrency)
struct AccessTests {
    static let executions: [Database.Execution] = [.adaptive, .dedicatedThreads, .inline]

    private func configuration(_ execution: Database.Execution) -> Database.Configuration {
        Database.Configuration().with { $0.execution = execution }
    }

    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY)")]

    private func count(in database: Database) async throws -> Int? {
        try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
    }

    @Test("a read sees an earlier write", arguments: executions, [Database.Location.temporary, .inMemory])
    func ownWrites(execution: Database.Execution, location: Database.Location) async throws {
        let database = try await Database.open(
            location, configuration: configuration(execution), migrations: Self.schema)
        for expected in 1...10 {
            try await database.write { db in try db.execute("INSERT INTO t (x) VALUES (\(expected))") }
            #expect(try await count(in: database) == expected)
        }
        await database.close()
    }

    @Test("a write that throws is rolled back", arguments: executions)
    func rollback(execution: Database.Execution) async throws {
        struct Refusal: Error {}
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            await #expect(throws: Refusal.self) {
                try await database.write { (db) throws in
                    try db.execute("INSERT INTO t (x) VALUES (1)")
                    throw Refusal()
                }
            }
            #expect(try await count(in: database) == 0)
        }
    }

    @Test("a nested transaction that throws is rolled back alone")
    func savepoints() async throws {
        struct Refusal: Error {}
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await database.write { (db) throws in
                try db.execute("INSERT INTO t (x) VALUES (1)")
                #expect(throws: Refusal.self) {
                    try db.transaction {
                        try db.execute("INSERT INTO t (x) VALUES (2)")
                        try db.transaction { try db.execute("INSERT INTO t (x) VALUES (3)") }
                        throw Refusal()
                    }
                }
                try db.transaction { try db.execute("INSERT INTO t (x) VALUES (4)") }
            }
            let values = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") }
            #expect(values == [1, 4])
        }
    }

    @Test("a row is not returned by a statement whose commit fails")
    func failingCommitOfReturning() async throws {
        let schema = [
            Migration(
                "t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
        ]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            let error = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction { db in
                    _ = try db.fetchOne(Int.self, "INSERT INTO t VALUES (1, 99) RETURNING x")
                }
            }
            #expect(error?.code == .constraint)
            #expect(try await count(in: database) == 0)
            let key = try await database.writeWithoutTransaction { db in
                try db.fetchOne(Int.self, "INSERT INTO t VALUES (2, 2), (3, 2) RETURNING x")
            }
            #expect(key == 2)
            #expect(try await count(in: database) == 2)
        }
    }

    @Test("the maximum and minimum durations are accepted", arguments: [Int64.max, .min])
    func extremeTimes(_ seconds: Int64) async throws {
        let configuration = Database.Configuration().with {
            $0.busyTimeout = .seconds(seconds)
            $0.externalChangeInterval = .seconds(seconds)
        }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            for try await keys in database.observe(Int.self, "SELECT x FROM t") {
                #expect(keys == [])
                break
            }
        }
    }

    @Test("blocking work occupies no connection, and none begins after the database is closed", arguments: executions)
    func offloading(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with {
            $0.execution = execution
            $0.readerCount = 1
        }
        let database = try await Database.open(.temporary, configuration: configuration, migrations: Self.schema)
        let count = try await database.offload {
            // With the connections of the database occupied, these accesses would wait for ever.
            try database.blockingWrite { db in
                try db.transaction { _ = try db.execute("CREATE TABLE offloaded (x)") }
            }
            return try database.blockingRead { db in
                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM offloaded")
            }
        }
        #expect(count == 0)
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) { try await database.offload { throw Refusal() } }
        let cancelled = await outcome { cancel in
            cancel()
            try await database.offload { _ = Issue.record("the work of a cancelled task began") }
        }
        #expect(throws: CancellationError.self) { try cancelled.get() }
        await database.close()
        let error = await #expect(throws: SQLiteError.self) { try await database.offload {} }
        #expect(error?.code == .closed)
    }

    @Test("a read cannot write", arguments: executions, [Database.Location.temporary, .inMemory])
    func readOnly(execution: Database.Execution, location: Database.Location) async throws {
        let database = try await Database.open(
            location, configuration: configuration(execution), migrations: Self.schema)
        let error = try await #require(throws: SQLiteError.self) {
            try await database.read { db in try db.execute("INSERT INTO t (x) VALUES (1)") }
        }
        #expect(error.code == .readOnly)
        #expect(try await count(in: database) == 0)
        await database.close()
    }

    @Test("a read sees one state during concurrent writes", arguments: executions)
    func snapshot(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for index in 0..<15 {
                            // Two rows at a time: a committed state has an even number of rows.
                            try await database.write { (db) throws in
                                try db.execute("INSERT INTO t (x) VALUES (\(writer * 1000 + index * 2))")
                                try db.execute("INSERT INTO t (x) VALUES (\(writer * 1000 + index * 2 + 1))")
                            }
                        }
                    }
                    group.addTask {
                        for _ in 0..<15 {
                            let counts = try await database.read { (db) throws in
                                try (0..<3).map { _ in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") ?? -1 }
                            }
                            #expect(Set(counts).count == 1)
                            #expect(counts[0].isMultiple(of: 2))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await count(in: database) == 120)
        }
    }

    @Test("a statement can run during a run of the same SQL")
    func sameStatementNested() async throws {
        let database = try await Database.open(.inMemory)
        let pairs = try await database.read { (db) throws in
            var pairs: [[Int]] = []
            func values() -> SQL { "SELECT value FROM json_each(\(json: [1, 2]))" }
            try db.forEach(values()) { outer in
                let first: Int = try outer[0]
                try db.forEach(values()) { inner in pairs.append([first, try inner[0]]) }
            }
            return pairs
        }
        #expect(pairs == [[1, 1], [1, 2], [2, 1], [2, 2]])
    }

    @Test(
        "a closed database throws, and can be closed again", arguments: executions,
        [Database.Location.temporary, .inMemory])
    func closed(execution: Database.Execution, location: Database.Location) async throws {
        let database = try await Database.open(location, configuration: configuration(execution))
        async let other: Void = database.close()
        await database.close()
        await other
        await database.close()
        let error = try await #require(throws: SQLiteError.self) { try await database.read { _ in } }
        #expect(error.code == .closed)
    }

    @Test("the commits of a file are counted, whoever makes them", arguments: executions)
    func commitCount(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            let path = try await database.read { db in
                try db.fetchOne(String.self, "SELECT file FROM pragma_database_list WHERE name = 'main'")
            }
            let other = try await Database.open(.file(#require(path)))
            var counts = [database.commitCount()]
            _ = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") }
            #expect(database.commitCount() == counts[0])
            for (number, writer) in [database, other, database].enumerated() {
                try await writer.write { db in try db.execute("INSERT INTO t (x) VALUES (\(number))") }
                counts.append(database.commitCount())
            }
            #expect(!counts.contains(nil))
            #expect(Set(counts).count == 4)
            await other.close()
            await database.close()
            #expect(database.commitCount() == nil)
        }
    }

    @Test("execute returns the number of changed rows")
    func changeCount() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.schema)
        try await database.write { (db) throws in
            #expect(try db.execute("INSERT INTO t (x) VALUES (1), (2), (3)") == 3)
            #expect(try db.execute("UPDATE t SET x = x + 10 WHERE x > 1") == 2)
            #expect(try db.execute("CREATE TABLE u (y)") == 0)
            #expect(try db.execute("DELETE FROM t") == 3)
            #expect(try db.execute("DELETE FROM t") == 0)
        }
    }

    @Test("several statements require executeScript")
    func scripts() async throws {
        let database = try await Database.open(.inMemory)
        try await database.write { (db) throws in
            #expect(throws: SQLiteError.self) { try db.execute("CREATE TABLE a (x); CREATE TABLE b (x)") }
            try db.executeScript("CREATE TABLE a (x); CREATE TABLE b (x); -- done")
            try db.execute("INSERT INTO a VALUES (1); -- a comment is no statement")
            #expect(try db.fetchOne(Int.self, "SELECT COUNT(*) FROM sqlite_schema") == 2)
        }
    }

    @Test("a batch runs one statement for each element")
    func batch() async throws {
        let database = try await Database.open(
            .inMemory, migrations: [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT, z BLOB)")])
        let texts = (0..<200).map { String(repeating: "y", count: $0 * 50) }
        let count = try await database.write { db in
            try db.execute("INSERT INTO t VALUES (?, ?, ?)", forEach: texts.enumerated()) { element, values in
                try values.bind(
                    element.offset, element.offset == 3 ? nil : element.element, Array(element.element.utf8))
            }
        }
        #expect(count == 200)
        let read = try await database.read { db in
            try db.fetchAll("SELECT y, z FROM t ORDER BY x") { row in
                (text: try row[0] as String?, bytes: try row[1] as [UInt8])
            }
        }
        #expect(read.enumerated().allSatisfy { $1.text == ($0 == 3 ? nil : texts[$0]) })
        #expect(read.map(\.bytes) == texts.map { Array($0.utf8) })
        for parameters in [1, 3] {
            let error = await #expect(throws: SQLiteError.self) {
                try await database.write { db in
                    try db.execute("INSERT INTO t (x, y) VALUES (?, ?)", forEach: [1000]) { element, values in
                        for _ in 0..<parameters { try values.bind(element) }
                    }
                }
            }
            #expect(error?.code == .range)
        }
    }

    @Test("writes run in the order in which they were requested", arguments: executions)
    func order(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            let first = await OpenWrite.begin(in: database)
            let count = 20
            let order = try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<count {
                    group.addTask {
                        try await database.write { db in
                            _ = try db.execute("INSERT INTO t (x) VALUES (\(index) + 100 * (SELECT COUNT(*) FROM t))")
                        }
                    }
                    try await waitUntil { database.waitingWriteCount > index }
                }
                first.end()
                try await group.waitForAll()
                return try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x") }
            }
            #expect(order == (0..<count).map { $0 + 100 * $0 })
        }
    }

    @Test("accesses run on threads of the database, or on the caller's", arguments: executions)
    func threads(execution: Database.Execution) async throws {
        @Sendable func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            let before = thread()
            let (reading, writing) = (
                try await database.read { _ in thread() }, try await database.write { _ in thread() }
            )
            if execution == .inline {
                #expect(before == reading)
            } else {
                #expect(reading != writing)
            }
        }
    }
}
