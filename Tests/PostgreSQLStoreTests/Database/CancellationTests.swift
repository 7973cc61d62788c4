#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import Synchronization
import TestReporting
import TestConcurrency
import Testing

@Suite("PostgreSQL cancellation", .needsServer, .limitedConcurrency)
struct CancellationTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x integer)")]

    /// Runs `access` in its own task, and passes it a function that cancels that task.
    private func outcome(
        of access: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws -> Void
    ) async -> Result<Void, any Error> {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let cancel = Locked<@Sendable () -> Void>({})
        let running = Task.detached {
            for await _ in started {}
            try await access { cancel.withLock { $0 }() }
        }
        cancel.withLock { $0 = { running.cancel() } }
        start.finish()
        return await running.result
    }

    @Test("cancellation ends the running statement and no later one")
    func running() async throws {
        let configuration = Database.Configuration().with { $0.connectionCount = 1 }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            for _ in 0..<5 {
                let result = await outcome { cancel in
                    try await database.read { (db) throws in
                        onThread(cancel)
                        try db.execute("SELECT pg_sleep(60)")
                    }
                }
                #expect(throws: CancellationError.self) { try result.get() }
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
            }
        }
    }

    @Test("cancellation rolls back an uncommitted write, and stops it between statements")
    func write() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let result = await outcome { cancel in
                try await database.write { (db) throws in
                    try db.execute("INSERT INTO t VALUES (1)")
                    cancel()
                    _ = try? db.execute("INSERT INTO t VALUES (2)")
                }
            }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
        }
    }

    @Test("cancellation after a commit keeps it, and stops the next statement of the access")
    func afterCommit() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let result = await outcome { cancel in
                try await database.writeWithoutTransaction { (db) throws in
                    try db.transaction { try db.execute("INSERT INTO t VALUES (1)") }
                    cancel()
                    try db.execute("INSERT INTO t VALUES (2)")
                }
            }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
        }
    }

    @Test("cancellation during a commit keeps it, and stops the next statement of the access")
    func duringCommit() async throws {
        // The commit waits for a lock.
        let waiting = """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_advisory_xact_lock(hashtext(current_schema()::text)); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait();
            """
        let migrations = Self.schema + [Migration("waiting", script: waiting)]
        let configuration = Database.Configuration().with { $0.connectionCount = 1 }
        try await withTemporaryDatabase(migrations: migrations) { (database) async throws in
            let other = try await Database.open(database.location, configuration: configuration)
            try await other.writeWithoutTransaction { (db) throws in
                try db.execute("SELECT pg_advisory_lock(hashtext(current_schema()::text))")
            }
            let task = Task.detached {
                try await database.writeWithoutTransaction { (db) throws in
                    try db.transaction { try db.execute("INSERT INTO t VALUES (1)") }
                    try db.execute("INSERT INTO t VALUES (2)")
                }
            }
            let isBlocking: @Sendable (Connection) throws -> Bool? = { db in
                try db.fetchOne(
                    "SELECT EXISTS (SELECT FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid)))"
                ) { row in try row[0] }
            }
            try await waitUntil { try await other.read(isBlocking) == true }
            task.cancel()
            // A request to cancel the commit would arrive meanwhile.
            for _ in 0..<50 { #expect(try await other.read(isBlocking) == true) }
            try await other.writeWithoutTransaction { (db) throws in try db.execute("SELECT pg_advisory_unlock_all()") }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
            await other.close()
        }
    }

    @Test("cancellation ends the wait for a lock")
    func locked() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let other = try await Database.open(database.location)
            try await database.write { (db) throws in
                try db.execute("LOCK TABLE t")
                let cancelled = DispatchSemaphore(value: 0)
                onThread {
                    let task = Task.detached { try await other.read { db in try db.execute("SELECT * FROM t") } }
                    Task.detached {
                        task.cancel()
                        _ = await task.result
                        cancelled.signal()
                    }
                }
                cancelled.wait()
            }
            await other.close()
        }
    }

    @Test("cancellation ends a copy, a pipeline and the receiving of rows")
    func batches() async throws {
        let batches: [@Sendable (Connection, @escaping @Sendable () -> Void) throws -> Void] = [
            { db, cancel in
                try db.copy(into: "t", columns: ["x"], 0..<1_000_000_000) { x, values in
                    if x == 100_000 { cancel() }
                    try values.bind(x % 1000)
                }
            },
            { db, cancel in
                try db.execute("INSERT INTO t VALUES ($1)", forEach: 0..<1_000_000_000) { x, values in
                    if x == 1000 { cancel() }
                    try values.bind(x % 1000)
                }
            },
            { db, cancel in
                try db.forEach("SELECT pg_sleep(0.001) FROM generate_series(1, 1000000)") { _ in cancel() }
            },
        ]
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            for batch in batches {
                let result = await outcome { cancel in try await database.write { db in try batch(db, cancel) } }
                #expect(throws: CancellationError.self) { try result.get() }
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
            }
        }
    }

    /// The number of cancellations, from `POSTGRESQL_CANCELLATIONS`.
    private static let count =
        ProcessInfo.processInfo.environment["POSTGRESQL_CANCELLATIONS"].flatMap(Int.init) ?? 300

    @Test("random cancellations hit no neighbour")
    func neighbours() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let cancelled = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<6 {
                    group.addTask { () async throws in
                        var random = SeededGenerator(seed: UInt64(worker))
                        for round in 0..<Self.count / 6 {
                            // Some statements are over before the cancellation, some run, some have not begun.
                            let delay = Double.random(in: 0...0.002, using: &random)
                            let victim = Task.detached {
                                try await database.write { (db) throws in
                                    try db.execute("SELECT pg_sleep(\(delay))")
                                    return try db.fetchOne(Int.self, "SELECT \(round)::int")
                                }
                            }
                            let neighbour = Task.detached {
                                try await database.read { (db) throws in
                                    try db.execute("SELECT pg_sleep(0.0005)")
                                    return try db.fetchOne(Int.self, "SELECT \(round)::int")
                                }
                            }
                            let pause = Int.random(in: 0...2000, using: &random)
                            await withCheckedContinuation { continuation in
                                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(pause)) {
                                    victim.cancel()
                                    continuation.resume()
                                }
                            }
                            switch await victim.result {
                            case .success(let value): #expect(value == round)
                            case .failure(let error):
                                #expect(error is CancellationError, "\(error)")
                                cancelled.increment()
                            }
                            #expect(try await neighbour.value == round)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(cancelled.value > Self.count / 10)
        }
    }
}
#endif
