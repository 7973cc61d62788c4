#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("Slow statements of PostgreSQL, and the round trips of transactions", .needsServer, .limitedConcurrency)
struct SlowStatementTests {
    private final class Reports: Sendable {
        private let statements = Mutex<[SlowStatement]>([])

        func add(_ statement: SlowStatement) { statements.withLock { $0.append(statement) } }

        /// Returns the reports so far, and forgets them.
        func take() -> [SlowStatement] {
            statements.withLock { statements in
                defer { statements = [] }
                return statements
            }
        }
    }

    /// Calls `body` with a database of one connection that reports statements that take longer than `threshold`.
    private func withReports(
        longerThan threshold: Duration, _ body: (Database, Reports) async throws -> Void
    ) async throws {
        let reports = Reports()
        let configuration = Database.Configuration().with {
            $0.connectionCount = 1
            $0.slowStatements = .init(longerThan: threshold) { reports.add($0) }
        }
        let migrations = [Migration("t", script: "CREATE TABLE t (x integer PRIMARY KEY)")]
        try await withTemporaryDatabase(configuration: configuration, migrations: migrations) {
            (database) async throws in
            _ = reports.take()
            try await body(database, reports)
        }
    }

    @Test("a statement that takes longer than the threshold is reported, with its text and without its values")
    func slow() async throws {
        try await withReports(longerThan: .milliseconds(40)) { (database, reports) async throws in
            try await database.read { (db) throws in
                try db.execute("SELECT 1")
                try db.execute("SELECT pg_sleep(\(0.05))")
            }
            let slow = reports.take().filter { $0.sql.contains("pg_sleep") }
            #expect(slow.map(\.sql) == ["SELECT pg_sleep($1)"])
            #expect((slow.first?.duration ?? .zero) >= .milliseconds(50))
        }
    }

    @Test("a transaction of one prepared statement takes two round trips")
    func roundTrips() async throws {
        try await withReports(longerThan: .zero) { (database, reports) async throws in
            for x in 0..<3 {
                try await database.write { db in try db.execute("INSERT INTO t VALUES (\(x))") }
                let round = reports.take().map(\.sql)
                // The first run prepares the statement.
                #expect(round.suffix(2) == ["INSERT INTO t VALUES ($1)", "COMMIT"])
                if x > 0 { #expect(round.count == 2) }
            }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT count(*) FROM t") } == 3)
        }
    }

    @Test("an access without a statement sends nothing, and the handle of libpq is within the transaction")
    func withoutStatements() async throws {
        try await withReports(longerThan: .zero) { (database, reports) async throws in
            try await database.write { _ in }
            #expect(reports.take().isEmpty)
            try await database.read { db in _ = db.handle }
            let sent = reports.take().map(\.sql)
            #expect(sent == ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "COMMIT"])
        }
    }

    @Test("a first statement that fails leaves nothing, and the next access is not affected")
    func failingFirst() async throws {
        try await withReports(longerThan: .zero) { (database, reports) async throws in
            try await database.write { db in try db.execute("INSERT INTO t VALUES (\(1))") }
            _ = reports.take()
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.write { db in try db.execute("INSERT INTO t VALUES (\(1))") }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(reports.take().map(\.sql) == ["INSERT INTO t VALUES ($1)", "ROLLBACK"])
            // Also if the body goes on.
            let aborted = await #expect(throws: PostgreSQLError.self) {
                try await database.write { db in
                    do { try db.execute("INSERT INTO t VALUES (\(1))") } catch {}
                    try db.execute("INSERT INTO t VALUES (\(2))")
                }
            }
            #expect(aborted?.code == .transactionAborted)
            // Also if the server could not even prepare it, before the transaction began.
            let unprepared = await #expect(throws: PostgreSQLError.self) {
                try await database.write { db in
                    do { try db.execute("INSERT INTO missing VALUES (\(1))") } catch {}
                    try db.execute("INSERT INTO t VALUES (\(2))")
                }
            }
            #expect(unprepared?.code == .transactionAborted)
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
        }
    }
}
#endif
