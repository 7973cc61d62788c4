import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestTurns
import Testing

@Suite("One writer and eight readers", .takesTurns)
struct ConcurrencyTests {
    private static let schema = [
        Migration(
            "accounts",
            script: """
                CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50)
                INSERT INTO accounts SELECT x, 100 FROM n
                """)
    ]

    /// The duration from `SQLITE_SECONDS`; without it, the test runs 100 transactions.
    private static let seconds = ProcessInfo.processInfo.environment["SQLITE_SECONDS"].flatMap(Double.init)

    private final class Tally: Sendable {
        let returned = Atomic(0)
        let isOver = Atomic(false)
    }

    @Test(
        "every reader sees a committed state that includes all writes that had returned",
        arguments: AccessTests.executions)
    func transfers(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with {
            $0.execution = execution
            $0.readerCount = 8
            $0.synchronous = .normal
        }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            try await database.write { db in try db.execute("CREATE TABLE done (count INTEGER)") }
            try await database.write { db in try db.execute("INSERT INTO done VALUES (0)") }
            let progress = Tally()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { progress.isOver.store(true, ordering: .sequentiallyConsistent) }
                    let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
                    var round = 0
                    while end.map({ ContinuousClock.now < $0 }) ?? (round < 100) {
                        round += 1
                        let (from, to) = (round % 50 + 1, round * 7 % 50 + 1)
                        let count = round
                        try await database.write { db in
                            try db.execute("UPDATE accounts SET balance = balance - 1 WHERE id = \(from)")
                            try db.execute("UPDATE accounts SET balance = balance + 1 WHERE id = \(to)")
                            try db.execute("UPDATE done SET count = \(count)")
                        }
                        progress.returned.store(round, ordering: .sequentiallyConsistent)
                    }
                }
                for _ in 0..<8 {
                    group.addTask {
                        while !progress.isOver.load(ordering: .sequentiallyConsistent) {
                            let atLeast = progress.returned.load(ordering: .sequentiallyConsistent)
                            let seen = try await database.read { db in
                                [
                                    try db.fetchOne(Int.self, "SELECT SUM(balance) FROM accounts"),
                                    try db.fetchOne(Int.self, "SELECT count FROM done"),
                                ]
                            }
                            #expect(seen[0] == 5000)
                            #expect(try #require(seen[1]) >= atLeast)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
