#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("PostgreSQL connection pool", .needsServer, .limitedConcurrency)
struct PoolTests {
    @Test("64 tasks on 4 connections run in order of arrival, and none starves")
    func fairness() async throws {
        try await withTemporaryDatabase { (database) async throws in
            let counts = Locked([Int](repeating: 0, count: 64))
            let backends = Locked(Set<Int>())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<64 {
                    group.addTask { () async throws in
                        for _ in 0..<20 {
                            let backend = try await database.read { (db) throws in
                                try db.fetchOne(Int.self, "SELECT pg_backend_pid()") ?? 0
                            }
                            backends.withLock { _ = $0.insert(backend) }
                            let lowest = counts.withLock { counts in
                                counts[index] += 1
                                return counts.min() ?? 0
                            }
                            // Every other task is at most a few turns behind, if it has begun.
                            #expect(counts.withLock { $0[index] } - lowest <= 20)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(counts.withLock { $0 } == [Int](repeating: 20, count: 64))
            #expect(backends.withLock { $0.count } <= 4)
        }
    }

    @Test("waiting accesses get a connection in order of arrival")
    func order() async throws {
        let configuration = Database.Configuration().with { $0.connectionCount = 1 }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            let order = Locked([Int]())
            let holding = try await HeldConnection.hold(of: database)
            var tasks: [Task<Void, any Error>] = []
            for index in 0..<50 {
                tasks.append(Task.detached { try await database.read { _ in order.withLock { $0.append(index) } } })
                try await waitUntil { database.waitingAccessCount == index + 1 }
            }
            holding.end()
            for task in tasks { try await task.value }
            #expect(order.withLock { $0 } == Array(0..<50))
        }
    }

    @Test("an access that waits longer than the lease timeout fails, and the next one succeeds")
    func lease() async throws {
        let configuration = Database.Configuration().with {
            $0.connectionCount = 1
            $0.leaseTimeout = .milliseconds(30)
        }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            let holding = try await HeldConnection.hold(of: database)
            for _ in 0..<2 {
                let error = await #expect(throws: PostgreSQLError.self) { try await database.read { _ in } }
                #expect(error?.code == .leaseTimeout)
            }
            holding.end()
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
        }
    }

    @Test("cancelling a waiting access ends its wait immediately, and the others keep their order")
    func cancelledWait() async throws {
        let configuration = Database.Configuration().with { $0.connectionCount = 1 }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            let holding = try await HeldConnection.hold(of: database)
            let tasks = (0..<20).map { index in Task.detached { try await database.read { _ in index } } }
            for (index, task) in tasks.enumerated() where index.isMultiple(of: 2) {
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            holding.end()
            for (index, task) in tasks.enumerated() where !index.isMultiple(of: 2) {
                #expect(try await task.value == index)
            }
        }
    }

    @Test("connections are opened only as they are needed")
    func lazily() async throws {
        try await withTemporaryDatabase { (database) async throws in
            var backends: Set<Int?> = []
            for _ in 0..<20 {
                backends.insert(
                    try await database.read { db in try db.fetchOne(Int.self, "SELECT pg_backend_pid()") })
            }
            #expect(backends.count == 1)
        }
    }

    /// Calls `body` with a location at which the server grants this number of connections.
    private func withPlaces(_ count: Int, _ body: (Database.Location) async throws -> Void) async throws {
        let server = try await PostgreSQLServer.shared
        let role = "limited_\(UInt32.random(in: 0 ... .max))"
        let admin = try await Database.open(server.location)
        try await admin.writeWithoutTransaction { db in
            try db.execute("CREATE ROLE \(identifier: role) LOGIN CONNECTION LIMIT \(raw: "\(count)")")
        }
        try await body(.parameters(["host": server.folder ?? "", "user": role, "dbname": "postgres"]))
        try await admin.writeWithoutTransaction { db in try db.execute("DROP ROLE \(identifier: role)") }
        await admin.close()
    }

    @Test(
        "accesses succeed on fewer connections than configured, if the server has no more",
        .enabled(if: PostgreSQLServer.isOwned))
    func accessesSucceedOnFewerConnectionsThanConfigured() async throws {
        try await withPlaces(5) { (location) async throws in
            let configuration = Database.Configuration().with { $0.connectionCount = 16 }
            let database = try await Database.open(location, configuration: configuration)
            let results = await withTaskGroup(of: [String].self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        var failures: [String] = []
                        for _ in 0..<15 {
                            do {
                                _ = try await database.read { db in try db.execute("SELECT pg_sleep(0.002)") }
                            } catch { failures.append("\(error)") }
                        }
                        return failures
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(results.count == 0, "\(results.count) of 240: \(results.first ?? "")")
            // Also one after the other: the connections that are open come first.
            for _ in 0..<20 {
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            }
            await database.close()
        }
    }

    @Test(
        "a server without a free connection is waited for, and named when it stays so",
        .enabled(if: PostgreSQLServer.isOwned))
    func serverWithoutFreeConnectionIsWaitedFor() async throws {
        try await withPlaces(1) { (location) async throws in
            let other = try await Database.open(location)
            let impatient = Database.Configuration().with { $0.leaseTimeout = .milliseconds(300) }
            let begin = ContinuousClock.now
            let error = await #expect(throws: PostgreSQLError.self) {
                _ = try await Database.open(location, configuration: impatient)
            }
            #expect(error?.code == .tooManyConnections)
            #expect(error?.message.contains("within 0.3 seconds") == true, "\(error?.message ?? "")")
            #expect(begin.duration(to: .now) >= .milliseconds(300))
            async let waiting = Database.open(location)
            await other.close()
            await (try waiting).close()
        }
    }
}

/// A read that occupies a connection until it is ended or released.
final class HeldConnection: Sendable {
    private let go = DispatchSemaphore(value: 0)

    deinit { go.signal() }

    static func hold(of database: Database) async throws -> HeldConnection {
        let holding = HeldConnection()
        await withCheckedContinuation { inside in
            onThread { [go = holding.go] in
                #expect(throws: Never.self) {
                    try database.blockingRead { _ in
                        inside.resume()
                        go.wait()
                    }
                }
            }
        }
        return holding
    }

    func end() { go.signal() }
}
#endif
