import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestTurns
import Testing

@Suite("Tracing and limits", .takesTurns)
struct TracingTests {
    @Test("statements that take long are told of, without their values, and others are not")
    func slowStatements() async throws {
        let slow = Mutex<[Database.SlowStatement]>([])
        let configuration = Database.Configuration().with {
            $0.slowStatements = .init(longerThan: .milliseconds(100)) { statement in
                slow.withLock { $0.append(statement) }
            }
            $0.prepare = { db in
                try db.addFunction("wait", isDeterministic: false) { (_: Int) -> Int in
                    usleep(200_000)
                    return 0
                }
            }
        }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            try await database.read { db in
                _ = try db.fetchOne(Int.self, "SELECT \(1)")
                _ = try db.fetchOne(Int.self, "SELECT wait(\(2))")
            }
        }
        #expect(slow.withLock { $0.map(\.sql).filter { $0.hasPrefix("SELECT") } } == ["SELECT wait(?)"])
        #expect(slow.withLock { $0.allSatisfy { $0.duration >= .milliseconds(100) } })
    }

    @Test("a log that has grown beyond its limit is emptied by the commit, or by the next one that can")
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
