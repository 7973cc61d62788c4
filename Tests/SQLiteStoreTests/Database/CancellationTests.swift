import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("Cancellation", .limitedConcurrency)
struct CancellationTests {
    /// A query that would run for hours.
    private static let endless: SQL =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"

    @Test("cancellation interrupts the running statement and no later one", arguments: AccessTests.executions)
    func running(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            for _ in 0..<5 {
                let result = await outcome { cancel in
                    try await database.read { db in
                        // Cancels while the following statement runs.
                        Thread.detachNewThread(cancel)
                        _ = try db.fetchOne(Int.self, Self.endless)
                    }
                }
                #expect(throws: CancellationError.self) { try result.get() }
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            }
        }
    }

    @Test("cancellation rolls back an uncommitted write", arguments: AccessTests.executions)
    func write(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        let schema = [Migration("t", script: "CREATE TABLE t (x)")]
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let result = await outcome { cancel in
                try await database.write { db in
                    try db.execute("INSERT INTO t VALUES (1)")
                    Thread.detachNewThread(cancel)
                    _ = try db.fetchOne(Int.self, Self.endless)
                }
            }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
            #expect(try await database.write { db in try db.execute("INSERT INTO t VALUES (2)") } == 1)
        }
    }

    // For SQLite, the statement with which FTS5 reads its index runs from the first written row to the next query or
    // the end of the transaction. Row 0 stands for cancellation between two statements, where nothing else ends that
    // statement; the interruption of another statement ends it, too.

    @Test(
        "cancellation rolls back a write to a full-text table, which keeps a statement running",
        arguments: AccessTests.executions, [0, 1, 2, 100, 5000])
    func writeToFullText(execution: Database.Execution, row: Int) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        let schema = [Migration("t", script: "CREATE VIRTUAL TABLE t USING fts5 (x)")]
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let result = await outcome { cancel in
                try await database.write { db in
                    try db.addFunction("word", isDeterministic: false) { (x: Int) in
                        if x == row { cancel() }
                        return "word\(x)"
                    }
                    try db.execute("INSERT INTO t VALUES ('sea')")
                    if row == 0 { cancel() }
                    try db.execute(
                        """
                        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
                        INSERT INTO t SELECT word(x) FROM n
                        """)
                }
            }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
            #expect(try await database.write { db in try db.execute("INSERT INTO t VALUES ('wave')") } == 1)
        }
    }

    @Test(
        "cancelling a waiting write ends its wait at once and does not affect the running write",
        arguments: AccessTests.executions)
    func waiting(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        let schema = [Migration("t", script: "CREATE TABLE t (x)")]
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let first = await OpenWrite.begin(in: database) { db in try db.execute("INSERT INTO t VALUES (1)") }
            // Many, so that some are cancelled before, some while and some after they begin to wait.
            for index in 0..<50 {
                let write = Task.detached {
                    _ = try await database.write { db in try db.execute("INSERT INTO t VALUES (2)") }
                }
                if index.isMultiple(of: 2) { await Task.yield() }
                write.cancel()
                let result = await write.result
                #expect(throws: CancellationError.self) { try result.get() }
            }
            await first.finish()
            let values = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") }
            #expect(values == [1])
        }
    }

    @Test(
        "cancellation ends the wait for a lock of another process",
        arguments: AccessTests.executions)
    func locked(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with {
            $0.execution = execution
            $0.busyTimeout = .seconds(Int64.max)
        }
        try await withTemporaryFolder { (folder) async throws in
            let database = try await Database.open(.file(folder + "/db"), configuration: configuration)
            var other: OpaquePointer?
            sqlite3_open(folder + "/db", &other)
            defer { sqlite3_close(other) }
            #expect(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
            let result = await outcome { cancel in
                try await database.writeWithoutTransaction { db in
                    cancel()
                    try db.transaction {}
                }
            }
            #expect(throws: CancellationError.self) { try result.get() }
            await database.close()
        }
    }

    enum Moment: CaseIterable {
        case during, after
    }

    @Test(
        "cancellation between the transactions of one access keeps the committed one and stops the next",
        arguments: AccessTests.executions, Moment.allCases)
    func severalTransactions(execution: Database.Execution, moment: Moment) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        let schema = [Migration("t", script: "CREATE TABLE t (x)")]
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let committing = Cancellation()
            let result = await outcome { cancel in
                try await database.writeWithoutTransaction { db in
                    if moment == .during {
                        committing.action.withLock { $0 = cancel }
                        Self.callBeforeCommit(committing, db)
                    }
                    try db.transaction { try db.execute("INSERT INTO t VALUES (1)") }
                    if moment == .after { cancel() }
                    // Long but finite, so that the test fails instead of hanging if the statement is not interrupted.
                    try db.execute(
                        """
                        WITH RECURSIVE n(x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM n WHERE x < 100000)
                        INSERT INTO t SELECT x FROM n
                        """)
                }
            }
            #expect(throws: CancellationError.self) { try result.get() }
            try await database.write { db in _ = sqlite3_commit_hook(db.handle, nil, nil) }
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
        }
    }

    /// Registers a callback that SQLite calls during each commit.
    private static func callBeforeCommit(_ box: Cancellation, _ db: Connection) {
        sqlite3_commit_hook(
            db.handle,
            { context in
                Unmanaged<Cancellation>.fromOpaque(context!).takeUnretainedValue().call()
                return 0
            }, Unmanaged.passUnretained(box).toOpaque())
    }

    @Test(
        "cancellation while the library ends a transaction of its own is no misuse", arguments: AccessTests.executions)
    func checkOfFiles(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            // Lives as long as the connection calls it.
            let cancellation = Cancellation()
            let result = await outcome { cancel in
                cancellation.action.withLock { $0 = cancel }
                try await database.writeWithoutTransaction { db in
                    // Cancels when the check of the files, which follows, ends its read transaction.
                    sqlite3_trace_v2(
                        db.handle, UInt32(SQLITE_TRACE_STMT),
                        { _, context, statement, _ in
                            guard let text = sqlite3_sql(OpaquePointer(statement)), String(cString: text) == "ROLLBACK"
                            else { return 0 }
                            Unmanaged<Cancellation>.fromOpaque(context!).takeUnretainedValue().call()
                            return 0
                        }, Unmanaged.passUnretained(cancellation).toOpaque())
                }
            }
            if case .failure(let error) = result { #expect(error is CancellationError) }
            try await database.writeWithoutTransaction { db in _ = sqlite3_trace_v2(db.handle, 0, nil, nil) }
            withExtendedLifetime(cancellation) {}
        }
    }

    @Test("cancellation has no effect once the commit has begun", arguments: AccessTests.executions)
    func committing(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        let schema = [Migration("t", script: "CREATE TABLE t (x)")]
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let box = Cancellation()
            let write = Task.detached {
                try await database.write { db in
                    Self.callBeforeCommit(box, db)
                    _ = try db.execute("INSERT INTO t VALUES (1)")
                    return
                }
            }
            box.action.withLock { $0 = { write.cancel() } }
            try await write.value
            try await database.write { db in _ = sqlite3_commit_hook(db.handle, nil, nil) }
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
        }
    }
}

/// Runs `access` in its own task, and passes it a function that cancels that task.
func outcome(
    of access: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws -> Void
) async -> Result<Void, any Error> {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let cancellation = Cancellation()
    let running = Task.detached {
        for await _ in started {}
        try await access { cancellation.call() }
    }
    cancellation.action.withLock { $0 = { running.cancel() } }
    start.finish()
    return await running.result
}

final class Cancellation: Sendable {
    let action = Mutex<@Sendable () -> Void>({})

    func call() {
        action.withLock { $0 }()
    }
}
