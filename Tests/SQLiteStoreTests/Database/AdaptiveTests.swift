import CSQLite
import Dispatch
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("Accesses on the caller's thread", .limitedConcurrency)
struct AdaptiveTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x)")]
    /// A query that would run for hours.
    private static let endless: SQL =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"

    private static func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    /// Reads at `line` until the reads there run on the caller's thread.
    private func warmReads(_ database: Database, at line: UInt) async throws {
        var isShort = false
        while !isShort {
            try Task.checkCancellation()
            let caller = Self.thread()
            isShort = try await database.read(line: line) { _ in Self.thread() == caller }
        }
    }

    /// Writes nothing at `line` until the writes there run on the caller's thread.
    private func warmWrites(_ database: Database, at line: UInt) async throws {
        var isShort = false
        while !isShort {
            try Task.checkCancellation()
            let caller = Self.thread()
            isShort = try await database.write(line: line) { _ in Self.thread() == caller }
        }
    }

    @Test("an access within one on the caller's thread throws instead of deadlocking")
    func reentrant() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let nested = { @Sendable in
                [errorCode { try database.blockingRead { _ in } }, errorCode { try database.blockingWrite { _ in } }]
            }
            // Again if the system paused the thread during the last access, which was then not short.
            var (isReadHere, isWriteHere) = (false, false)
            while !isReadHere || !isWriteHere {
                try await warmReads(database, at: 1)
                let caller = Self.thread()
                let reading = try await database.read(line: 1) { _ in (codes: nested(), thread: Self.thread()) }
                #expect(reading.codes == [.reentrantAccess, .reentrantAccess])
                isReadHere = isReadHere || reading.thread == caller
                try await warmWrites(database, at: 2)
                let again = Self.thread()
                let writing = try await database.write(line: 2) { _ in (codes: nested(), thread: Self.thread()) }
                #expect(writing.codes == [.reentrantAccess, .reentrantAccess])
                isWriteHere = isWriteHere || writing.thread == again
            }
            try await database.read { _ in }
        }
    }

    @Test("cancellation interrupts a read on the caller's thread, and no later access on its connection")
    func cancelledRead() async throws {
        let configuration = Database.Configuration().with { $0.readerCount = 1 }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            for _ in 0..<3 {
                try await warmReads(database, at: 1)
                let result = await outcome { cancel in
                    try await database.read(line: 1) { db in
                        Thread.detachNewThread(cancel)
                        _ = try db.fetchOne(Int.self, Self.endless)
                    }
                }
                #expect(throws: CancellationError.self) { try result.get() }
                // On a thread, because the last one was long.
                #expect(try await database.read(line: 1) { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            }
        }
    }

    @Test("cancellation rolls a write on the caller's thread back")
    func cancelledWrite() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await warmWrites(database, at: 1)
            let result = await outcome { cancel in
                try await database.write(line: 1) { db in
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

    @Test("an access of a cancelled task does not begin on the caller's thread")
    func cancelledBefore() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await warmReads(database, at: 1)
            let result = await outcome { cancel in
                cancel()
                try await database.read(line: 1) { _ in _ = Issue.record("the access of a cancelled task began") }
            }
            #expect(throws: CancellationError.self) { try result.get() }
        }
    }

    @Test("the caller's thread does not wait for a lock of another process, and the write runs once")
    @MainActor
    func lockedByOther() async throws {
        try await withTemporaryFolder { @MainActor (folder) async throws in
            let database = try await Database.open(.file(folder + "/db"), migrations: Self.schema)
            try await warmWrites(database, at: 1)
            var other: OpaquePointer?
            sqlite3_open(folder + "/db", &other)
            defer { sqlite3_close(other) }
            #expect(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
            let write = Task { @MainActor in
                try await database.write(line: 1) { db in
                    try db.execute("INSERT INTO t VALUES (1)")
                    return Thread.isMainThread
                }
            }
            // Would return only after the busy timeout if the write occupied this thread.
            await Task.yield()
            #expect(sqlite3_exec(other, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
            #expect(try await !write.value)
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
            await database.close()
        }
    }

    @Test("with a rollback journal, where readers and writers block each other, accesses run on threads")
    func rollbackJournal() async throws {
        let configuration = Database.Configuration().with { $0.journalMode = .delete }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            for _ in 0..<50 {
                let caller = Self.thread()
                #expect(try await database.read { _ in Self.thread() } != caller)
            }
        }
    }

    @Test("a commit does not move the log into the file; the next access of the writer's thread does")
    func checkpoint() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let size = { @Sendable in try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 }
            let database = try await Database.open(.file(path), migrations: Self.schema)
            for _ in 0..<2 {
                let (before, after) = try await database.writeWithoutTransaction { db in
                    let before = try size()
                    // More than 1,000 pages.
                    try db.transaction { try db.execute("INSERT INTO t VALUES (zeroblob(8000000))") }
                    return (before, try size())
                }
                #expect(before == after)
                // Runs behind the checkpoint.
                try await database.writeWithoutTransaction { _ in }
                #expect(try size() > after + 7_000_000)
                // A setting that was changed and restored does not end the checkpoints.
                try await database.writeWithoutTransaction { db in _ = try db.execute("PRAGMA wal_autocheckpoint = 7") }
            }
            await database.close()
        }
    }

    @Test("an app can turn checkpoints off, and choose when they are due")
    func ownCheckpoints() async throws {
        for pages in [0, 20] {
            try await withTemporaryFolder { (folder) async throws in
                let path = folder + "/db"
                let size = { @Sendable in try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 }
                let configuration = Database.Configuration().with {
                    $0.prepare = { db in try db.execute("PRAGMA wal_autocheckpoint = \(raw: "\(pages)")") }
                }
                let database = try await Database.open(
                    .file(path), configuration: configuration, migrations: Self.schema)
                let before = try size()
                // 100 pages.
                try await database.write { db in try db.execute("INSERT INTO t VALUES (zeroblob(400000))") }
                try await database.writeWithoutTransaction { _ in }
                let grows = try size() > before
                #expect(grows == (pages > 0))
                await database.close()
            }
        }
    }

    @Test("many tasks share the few threads of the cooperative pool, while one read holds a connection")
    func manyTasks() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let go = DispatchSemaphore(value: 0)
            let holder = Task {
                try await database.read { _ in
                    begin.yield()
                    go.wait()
                }
            }
            for await _ in begun { break }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        for index in 0..<20 {
                            if index % 5 == 4 {
                                try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (\(task))") }
                            } else {
                                _ = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 256)
            go.signal()
            try await holder.value
        }
    }

    @Test(
        "closing ends accesses that run on any thread, and cleans the log up",
        arguments: [Database.Execution.adaptive, .dedicatedThreads])
    func closing(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with {
            $0.execution = execution
            $0.synchronous = .normal
        }
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let database = try await Database.open(
                .file(path), configuration: configuration, migrations: Self.schema)
            let (counts, count) = AsyncStream.makeStream(of: Int.self)
            let tasks = (0..<8).map { task in
                Task {
                    for index in 0... {
                        if task < 2 {
                            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (\(index))") }
                        } else {
                            _ = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
                        }
                        count.yield(index)
                    }
                }
            }
            for await index in counts where index > 100 { break }
            await database.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            for task in tasks {
                let error = await #expect(throws: SQLiteError.self) { try await task.value }
                #expect(error?.code == .closed)
            }
        }
    }
}

