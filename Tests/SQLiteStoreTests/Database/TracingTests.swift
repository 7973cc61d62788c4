import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestTurns
import Testing

@Suite("Tracing and limits", .takesTurns)
struct TracingTests {
    @Test(
        "statements that take longer than the threshold are reported without their values",
        arguments: [(Duration.nanoseconds(-1), ["SELECT ?"]), (.seconds(1000), [])])
    func slowStatements(threshold: Duration, expected: [String]) async throws {
        let slow = Mutex<[Database.SlowStatement]>([])
        let configuration = Database.Configuration().with {
            $0.slowStatements = .init(longerThan: threshold) { statement in
                slow.withLock { $0.append(statement) }
            }
        }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            let value = try await database.read { db in try db.fetchOne(Int.self, "SELECT \(2)") }
            #expect(value == 2)
        }
        #expect(slow.withLock { $0.map(\.sql).filter { $0.hasPrefix("SELECT ?") } } == expected)
        #expect(slow.withLock { $0.allSatisfy { $0.duration > threshold } })
    }

    @Test("a commit truncates a log beyond its size limit, or the next possible commit does")
    func logSizeLimit() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let configuration = Database.Configuration().with { $0.logSizeLimit = 100_000 }
            let database = try await Database.open(
                .file(path), configuration: configuration, migrations: [Migration("t", script: "CREATE TABLE t (x)")])
            func grow() async throws -> Int {
                try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (zeroblob(300000))") }
                return try #require(
                    try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
            }
            #expect(try await grow() <= 100_000)
            let snapshot = try await database.snapshot()
            #expect(try await grow() > 100_000)
            await snapshot.close()
            #expect(try await grow() <= 100_000)
            await database.close()
        }
    }
}
