#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL behind a pooler", .needsPooler, .limitedConcurrency)
struct PoolerTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (id integer PRIMARY KEY, n integer)")]

    private func withPooler(_ mode: PgBouncer.Mode = .transaction, _ body: (PgBouncer) async throws -> Void)
        async throws
    {
        let server = try await PostgreSQLServer.start()
        defer { server.stop() }
        // In session mode each client has one: the database, its listener, and another that it tests.
        let pooler = try PgBouncer(before: server, mode: mode, connections: mode == .session ? 5 : 2)
        defer { pooler.stop() }
        try await body(pooler)
    }

    @Test(
        "clients that share the connections of a pooler run only their own statements",
        arguments: [nil, true, false] as [Bool?])
    func clientsRunOnlyTheirOwnStatements(prepares: Bool?) async throws {
        let rounds = ProcessInfo.processInfo.environment["POSTGRESQL_POOLER_ROUNDS"].flatMap(Int.init) ?? 200
        try await withPooler { (pooler) async throws in
            let configuration = Database.Configuration().with {
                $0.isolation = .readCommitted
                if let prepares { $0.preparesStatements = prepares }
            }
            let first = try await Database.open(
                pooler.location, configuration: configuration, migrations: Self.schema)
            let second = try await Database.open(pooler.location, configuration: configuration)
            try await first.write { db in try db.execute("INSERT INTO t VALUES (1, 0)") }
            let failures = await withTaskGroup(of: [String].self) { group in
                for index in 0..<4 {
                    group.addTask {
                        var failures: [String] = []
                        for round in 0..<rounds {
                            do {
                                let run: @Sendable (Connection) throws -> Int = { db in
                                    index.isMultiple(of: 2)
                                        ? try db.execute("UPDATE t SET n = n + 1 WHERE id = 1")
                                        : try db.execute("DELETE FROM t WHERE id = 2")
                                }
                                let database = index.isMultiple(of: 2) ? first : second
                                let count =
                                    try await round.isMultiple(of: 2)
                                    ? database.write(run) : database.writeWithoutTransaction(run)
                                if count != (index + 1) % 2 { failures.append("changed \(count) rows") }
                            } catch { failures.append("\(error)") }
                        }
                        return failures
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(failures.count == 0, "\(failures.count) of \(4 * rounds): \(failures.first ?? "")")
            let n = try await first.read { db in try db.fetchOne(Int.self, "SELECT n FROM t WHERE id = 1") }
            #expect(n == 2 * rounds)
            await first.close()
            await second.close()
        }
    }

    @Test("statements of many texts run behind a pooler, in every kind of call", arguments: [nil, true] as [Bool?])
    func everyKindOfCallRuns(prepares: Bool?) async throws {
        try await withPooler { (pooler) async throws in
            let configuration = Database.Configuration().with {
                $0.statementCacheCapacity = 5
                if let prepares { $0.preparesStatements = prepares }
            }
            let databases = [
                try await Database.open(pooler.location, configuration: configuration, migrations: Self.schema),
                try await Database.open(pooler.location, configuration: configuration),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, database) in databases.enumerated() {
                    group.addTask { () async throws in
                        for round in 0..<20 {
                            let id = 2 * round + index
                            try await database.write { (db) throws in
                                try db.execute(
                                    "INSERT INTO t VALUES ($1, $2)", forEach: [id]
                                ) { id, values in
                                    try values.bind(id)
                                    try values.bind(round)
                                }
                                try db.copy(into: "t", columns: ["id", "n"], [id + 1000]) { id, values in
                                    try values.bind(id)
                                    try values.bind(1)
                                }
                                var seen: [Int] = []
                                try db.forEach("SELECT n FROM t WHERE id = \(id)") { row in seen.append(try row[0])
                                }
                                #expect(seen == [round])
                                try db.transaction {
                                    try db.execute("UPDATE t SET n = n + \(raw: "\(round)") WHERE id = \(id)")
                                }
                            }
                            #expect(
                                try await database.read { db in
                                    try db.fetchOne(
                                        Int.self, "SELECT n FROM t WHERE id = \(id)")
                                } == 2 * round)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for database in databases { await database.close() }
        }
    }

    @Test("a schema that a pooler does not choose is an error, not another schema")
    func schemaThatAPoolerDoesNotChooseIsAnError() async throws {
        try await withPooler { (pooler) async throws in
            let error = await #expect(throws: PostgreSQLError.self) {
                _ = try await Database.open(pooler.location.inSchema("tests"), migrations: Self.schema)
            }
            #expect(error?.code == .cannotConnect)
            #expect(error?.message.contains("ALTER ROLE") == true)
        }
    }

    @Test("observing through a pooler that drops notifications is an error that names the remedy")
    func observingThroughAPoolerThatDropsNotificationsIsAnError() async throws {
        try await withPooler { (pooler) async throws in
            let database = try await Database.open(pooler.location, migrations: Self.schema)
            let error = await #expect(throws: PostgreSQLError.self) {
                for try await _ in database.observe(["t"], rows: Int.self, "SELECT id FROM t") {}
            }
            #expect(error?.message.contains("notifications") == true)
            let locks = try await database.read { db in
                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'")
            }
            #expect(locks == 0)
            await database.close()
        }
    }

    @Test("observing through a pooler in session mode tells each commit")
    func observingThroughAPoolerInSessionModeTellsEachCommit() async throws {
        try await withPooler(.session) { (pooler) async throws in
            let configuration = Database.Configuration().with { $0.connectionCount = 1 }
            let database = try await Database.open(
                pooler.location, configuration: configuration, migrations: Self.schema)
            var values = database.observe(["t"], rows: Int.self, "SELECT id FROM t ORDER BY id").makeAsyncIterator()
            #expect(try await values.next() == [])
            for id in 1...3 {
                try await database.write { (db) throws in
                    try db.execute("INSERT INTO t VALUES (\(id), 0)")
                    db.notify("t")
                }
                while let value = try await values.next(), value != Array(1...id) {}
            }
            await database.close()
        }
    }
}
#endif
