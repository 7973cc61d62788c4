import CSQLite
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

@Suite("Snapshots", .limitedConcurrency)
struct SnapshotTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER)")]

    private static let count: @Sendable (Connection) throws -> Int? = { db in
        try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")
    }

    private func insert(_ database: Database) async throws {
        try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
    }

    @Test("a snapshot keeps its state beside later writes, migrations of the schema and another snapshot")
    func state() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await insert(database)
            let first = try await database.snapshot()
            try await insert(database)
            let second = try await database.snapshot()
            try await database.write { db in try db.executeScript("DELETE FROM t; ALTER TABLE t ADD COLUMN y") }
            for _ in 0..<2 {
                #expect(try await first.read(Self.count) == 1)
                #expect(try await second.read(Self.count) == 2)
                #expect(try await database.read(Self.count) == 0)
            }
            await first.close()
            let error = await #expect(throws: SQLiteError.self) { try await first.read(Self.count) }
            #expect(error?.code == .closed)
            #expect(try await second.read(Self.count) == 2)
        }
    }

    @Test("a snapshot outlives its database, and the release of its last reference lets the log begin anew")
    func lifetime() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            var database = try await Database.open(.file(path), migrations: Self.schema)
            var snapshot: Database.Snapshot? = try await database.snapshot()
            try await insert(database)
            await database.close()
            #expect(try await snapshot?.read(Self.count) == 0)
            database = try await Database.open(.file(path), migrations: Self.schema)
            #expect(try await database.read(Self.count) == 1)
            let isTruncated: @Sendable () async throws -> Bool = { [database] in
                try await database.writeWithoutTransaction { db in
                    try db.fetchOne(Int.self, "PRAGMA wal_checkpoint(TRUNCATE)") == 0
                }
            }
            try await insert(database)
            #expect(try await isTruncated() == false)
            snapshot = nil
            #expect(try await isTruncated())
            await database.close()
        }
    }

    @Test("a snapshot cannot be written, ended or read within an access")
    func misuses() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let snapshot = try await database.snapshot()
            for sql in ["INSERT INTO t VALUES (1)", "COMMIT", "ROLLBACK"] as [SQL] {
                await #expect(throws: SQLiteError.self) {
                    try await snapshot.read { db in _ = try db.execute(sql) }
                }
            }
            #expect(try await snapshot.read(Self.count) == 0)
            let error = await #expect(throws: SQLiteError.self) {
                try await snapshot.read { db in _ = sqlite3_exec(db.handle, "COMMIT", nil, nil, nil) }
            }
            #expect(error?.code == .misuse)
            await #expect(throws: SQLiteError.self) { try await snapshot.read(Self.count) }
            let memory = try await Database.open(.inMemory)
            let unavailable = await #expect(throws: SQLiteError.self) { try await memory.snapshot() }
            #expect(unavailable?.code == .misuse)
            await memory.close()
            let closed = await #expect(throws: SQLiteError.self) { try await memory.snapshot() }
            #expect(closed?.code == .misuse)
        }
    }

    @Test("a cancelled read leaves the snapshot as it was")
    func cancellation() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let snapshot = try await database.snapshot()
            let reading = Task {
                try await snapshot.read { db in
                    try db.fetchOne(
                        Int.self,
                        """
                        WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT MAX(x) FROM n
                        """)
                }
            }
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
            try await insert(database)
            #expect(try await snapshot.read(Self.count) == 0)
        }
    }
}
