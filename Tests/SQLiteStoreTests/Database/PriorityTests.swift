import Dispatch
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestTurns
import Testing

@Suite("Priorities of reads", .takesTurns)
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
