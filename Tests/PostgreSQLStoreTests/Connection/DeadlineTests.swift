#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

/// Each limit is 20 times shorter than what the link would take, so that a slow machine does not fail a test.
@Suite("PostgreSQL time limits", .needsOwnServer, .limitedConcurrency)
struct DeadlineTests {
    /// Calls `body` with a database behind a relay, which waits at most a second for a statement or an access.
    private func withNetwork(
        _ change: (inout Database.Configuration) -> Void, _ body: (FaultyNetwork, Database) async throws -> Void
    ) async throws {
        let network = try FaultyNetwork(to: try await PostgreSQLServer.shared)
        defer { network.close() }
        let configuration = Database.Configuration().with {
            $0.connectionCount = 1
            $0.cancellationTimeout = .milliseconds(500)
            change(&$0)
        }
        let database = try await Database.open(network.location, configuration: configuration)
        try await body(network, database)
        network.slow(to: nil)
        network.hold(false)
        await database.close()
    }

    private func seconds(of body: () async throws -> Void) async rethrows -> Double {
        let begin = ContinuousClock.now
        try await body()
        return begin.duration(to: .now) / .seconds(1)
    }

    enum Call: CaseIterable {
        case fetch, forEach, slowBody

        func run(_ db: Connection) throws {
            let rows: SQL = "SELECT repeat('x', 100) FROM generate_series(1, 400)"
            switch self {
            case .fetch: _ = try db.fetchAll(String.self, rows)
            case .forEach: try db.forEach(rows) { _ in }
            case .slowBody:
                try db.forEach("SELECT x FROM generate_series(1, 1000) AS x, pg_sleep(0.02 + 0 * x)") { _ in }
            }
        }
    }

    @Test("a statement ends within its limit while its rows trickle in", arguments: Call.allCases)
    func statementEndsWithinItsLimit(call: Call) async throws {
        try await withNetwork({ $0.statementTimeout = .seconds(1) }) { (network, database) async throws in
            if call != .slowBody { network.slow(to: 2_000) }
            let time = await seconds {
                let error = await #expect(throws: PostgreSQLError.self) { try await database.read(call.run) }
                #expect(error?.code == .statementTimeout)
            }
            #expect(time < 10, "\(time) seconds")
        }
    }

    @Test("an access of many statements ends within its limit, also where each of them is short")
    func accessEndsWithinItsLimit() async throws {
        try await withNetwork({ $0.accessTimeout = .seconds(1) }) { (network, database) async throws in
            let time = await seconds {
                let error = await #expect(throws: PostgreSQLError.self) {
                    try await database.write { (db) throws in
                        for _ in 0..<1000 { try db.execute("SELECT pg_sleep(0.02)") }
                    }
                }
                #expect(error?.code == .statementTimeout)
                #expect(error?.message.contains("the access took longer than 1.0 seconds") == true)
            }
            #expect(time < 10, "\(time) seconds")
            // The connection is kept, and the next access has its own limit.
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            // What asks for its own limits is not bound by that of the access.
            try await database.write { (db) throws in
                _ = try db.withStatementTimeout(.seconds(30)) { try db.execute("SELECT pg_sleep(1.2)") }
                try db.execute("SELECT pg_sleep(0.1)")
            }
        }
    }

    @Test("an access through a network that has stopped ends within its limit, connecting included")
    func accessEndsWithinItsLimitThoughTheNetworkStops() async throws {
        try await withNetwork({
            ($0.accessTimeout, $0.connectTimeout, $0.leaseTimeout) = (.seconds(1), .seconds(100), .seconds(100))
        }) { (network, database) async throws in
            network.hold(true)
            // The first notices that the connection is dead; the second connects; the last two wait for each other.
            for count in [1, 1, 2] {
                let time = await seconds {
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<count {
                            group.addTask { () async in
                                await #expect(throws: PostgreSQLError.self) {
                                    try await database.read { db in try db.execute("SELECT 1") }
                                }
                            }
                        }
                    }
                }
                #expect(time < 10, "\(time) seconds")
            }
            network.hold(false)
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
        }
    }

    @Test("a copy through a network that has stopped ends within its limit, and binds no rows that cannot be sent")
    func copyEndsWithinItsLimitThoughTheNetworkStops() async throws {
        try await withNetwork({ $0.statementTimeout = .seconds(1) }) { (network, database) async throws in
            let text = String(repeating: "x", count: 1000)
            let rows = Counter()
            let time = await seconds {
                let error = await #expect(throws: PostgreSQLError.self) {
                    try await database.write { (db) throws in
                        try db.execute("CREATE TEMPORARY TABLE t (x text)")
                        try db.copy(into: "t", columns: ["x"], 0..<200_000) { x, values in
                            if x == 0 { network.hold(true) }
                            rows.increment()
                            try values.bind(text)
                        }
                    }
                }
                #expect(error?.code == .statementTimeout)
            }
            #expect(time < 10, "\(time) seconds")
            #expect(rows.value < 100_000)
        }
    }

    @Test("a commit that is not answered ends within the limit of the access, and is unknown")
    func commitEndsWithinItsLimit() async throws {
        try await withNetwork({ $0.accessTimeout = .seconds(1) }) { (network, database) async throws in
            let time = await seconds {
                let error = await #expect(throws: PostgreSQLError.self) {
                    try await database.write { (db) throws in
                        try db.execute("SELECT 1")
                        network.hold(true)
                    }
                }
                #expect(error?.code == .commitUnknown)
            }
            #expect(time < 10, "\(time) seconds")
        }
    }
}
#endif
