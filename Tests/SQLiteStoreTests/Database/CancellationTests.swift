import CSQLite
import Dispatch
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import Testing

@Suite("Cancellation", .timeLimit(.minutes(5)))
struct CancellationTests {
    /// A query that would run for hours.
    private static let endless: SQL =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"

    /// Runs `access` in a task of its own, whose `cancel` it is given: called from another thread, because this one is
    /// going to be busy.
    private func outcome(
        of access: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws -> Void
    ) async -> Result<Void, any Error> {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let box = Box()
        let running = Task.detached {
            for await _ in started {}
            try await access { Thread.detachNewThread { box.cancel() } }
        }
        box.task.withLock { $0 = running }
        start.finish()
        return await running.result
    }

    private final class Box: Sendable {
        let task = Mutex<Task<Void, any Error>?>(nil)

        func cancel() {
            task.withLock { $0 }?.cancel()
        }
    }

    @Test("stops a statement under way, and nothing that comes after it", arguments: AccessTests.executions)
    func running(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            for _ in 0..<20 {
                let result = await outcome { cancel in
                    try await database.read { db in
                        cancel()
                        _ = try db.fetchOne(Int.self, Self.endless)
                    }
                }
                #expect(throws: CancellationError.self) { try result.get() }
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            }
        }
    }

    @Test("undoes a write that has not been committed", arguments: AccessTests.executions)
    func write(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        let schema = [Migration("t", script: "CREATE TABLE t (x)")]
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let result = await outcome { cancel in
                try await database.write { db in
                    try db.execute("INSERT INTO t VALUES (1)")
                    cancel()
                    _ = try db.fetchOne(Int.self, Self.endless)
                }
            }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
            #expect(try await database.write { db in try db.execute("INSERT INTO t VALUES (2)") } == 1)
        }
    }

    @Test("undoes a write to a full-text table, which keeps a statement running until the transaction ends")
    func writeToFullText() async throws {
        let schema = [Migration("t", script: "CREATE VIRTUAL TABLE t USING fts5 (x)")]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            for _ in 0..<5 {
                let result = await outcome { cancel in
                    try await database.write { db in
                        for word in ["sea", "salt", "sun"] {
                            try db.execute("INSERT INTO t VALUES (\(word))")
                            _ = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t WHERE t MATCH \(word)")
                        }
                        cancel()
                        while true { try db.execute("INSERT INTO t VALUES ('wind')") }
                    }
                }
                #expect(throws: CancellationError.self) { try result.get() }
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
            }
            #expect(try await database.write { db in try db.execute("INSERT INTO t VALUES ('wave')") } == 1)
        }
    }

    @Test("of a write that waits for another ends the waiting at once, and leaves the other alone")
    func waiting() async throws {
        let schema = [Migration("t", script: "CREATE TABLE t (x)")]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            let (released, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let first = Task {
                try await database.write { db in
                    release.signal()
                    released.wait()
                    return try db.execute("INSERT INTO t VALUES (1)")
                }
            }
            let second = Task.detached {
                await onThread { release.wait() }
                _ = try await database.write { db in try db.execute("INSERT INTO t VALUES (2)") }
            }
            second.cancel()
            let result = await second.result
            #expect(throws: CancellationError.self) { try result.get() }
            released.signal()
            #expect(try await first.value == 1)
            let values = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") }
            #expect(values == [1])
        }
    }

    @Test("has no effect any more once the commit has begun", arguments: AccessTests.executions)
    func committing(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        let schema = [Migration("t", script: "CREATE TABLE t (x)")]
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let box = Box()
            let write = Task.detached {
                try await database.write { db in
                    // SQLite calls it in the middle of the commit.
                    sqlite3_commit_hook(
                        db.handle,
                        { context in
                            Unmanaged<Box>.fromOpaque(context!).takeUnretainedValue().cancel()
                            return 0
                        }, Unmanaged.passUnretained(box).toOpaque())
                    _ = try db.execute("INSERT INTO t VALUES (1)")
                    return
                }
            }
            box.task.withLock { $0 = write }
            try await write.value
            try await database.write { db in _ = sqlite3_commit_hook(db.handle, nil, nil) }
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
        }
    }
}
