import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Snapshots", .takesTurns)
struct SnapshotTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY)")]
    private static let count: @Sendable (Connection) throws -> Int? = { db in
        try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")
    }

    @Test("a snapshot keeps one state across reads", arguments: AccessTests.executions)
    func state(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            let empty = try await database.snapshot()
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
            let one = try await database.snapshot()
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (2)") }
            for _ in 0..<2 {
                #expect(try await empty.read(Self.count) == 0)
                #expect(try await one.read(Self.count) == 1)
                #expect(try await database.read(Self.count) == 2)
            }
            await empty.close()
            let error = await #expect(throws: SQLiteError.self) { try await empty.read(Self.count) }
            #expect(error?.code == .closed)
        }
    }

    @Test("a snapshot cannot be written, and an interrupted read of it keeps its state")
    func reading() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let snapshot = try await database.snapshot()
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
            let error = await #expect(throws: SQLiteError.self) {
                try await snapshot.read { db in _ = try db.execute("DELETE FROM t") }
            }
            #expect(error?.code == .readOnly)
            let result = await outcome { cancel in
                try await snapshot.read { db in
                    cancel()
                    _ = try db.fetchOne(
                        Int.self,
                        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n")
                }
            }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try await snapshot.read(Self.count) == 0)
            let reentrant = await #expect(throws: SQLiteError.self) {
                try await snapshot.read { _ in try database.blockingRead { _ in } }
            }
            #expect(reentrant?.code == .reentrantAccess)
        }
    }

    @Test("a database in memory has no snapshots")
    func inMemory() async throws {
        let database = try await Database.open(.inMemory)
        let error = await #expect(throws: SQLiteError.self) { try await database.snapshot() }
        #expect(error?.code == .misuse)
    }
}
