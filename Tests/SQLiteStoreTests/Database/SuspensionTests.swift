import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Suspension", .takesTurns)
struct SuspensionTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY)")]

    private func insert(_ x: Int, _ database: Database) async throws {
        try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (\(x))") }
    }

    private func all(_ database: Database) async throws -> [Int] {
        try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") }
    }

    @Test(
        "a suspended database has no open file, and accesses wait until it is resumed",
        arguments: AccessTests.executions)
    func waiting(execution: Database.Execution) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with { $0.execution = execution }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            var values = database.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
            #expect(try await values.next() == [])
            try await insert(1, database)
            await database.suspend()
            // The last connection to close removes the log and the wal-index.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["db"])
            let other = try await Database.open(.file(folder + "/db"), migrations: Self.schema)
            try await insert(2, other)
            await other.close()
            let write = Task { try await insert(3, database) }
            let read = Task { try await all(database) }
            try await waitUntil { database.waitingWriteCount == 1 && database.waitingReadCount >= 1 }
            await database.resume()
            try await write.value
            #expect(try await read.value.starts(with: [1, 2]))
            #expect(try await all(database) == [1, 2, 3])
            while let next = try await values.next(), next != [1, 2, 3] {}
            await database.close()
        }
    }

    @Test("suspending waits for running accesses")
    func underWay() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let write = await OpenWrite.begin(in: database) { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
            let suspension = Task { await database.suspend() }
            write.end()
            await suspension.value
            await database.resume()
            #expect(try await all(database) == [1])
        }
    }

    @Test("accesses that wait for the end of a suspension can be cancelled, and closing runs them")
    func cancelledAndClosed() async throws {
        let database = try await Database.open(.temporary, migrations: Self.schema)
        await database.suspend()
        await database.suspend()
        let cancelled = Task { try await all(database) }
        try await waitUntil { database.waitingReadCount == 1 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let write = Task { try await insert(1, database) }
        try await waitUntil { database.waitingWriteCount == 1 }
        await database.close()
        try await write.value
    }
}
