#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL connections that are lost", .needsOwnServer, .limitedConcurrency)
struct LostConnectionTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x integer)")]

    /// Calls `body` with a database behind a relay, and one with a direct connection.
    private func withNetwork(
        _ configuration: Database.Configuration = .init().with { $0.connectionCount = 1 },
        _ body: (FaultyNetwork, Database, Database) async throws -> Void
    ) async throws {
        let server = try await PostgreSQLServer.shared
        let network = try FaultyNetwork(to: server)
        defer { network.close() }
        try await withTemporarySchema { (location) async throws in
            let direct = try await Database.open(location, migrations: Self.schema)
            let schema =
                try await direct.read { db in try db.fetchOne(String.self, "SELECT current_schema()") } ?? ""
            let database = try await Database.open(network.location.inSchema(schema), configuration: configuration)
            try await body(network, database, direct)
            await database.close()
            await direct.close()
        }
    }

    enum Call: CaseIterable {
        case execute, fetch, forEach, script, pipeline, copy, nested, prepare

        func run(_ db: Connection) throws {
            switch self {
            case .execute: try db.execute("INSERT INTO t VALUES (\(1))")
            case .fetch: _ = try db.fetchAll(Int.self, "SELECT x FROM t WHERE x > \(0)")
            case .forEach: try db.forEach("SELECT * FROM generate_series(1, 100)") { _ in }
            case .script: try db.executeScript("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
            case .pipeline:
                try db.execute("INSERT INTO t VALUES ($1)", forEach: 0..<10) { x, values in try values.bind(x) }
            case .copy: try db.copy(into: "t", columns: ["x"], 0..<10) { x, values in try values.bind(x) }
            case .nested: try db.transaction { try db.execute("INSERT INTO t VALUES (\(2))") }
            case .prepare: try db.execute(SQL(raw: "SELECT \(Int(Date.now.timeIntervalSince1970 * 1e6))"))
            }
        }
    }

    @Test(
        "a connection lost in the middle of a call is an error, nothing is committed, and the next access succeeds",
        arguments: Call.allCases)
    func inTheMiddle(call: Call) async throws {
        try await withNetwork { (network, database, direct) async throws in
            // Before the first byte, within a message, and between messages.
            for count in [1, 3, 20, 60, 150] {
                let error = await #expect(throws: PostgreSQLError.self, "after \(count) bytes") {
                    try await database.write { (db) throws in
                        try db.execute("INSERT INTO t VALUES (0)")
                        network.cut(afterSending: count)
                        for _ in 0..<100 { try call.run(db) }
                    }
                }
                #expect(error?.code == .connectionLost)
                #expect(try await database.write { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
                #expect(try await direct.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
            }
        }
    }

    @Test("an idle connection that was lost is opened again when the next transaction begins")
    func idle() async throws {
        try await withNetwork { (network, database, direct) async throws in
            for _ in 0..<10 {
                network.cut(afterSending: 0)
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            }
            // Also if the loss is noticed only when the transaction begins.
            for count in 1..<20 {
                network.cut(afterSending: count)
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            }
            let backend =
                try await database.read { db in try db.fetchOne(Int.self, "SELECT pg_backend_pid()") } ?? 0
            try await direct.writeWithoutTransaction { (db) throws in
                try db.execute("SELECT pg_terminate_backend(\(backend))")
            }
            #expect(try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") } == 1)
        }
    }

    @Test("a transaction opens a connection again although all that were idle are lost, and do not look it")
    func allIdle() async throws {
        try await withNetwork(.init().with { $0.connectionCount = 3 }) { (network, database, _) async throws in
            let (begun, go) = (Counter(), DispatchSemaphore(value: 0))
            let accesses = (0..<3).map { _ in
                Task.detached {
                    try await database.read { _ in
                        begun.increment()
                        go.wait()
                    }
                }
            }
            try await waitUntil { begun.value == 3 }
            network.forget()
            for _ in accesses { go.signal() }
            for access in accesses { try await access.value }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
        }
    }

    @Test("an idle connection that the server has ended is not used for a statement without a transaction")
    func endedWithoutTransaction() async throws {
        try await withNetwork { (_, _, database) async throws in
            let other = try await Database.open(try await PostgreSQLServer.shared.location)
            let backend = try await database.read { db in try db.fetchOne(Int32.self, "SELECT pg_backend_pid()") ?? 0 }
            _ = try await other.read { db in try db.execute("SELECT pg_terminate_backend(\(backend))") }
            // The process has closed the connection.
            try await waitUntil { kill(backend, 0) != 0 }
            #expect(
                try await database.writeWithoutTransaction { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            await other.close()
        }
    }

    @Test("a server that ends the connection in a transaction is an error that says so")
    func terminated() async throws {
        try await withNetwork { (network, database, direct) async throws in
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.write { (db) throws in
                    let backend = try db.fetchOne(Int.self, "SELECT pg_backend_pid()") ?? 0
                    try direct.blockingWrite { db in try db.execute("SELECT pg_terminate_backend(\(backend))") }
                    for _ in 0..<1000 { try db.execute("SELECT pg_sleep(0.01)") }
                }
            }
            #expect(error?.code == .connectionLost)
            #expect(
                error?.message
                    == "the server ended the connection: terminating connection due to administrator command")
        }
    }

    @Test("a connection lost during the commit is an error that leaves open whether it took effect")
    func commit() async throws {
        try await withNetwork { (network, database, direct) async throws in
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.write { (db) throws in
                    try db.execute("INSERT INTO t VALUES (0)")
                    network.cut(afterSending: 5)
                }
            }
            #expect(error?.code == .commitUnknown)
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
        }
    }

    @Test("a read whose connection is lost at its end returns its value", arguments: [0, 5])
    func endOfRead(sent: Int) async throws {
        try await withNetwork { (network, database, direct) async throws in
            let value = try await database.read { (db) throws in
                defer { network.cut(afterSending: sent) }
                return try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")
            }
            #expect(value == 0)
        }
    }

    @Test("a server that vanishes is an error within the statement timeout, and its connection is given up")
    func vanished() async throws {
        let configuration = Database.Configuration().with {
            $0.connectionCount = 1
            $0.statementTimeout = .milliseconds(200)
            $0.connectTimeout = .seconds(1)
            $0.cancellationTimeout = .milliseconds(50)
        }
        try await withNetwork(configuration) { (network, database, direct) async throws in
            let begin = ContinuousClock.now
            let lost = await #expect(throws: PostgreSQLError.self) {
                try await database.write { (db) throws in
                    try db.execute("INSERT INTO t VALUES (0)")
                    network.hold(true)
                    try db.execute("INSERT INTO t VALUES (1)")
                }
            }
            #expect(lost?.code == .statementTimeout)
            let unreachable = await #expect(throws: PostgreSQLError.self) { try await database.read { _ in } }
            #expect(unreachable?.code == .cannotConnect)
            #expect(begin.duration(to: .now) < .seconds(5))
            network.hold(false)
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
        }
    }

    @Test("cancellation ends an access to a server that has vanished", arguments: [false, true])
    func vanishedAndCancelled(isCopy: Bool) async throws {
        let configuration = Database.Configuration().with {
            $0.connectionCount = 1
            $0.cancellationTimeout = .milliseconds(50)
        }
        try await withNetwork(configuration) { (network, database, direct) async throws in
            let (started, start) = AsyncStream.makeStream(of: Never.self)
            let task = Task.detached {
                try await database.write { (db) throws in
                    guard isCopy else {
                        network.hold(true)
                        start.finish()
                        try db.execute("INSERT INTO t VALUES (1)")
                        return
                    }
                    try db.copy(into: "t", columns: ["x"], 0..<1_000_000_000) { x, values in
                        if x == 0 {
                            network.hold(true)
                            start.finish()
                        }
                        try values.bind(x % 1000)
                    }
                }
            }
            for await _ in started {}
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // A statement, because an access without one needs no server if the other one was cancelled before its own.
            let connecting = Task.detached {
                _ = try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") }
            }
            connecting.cancel()
            await #expect(throws: CancellationError.self) { try await connecting.value }
            network.hold(false)
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
        }
    }

    @Test("a statement that takes longer than the statement timeout is cancelled, and the connection is kept")
    func slowStatement() async throws {
        let configuration = Database.Configuration().with {
            $0.connectionCount = 1
            $0.statementTimeout = .milliseconds(30)
        }
        try await withNetwork(configuration) { (network, database, direct) async throws in
            let backend: @Sendable (Connection) throws -> Int? = { db in
                try db.fetchOne(Int.self, "SELECT pg_backend_pid()")
            }
            let before = try await database.read(backend)
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.read { db in try db.execute("SELECT pg_sleep(60)") }
            }
            #expect(error?.code == .statementTimeout)
            #expect(try await database.read(backend) == before)
            let other = await #expect(throws: PostgreSQLError.self) {
                try await database.read { db in
                    try db.execute("SELECT pg_sleep(60) WHERE pg_cancel_backend(pg_backend_pid())")
                }
            }
            #expect(other?.code == .queryCanceled)
            let later = await #expect(throws: PostgreSQLError.self) {
                try await database.read { (db) throws in
                    _ = try db.withStatementTimeout(nil) { try db.execute("SELECT pg_sleep(0.06)") }
                    try db.execute("SELECT pg_sleep(60)")
                }
            }
            #expect(later?.message.contains("the statement took longer than 0.03 seconds") == true)
        }
    }

    @Test("a server that was stopped is not restarted, which is an error")
    func restartAfterTheEnd() async throws {
        let server = try await PostgreSQLServer.start()
        server.stop()
        #expect(throws: PostgreSQLServer.StartError.self) { try server.restart() }
    }

    @Test("a database works again after its server was restarted under load")
    func restart() async throws {
        let server = try await PostgreSQLServer.start()
        defer { server.stop() }
        let restarts = ProcessInfo.processInfo.environment["POSTGRESQL_RESTARTS"].flatMap(Int.init) ?? 2
        let configuration = Database.Configuration().with { $0.connectionCount = 4 }
        let database = try await Database.open(
            server.location, configuration: configuration, migrations: Self.schema)
        let isOver = Counter()
        let committed = Counter()
        let unknown = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { () async throws in
                    while isOver.value == 0 {
                        do {
                            try await database.write(isolation: .readCommitted) { (db) throws in
                                try db.execute("INSERT INTO t VALUES (1)")
                            }
                            committed.increment()
                        } catch let error as PostgreSQLError where error.code == .commitUnknown {
                            unknown.increment()
                        } catch let error as PostgreSQLError {
                            #expect([.connectionLost, .cannotConnect].contains(error.code), "\(error)")
                        }
                    }
                }
            }
            group.addTask { () async throws in
                for _ in 0..<restarts {
                    let before = committed.value
                    try await waitUntil { committed.value > before + 20 }
                    try await withCheckedThrowingContinuation { continuation in
                        onThread { continuation.resume(with: Result { try server.restart() }) }
                    }
                }
                isOver.increment()
            }
            try await group.waitForAll()
        }
        let count = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } ?? 0
        #expect(count >= committed.value && count <= committed.value + unknown.value)
        await database.close()
    }
}
#endif
