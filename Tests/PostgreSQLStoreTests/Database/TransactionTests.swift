#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("PostgreSQL transactions", .needsServer, .limitedConcurrency)
struct TransactionTests {
    private static let schema = [
        Migration(
            "t", script: "CREATE TABLE t (x integer PRIMARY KEY, n integer); INSERT INTO t VALUES (1, 0), (2, 0)")
    ]

    private struct Refusal: Error {}

    @Test(
        "concurrent increments are all counted, because a transaction that was in the way runs again",
        arguments: [Database.Isolation.serializable, .repeatableRead])
    func increments(isolation: Database.Isolation) async throws {
        let configuration = Database.Configuration().with { $0.retryCount = 200 }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            let runs = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { () async throws in
                        for _ in 0..<10 {
                            try await database.write(isolation: isolation) { (db) throws in
                                runs.increment()
                                let n = try db.fetchOne(Int.self, "SELECT n FROM t WHERE x = 1") ?? 0
                                try db.execute("UPDATE t SET n = \(n + 1) WHERE x = 1")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try await database.read { db in try db.fetchOne(Int.self, "SELECT n FROM t WHERE x = 1") } == 80)
            #expect(runs.value >= 80)
        }
    }

    @Test("a transaction runs again after a conflict, also if its body replaced the error")
    func replacedError() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let other = try await Database.open(database.location)
            let runs = Counter()
            try await database.write { (db) throws in
                let run = runs.increment()
                let n = try db.fetchOne(Int.self, "SELECT n FROM t WHERE x = 1") ?? 0
                if run < 3 {
                    try other.blockingWrite { db in try db.execute("UPDATE t SET n = n + 1 WHERE x = 1") }
                }
                do { try db.execute("UPDATE t SET n = \(n + 100) WHERE x = 1") } catch { throw Refusal() }
            }
            #expect(runs.value == 3)
            #expect(
                try await database.read { db in try db.fetchOne(Int.self, "SELECT n FROM t WHERE x = 1") } == 102)
            await other.close()
        }
    }

    @Test("a conflict that comes back is thrown after the configured number of retries")
    func retryLimit() async throws {
        let configuration = Database.Configuration().with { $0.retryCount = 3 }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            let other = try await Database.open(database.location)
            let runs = Counter()
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.write { (db) throws in
                    runs.increment()
                    _ = try db.fetchOne(Int.self, "SELECT n FROM t WHERE x = 1")
                    try other.blockingWrite { db in try db.execute("UPDATE t SET n = n + 1 WHERE x = 1") }
                    try db.execute("UPDATE t SET n = 0 WHERE x = 1")
                }
            }
            #expect(error?.code == .serializationFailure)
            #expect(runs.value == 4)
            await other.close()
        }
    }

    @Test("transactions that wait for each other both succeed")
    func deadlock() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let (runs, holders, end) = (Counter(), Counter(), ContinuousClock.now + .seconds(20))
            func update(_ first: Int, _ second: Int) async throws {
                try await database.write(isolation: .readCommitted) { (db) throws in
                    let isFirstRun = runs.increment() <= 2
                    try db.execute("UPDATE t SET n = n + 1 WHERE x = \(first)")
                    holders.increment()
                    // Both hold one row before either asks for the other. If one could not begin, the other goes on.
                    while isFirstRun, holders.value < 2, ContinuousClock.now < end {}
                    try db.execute("UPDATE t SET n = n + 1 WHERE x = \(second)")
                }
            }
            async let one: Void = update(1, 2)
            async let two: Void = update(2, 1)
            _ = try await (one, two)
            // The one that runs again may take its first row before the other one, so that they wait for each other again.
            #expect(runs.value >= 3)
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT n FROM t") } == [2, 2])
        }
    }

    @Test("an error of the app does not run the transaction again")
    func ownError() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let runs = Counter()
            await #expect(throws: Refusal.self) {
                try await database.write { (_) throws in
                    runs.increment()
                    throw Refusal()
                }
            }
            #expect(runs.value == 1)
        }
    }

    @Test("a conflict within a nested transaction runs the whole transaction again")
    func nestedConflict() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let other = try await Database.open(database.location)
            let runs = Counter()
            try await database.write { (db) throws in
                let run = runs.increment()
                _ = try db.fetchOne(Int.self, "SELECT n FROM t WHERE x = 1")
                if run == 1 { try other.blockingWrite { db in try db.execute("UPDATE t SET n = 7 WHERE x = 1") } }
                try db.transaction { try db.execute("UPDATE t SET n = n + 1 WHERE x = 1") }
            }
            #expect(runs.value == 2)
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT n FROM t WHERE x = 1") } == 8)
            await other.close()
        }
    }
}
#endif
