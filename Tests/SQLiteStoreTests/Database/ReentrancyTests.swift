import Dispatch
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("Blocking and re-entrant accesses", .limitedConcurrency)
struct ReentrancyTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x)")]

    @Test(
        "an access within another to the same database throws instead of deadlocking",
        arguments: AccessTests.executions)
    func reentrant(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            let codes = try await database.write { _ in
                [
                    errorCode { _ = try database.blockingWrite { db in try db.execute("INSERT INTO t VALUES (1)") } },
                    errorCode { _ = try database.blockingRead { db in try db.fetchAll(Int.self, "SELECT x FROM t") } },
                ]
            }
            #expect(codes == [.reentrantAccess, .reentrantAccess])
            let inRead = try await database.read { _ in errorCode { try database.blockingWrite { _ in } } }
            #expect(inRead == .reentrantAccess)
        }
    }

    @Test("an access within one to another database is not re-entrant", arguments: AccessTests.executions)
    func other(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { first in
            try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { second in
                let count = try await first.write { _ in
                    try second.blockingWrite { db in try db.execute("INSERT INTO t VALUES (1)") }
                }
                #expect(count == 1)
            }
        }
    }

    @Test("blocking accesses of several threads run one after the other", arguments: AccessTests.executions)
    func blocking(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    DispatchQueue.concurrentPerform(iterations: 40) { index in
                        #expect(throws: Never.self) {
                            try database.blockingWrite { db in _ = try db.execute("INSERT INTO t VALUES (\(index))") }
                        }
                    }
                    continuation.resume()
                }
            }
            let count = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
            #expect(count == 40)
        }
    }

    /// Holds a value that does not leave its thread.
    private final class Box {
        var thread: Thread?
    }

    @Test("cancellation has no effect on blocking accesses", arguments: AccessTests.executions)
    func blockingIgnoresCancellation(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            @Sendable func count() throws -> Int? {
                try database.blockingWrite { db in
                    // Long enough for the progress handler to be called.
                    _ = try db.execute(
                        """
                        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10000)
                        INSERT INTO t SELECT x FROM n
                        """)
                }
                return try database.blockingRead { db in try db.fetchOne(Int.self, "SELECT SUM(x) FROM t") }
            }
            let sum = try await withThrowingTaskGroup(of: Int?.self) { group in
                group.cancelAll()
                group.addTask { try count() }
                return try await group.next() ?? nil
            }
            #expect(sum == 50_005_000)
        }
    }

    @Test("blocking accesses run on the caller's thread", arguments: AccessTests.executions)
    func ownThread(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            func threads() throws -> [Thread?] {
                let box = Box()
                try database.blockingWrite { db in
                    box.thread = Thread.current
                    try db.execute("INSERT INTO t VALUES (1)")
                }
                return [box.thread, try database.blockingRead { _ in Thread.current }, Thread.current]
            }
            let all = try threads()
            #expect(Set(all).count == 1)
        }
    }

    @Test("blocking and asynchronous accesses share connections", arguments: AccessTests.executions)
    func mixed(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with {
            $0.execution = execution
            $0.readerCount = 2
            $0.synchronous = .normal
        }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            let blocking = (0..<3).map { thread in
                Task {
                    await onThread {
                        for _ in 0..<25 {
                            #expect(throws: Never.self) {
                                try database.blockingWrite { db in
                                    _ = try db.execute("INSERT INTO t VALUES (\(thread))")
                                }
                                _ = try database.blockingRead { db in try db.fetchAll(Int.self, "SELECT x FROM t") }
                            }
                        }
                    }
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<3 {
                    group.addTask {
                        for _ in 0..<25 {
                            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (\(task))") }
                            _ = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for task in blocking { await task.value }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 150)
        }
    }

    @Test("closing waits for running accesses and rejects new ones", arguments: AccessTests.executions)
    func closing(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let database = try await Database.open(.file(path), configuration: configuration, migrations: Self.schema)
            let first = await OpenWrite.begin(in: database) { db in try db.execute("INSERT INTO t VALUES (1)") }
            async let closed: Void = database.close()
            // Reads succeed until the closing has begun.
            var refusal: SQLiteError.Code?
            defer { first.end() }
            try await waitUntil {
                refusal = errorCode { try database.blockingRead { _ in } }
                return refusal != nil
            }
            #expect(refusal == .closed)
            first.end()
            await closed
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            let again = try await Database.open(.file(path), migrations: Self.schema)
            #expect(try await again.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 1)
            await again.close()
        }
    }
}

@Suite("Priorities of reads", .limitedConcurrency)
struct PriorityTests {
    /// Begins a read that holds a connection until `go` is signalled.
    private func hold(
        _ database: Database, _ priority: TaskPriority, until go: DispatchSemaphore,
        then note: @escaping @Sendable () -> Void = {}
    ) async -> Task<Void, any Error> {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task.detached(priority: priority) {
            try await database.read { _ in
                begin.yield()
                go.wait()
                note()
            }
        }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        return task
    }

    private final class Log: Sendable {
        private let list = Mutex<[String]>([])
        var names: [String] { list.withLock { $0 } }
        func append(_ name: String) { list.withLock { $0.append(name) } }
    }

    @Test("low-priority reads never occupy the last connection")
    func reservedConnection() async throws {
        let configuration = Database.Configuration().with { $0.readerCount = 2 }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            let go = DispatchSemaphore(value: 0)
            var background = [await hold(database, .background, until: go)]
            for _ in 0..<3 {
                let read = Task.detached(priority: .background) { try await database.read { _ in go.wait() } }
                background.append(read)
            }
            try await waitUntil { database.waitingReadCount == 3 }
            for _ in 0..<3 {
                let one = try await Task.detached(priority: .high) {
                    try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") }
                }.value
                #expect(one == 1)
            }
            for _ in background { go.signal() }
            for task in background { try await task.value }
        }
    }

    @Test("waiting reads run in order of priority, and in order of arrival within a priority")
    func order() async throws {
        let configuration = Database.Configuration().with { $0.readerCount = 2 }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            let go = DispatchSemaphore(value: 0)
            let holders = [await hold(database, .high, until: go), await hold(database, .high, until: go)]
            let order = Log()
            func read(_ name: String, _ priority: TaskPriority) -> Task<Void, any Error> {
                Task.detached(priority: priority) { [order] in
                    try await database.read { _ in order.append(name) }
                }
            }
            let reads: [(String, TaskPriority)] = [
                ("low 1", .background), ("normal 1", .medium), ("high 1", .high), ("low 2", .low),
                ("normal 2", .medium),
                ("high 2", .high),
            ]
            var tasks = holders
            for (index, (name, priority)) in reads.enumerated() {
                tasks.append(read(name, priority))
                try await waitUntil { database.waitingReadCount == index + 1 }
            }
            // A single connection serves all of them.
            go.signal()
            try await waitUntil { order.names.count >= 4 }
            go.signal()
            for task in tasks { try await task.value }
            #expect(order.names == ["high 1", "high 2", "normal 1", "normal 2", "low 1", "low 2"])
        }
    }
}
