import Dispatch
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

@Suite("Suspension", .limitedConcurrency)
struct SuspensionTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY)")]

    /// A statement without an end.
    private static let endless = SQL(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n")

    private static let all: @Sendable (Connection) throws -> [Int] = { db in
        try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x")
    }

    private static func insert(_ x: Int, _ database: Database) async throws {
        try await database.write { db in try db.execute("INSERT INTO t VALUES (\(x))") }
    }

    private func withDatabase(
        _ configuration: Database.Configuration = Database.Configuration(),
        _ body: (Database, _ folder: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            try await body(database, folder)
            await database.close()
        }
    }

    /// The files below `folder` that this process has open, where the system tells.
    private func openFiles(below folder: String) -> [String] {
        #if os(Linux)
        let folder = URL(filePath: folder).resolvingSymlinksInPath().path
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(folder) }
        #else
        return []
        #endif
    }

    @Test(
        "running and waiting accesses of a suspended database end with its error, and no file stays open",
        arguments: AccessTests.executions, [Database.JournalMode.writeAheadLog, .delete])
    func ends(execution: Database.Execution, mode: Database.JournalMode) async throws {
        let configuration = Database.Configuration().with {
            $0.execution = execution
            $0.journalMode = mode
        }
        try await withDatabase(configuration) { (database, folder) async throws in
            try await Self.insert(1, database)
            var values = database.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
            #expect(try await values.next() == [1])

            let running = SharedCount()
            // Not awaited in a task of the pool, whose threads inline accesses would occupy.
            let write = Task.detached {
                await onThread {
                    errorCode {
                        try database.blockingWrite { db in
                            try db.execute("INSERT INTO t VALUES (2)")
                            running.increment()
                            _ = try db.fetchOne(Int.self, Self.endless)
                        }
                    }
                }
            }
            try await waitUntil { running.value == 1 }
            let waiting = Task { try await Self.insert(3, database) }
            try await waitUntil { database.waitingWriteCount == 1 }
            let read = Task.detached {
                await onThread {
                    errorCode {
                        // With a rollback journal, the read goes on beside a write that has not spilled its cache.
                        try database.blockingRead { db in
                            running.increment()
                            _ = try db.fetchOne(Int.self, Self.endless)
                        }
                    }
                }
            }
            try await waitUntil { running.value == 2 }

            await database.suspend()

            #expect(openFiles(below: folder) == [])
            #expect(await write.value == .suspended)
            #expect(await read.value == .suspended)
            #expect(await errorCode { _ = try await waiting.value } == .suspended)
            for _ in 0..<2 {
                #expect(await errorCode { _ = try await database.read(Self.all) } == .suspended)
                #expect(await errorCode { _ = try await Self.insert(4, database) } == .suspended)
                await database.suspend()
            }
            // Changing the mode needs a lock that excludes every connection.
            let other = try await Database.open(
                .file(folder + "/db"),
                configuration: configuration.with {
                    ($0.busyTimeout, $0.journalMode) = (.zero, mode == .delete ? .writeAheadLog : .delete)
                })
            try await Self.insert(5, other)
            await other.close()

            database.resume()
            #expect(try await values.next() == [1, 5])
            try await Self.insert(6, database)
            #expect(try await values.next() == [1, 5, 6])
            #expect(try await database.read(Self.all) == [1, 5, 6])
        }
    }

    @Test("a write throws the error of a suspension exactly if it was rolled back", arguments: AccessTests.executions)
    func atomicity(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withDatabase(configuration) { (database, folder) async throws in
            let isOver = SharedCount()
            let (writers, count) = (4, 60)
            let acknowledged = try await withThrowingTaskGroup(of: [Int].self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        var stored: [Int] = []
                        for index in 0..<count {
                            let x = index * writers + writer
                            do {
                                if index % 3 == 0 { _ = try await database.read(Self.all) }
                                try await database.write { db in
                                    for row in [x, -x - 1] { try db.execute("INSERT INTO t VALUES (\(row))") }
                                }
                                stored += [x, -x - 1]
                            } catch let error as SQLiteError where error.code == .suspended {
                                await Task.yield()
                            }
                        }
                        return stored
                    }
                }
                group.addTask {
                    while isOver.value == 0, !Task.isCancelled {
                        await database.suspend()
                        #expect(openFiles(below: folder) == [])
                        database.resume()
                        for _ in 0..<20 { await Task.yield() }
                    }
                    return []
                }
                var stored: [Int] = []
                for _ in 0..<writers { stored += try await group.next() ?? [] }
                isOver.increment()
                try await group.waitForAll()
                return stored
            }
            #expect(try await database.read(Self.all) == acknowledged.sorted())
            #expect(try await database.integrityCheck() == [])
        }
    }

    @Test("suspensions that overlap leave a database that works", arguments: AccessTests.executions)
    func overlapping(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withDatabase(configuration) { (database, folder) async throws in
            let observer = Task {
                for try await values in database.observe(Int.self, "SELECT x FROM t ORDER BY x")
                where values.last == 1000 {
                    return values
                }
                return []
            }
            let acknowledged = try await withThrowingTaskGroup(of: [Int].self) { group in
                for task in 0..<3 {
                    group.addTask {
                        for _ in 0..<40 {
                            if task > 0 { await database.suspend() }
                            await Task.yield()
                            database.resume()
                        }
                        return []
                    }
                    group.addTask {
                        var stored: [Int] = []
                        for x in stride(from: task, to: 150, by: 3) {
                            do {
                                try await Self.insert(x, database)
                                stored.append(x)
                            } catch let error as SQLiteError where error.code == .suspended {}
                        }
                        return stored
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            database.resume()
            try await Self.insert(1000, database)
            #expect(try await observer.value == acknowledged.sorted() + [1000])
            await database.suspend()
            #expect(openFiles(below: folder) == [])
        }
    }

    @Test("a suspension ends snapshots for good, and their running reads")
    func snapshots() async throws {
        try await withDatabase { (database, folder) async throws in
            let snapshot = try await database.snapshot()
            let isRunning = SharedCount()
            let read = Task {
                try await snapshot.read { db in
                    isRunning.increment()
                    return try db.fetchOne(Int.self, Self.endless)
                }
            }
            try await waitUntil { isRunning.value == 1 }
            await database.suspend()
            #expect(openFiles(below: folder) == [])
            #expect(await errorCode { _ = try await read.value } == .suspended)
            #expect(await errorCode { _ = try await database.snapshot() } == .suspended)
            database.resume()
            let ended = await #expect(throws: SQLiteError.self) { try await snapshot.read(Self.all) }
            #expect(ended?.code == .suspended)
            #expect(ended?.message.contains("take another") == true)
            #expect(try await database.snapshot().read(Self.all) == [])
            await snapshot.close()
        }
    }

    @Test("an observer that asks for its first value during a suspension receives it after the end")
    func observerDuringSuspension() async throws {
        try await withDatabase { (database, _) async throws in
            await database.suspend()
            let first = Task { () -> [Int]? in
                for try await values in database.observe(Int.self, "SELECT x FROM t") { return values }
                return nil
            }
            let cancelled = Task { () -> [Int]? in
                for try await values in database.observe(Int.self, "SELECT -x FROM t") { return values }
                return nil
            }
            try await waitUntil { database.suspendedObserverCount == 2 }
            cancelled.cancel()
            #expect(try await cancelled.value == nil)
            #expect(database.suspendedObserverCount == 1)
            database.resume()
            #expect(try await first.value == [])
        }
    }

    @Test("closing a suspended database ends the suspension of its observers with an error")
    func closed() async throws {
        try await withDatabase { (database, _) async throws in
            await database.suspend()
            let observer = Task { () -> [Int]? in
                for try await values in database.observe(Int.self, "SELECT x FROM t") { return values }
                return nil
            }
            try await waitUntil { database.suspendedObserverCount == 1 }
            await database.close()
            #expect(await errorCode { _ = try await observer.value } == .closed)
            await database.suspend()
            database.resume()
            #expect(await errorCode { _ = try await database.read(Self.all) } == .closed)
        }
    }

    @Test("a notification suspends and resumes, also when an access posts it")
    func notification() async throws {
        try await withDatabase { (database, folder) async throws in
            let suspends = Notification.Name("SuspensionTests.suspends \(folder)")
            let observer = NotificationCenter.default.addObserver(forName: suspends, object: nil, queue: nil) { _ in
                database.blockingSuspend()
            }
            await onThread { NotificationCenter.default.post(name: suspends, object: nil) }
            #expect(openFiles(below: folder) == [])
            database.resume()
            let code = await onThread {
                errorCode {
                    try database.blockingWrite { db in
                        try db.execute("INSERT INTO t VALUES (1)")
                        NotificationCenter.default.post(name: suspends, object: nil)
                    }
                }
            }
            #expect(code == .suspended)
            NotificationCenter.default.removeObserver(observer)
            await database.suspend()
            #expect(openFiles(below: folder) == [])
            database.resume()
            #expect(try await database.read(Self.all) == [])
        }
    }

    @Test("a suspension waits for the connection of a count of commits that opens meanwhile")
    func openingCounters() async throws {
        let (opens, isOpening, mayOpen) = (SharedCount(), SharedCount(), DispatchSemaphore(value: 0))
        let configuration = Database.Configuration().with {
            $0.prepare = { _ in
                guard opens.value == 1 else { return }
                isOpening.increment()
                mayOpen.wait()
            }
        }
        try await withDatabase(configuration) { (database, folder) async throws in
            #expect(try await database.read(Self.all) == [])
            opens.increment()
            async let count = onThread { database.commitCount() }
            try await waitUntil { isOpening.value == 1 }
            let suspension = Task {
                await database.suspend()
                return openFiles(below: folder)
            }
            try await waitUntilSuspended(database)
            // A suspension that did not wait would end now.
            for _ in 0..<100 { try await waitUntil { true } }
            mayOpen.signal()
            #expect(await suspension.value == [])
            #expect(await count == nil)
            opens.increment()
            database.resume()
            #expect(database.commitCount() != nil)
        }
    }

    /// Waits until accesses throw the error of a suspension, which may not have ended.
    private func waitUntilSuspended(_ database: Database) async throws {
        while await errorCode({ _ = try await database.read { _ in } }) != .suspended { try Task.checkCancellation() }
    }

    @Test("an exclusive database lets others use its file while it is suspended")
    func exclusive() async throws {
        try await withDatabase(Database.Configuration().with { $0.isExclusive = true }) {
            (database, folder) async throws in
            try await Self.insert(1, database)
            await database.suspend()
            let other = try await Database.open(
                .file(folder + "/db"), configuration: Database.Configuration().with { $0.busyTimeout = .zero })
            try await Self.insert(2, other)
            await other.close()
            database.resume()
            #expect(try await database.read(Self.all) == [1, 2])
        }
    }

    @Test("a database in memory keeps its content, and goes on")
    func inMemory() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.schema)
        try await Self.insert(1, database)
        await database.suspend()
        #expect(try await database.read(Self.all) == [1])
        database.resume()
        await database.close()
    }
}