@Suite("The connection that opens a database", .limitedConcurrency)
struct FreshConnectionTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x); INSERT INTO t VALUES (1)")]

    @Test("one connection serves until another is needed, and the last one cleans the log up")
    func connections() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let opened = Atomic(0)
            let configuration = Database.Configuration().with {
                $0.prepare = { _ in opened.add(1, ordering: .relaxed) }
            }
            let database = try await Database.open(
                .file(path), configuration: configuration, migrations: Self.schema)
            let count = { @Sendable (db: Connection) in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") ?? 0 }
            for _ in 0..<3 { #expect(try await database.read(count) == 1) }
            #expect(opened.load(ordering: .relaxed) == 1)
            // Another reader, which could not clean up the log.
            let nested = try await database.read { db in
                let outer = try count(db)
                let inner = Mutex(0)
                let ended = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    #expect(throws: Never.self) { try inner.withLock { $0 = try database.blockingRead(count) } }
                    ended.signal()
                }
                ended.wait()
                return outer + inner.withLock { $0 }
            }
            #expect(nested == 2)
            #expect(opened.load(ordering: .relaxed) == 2)
            await database.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            let writing = try await Database.open(
                .file(path), configuration: configuration, migrations: Self.schema)
            try await writing.write { db in _ = try db.execute("INSERT INTO t VALUES (2)") }
            #expect(opened.load(ordering: .relaxed) == 3)
            #expect(try await writing.read(count) == 2)
            #expect(opened.load(ordering: .relaxed) == 4)
            await writing.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    private static func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test("a migrated file is opened on the caller's thread, unless it has a log or pending migrations")
    func openedByCaller() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let threads = Mutex([ObjectIdentifier]())
            let configuration = Database.Configuration().with {
                $0.prepare = { _ in threads.withLock { $0.append(Self.thread()) } }
            }
            let later =
                Self.schema + [
                    Migration("u", revision: "1") { db in
                        threads.withLock { $0.append(Self.thread()) }
                        try db.execute("CREATE TABLE u (x)")
                    }
                ]
            /// Opens the file, and returns which of the steps ran on the caller's thread.
            func open(_ migrations: [Migration]) async throws -> (Database, [Bool]) {
                threads.withLock { $0 = [] }
                let caller = Self.thread()
                let database = try await Database.open(
                    .file(path), configuration: configuration, migrations: migrations)
                return (database, threads.withLock { $0.map { $0 == caller } })
            }
            try await open(Self.schema).0.close()
            let (database, isHere) = try await open(Self.schema)
            #expect(isHere == [true])
            await database.close()
            let (migrated, isMigratedHere) = try await open(later)
            #expect(isMigratedHere == [true, false])
            try await migrated.write { db in _ = try db.execute("INSERT INTO u VALUES (1)") }
            // The log has pages until the last database is closed.
            let (other, isOtherHere) = try await open(later)
            #expect(isOtherHere == [false])
            await other.close()
            await migrated.close()
        }
    }

    @Test("the thread that opens a database does not wait for a lock of another process")
    @MainActor
    func openedWhileLocked() async throws {
        try await withTemporaryFolder { @MainActor (folder) async throws in
            let path = folder + "/db"
            let configuration = Database.Configuration().with { $0.journalMode = .delete }
            try await Database.open(.file(path), configuration: configuration, migrations: Self.schema).close()
            var other: OpaquePointer?
            sqlite3_open(path, &other)
            defer { sqlite3_close(other) }
            #expect(sqlite3_exec(other, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
            let opening = Task { @MainActor in try await Database.open(.file(path), migrations: Self.schema) }
            // Would return only after the busy timeout if the opening occupied this thread.
            await Task.yield()
            #expect(sqlite3_exec(other, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
            try await opening.value.close()
        }
    }

    @Test("a database closes on the caller's thread, unless it has pages of the log to move", arguments: [false, true])
    func closedByCaller(writes: Bool) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            try await Database.open(.file(path), migrations: Self.schema).close()
            let threads = Threads()
            let configuration = Database.Configuration().with {
                $0.prepare = { db in
                    let context = Unmanaged.passRetained(threads).toOpaque()
                    sqlite3_create_function_v2(
                        db.handle, "f", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, context, { _, _, _ in }, nil, nil
                    ) { context in
                        Unmanaged<Threads>.fromOpaque(context!).takeRetainedValue().closing.withLock {
                            $0.append(FreshConnectionTests.thread())
                        }
                    }
                }
            }
            let database = try await Database.open(.file(path), configuration: configuration, migrations: Self.schema)
            if writes { try Self.insert(database) }
            let caller = Self.thread()
            await database.close()
            #expect(threads.closing.withLock { $0.map { $0 == caller } } == [!writes])
        }
    }

    private final class Threads: Sendable {
        /// The threads on which connections were closed.
        let closing = Mutex([ObjectIdentifier]())
    }

    private static func insert(_ database: Database) throws {
        try database.blockingWrite { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
    }

    @Test("a file is asked whether it is new only if it has no applied migration", arguments: [true, false])
    func newness(_ isMigrated: Bool) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let statements = Mutex([String]())
            let configuration = Database.Configuration().with {
                // SQLite also reports a statement of no duration.
                $0.slowStatements = SlowStatements(longerThan: .nanoseconds(-1)) { statement in
                    statements.withLock { $0.append(statement.sql) }
                }
            }
            try await Database.open(.file(path), migrations: Self.schema).close()
            let database = try await Database.open(
                .file(path), configuration: configuration, migrations: isMigrated ? Self.schema : [])
            await database.close()
            let questions = statements.withLock { $0.filter { $0.contains("page_count") } }
            #expect(questions.isEmpty == isMigrated)
        }
    }

    @Test("a read on it cannot write, even through the handle")
    func readOnly() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let code = try await database.read { db in
                sqlite3_exec(db.handle, "INSERT INTO t VALUES (2)", nil, nil, nil)
            }
            #expect(code & 0xFF == SQLITE_READONLY)
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (2)") }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 2)
        }
    }
}
