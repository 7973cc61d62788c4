import Dispatch
import SQLiteStore
import SQLiteStoreTesting
import Testing

@Suite("Blocking and re-entrant accesses", .timeLimit(.minutes(5)))
struct ReentrancyTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x)")]

    @Test(
        "an access inside of another to the same database is an error, not a deadlock",
        arguments: AccessTests.executions)
    func reentrant(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            let codes = try await database.write { _ in
                [
                    Self.code { _ = try database.write { db in try db.execute("INSERT INTO t VALUES (1)") } },
                    Self.code { _ = try database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } },
                ]
            }
            #expect(codes == [.reentrantAccess, .reentrantAccess])
            let inRead = try await database.read { _ in Self.code { try database.write { _ in } } }
            #expect(inRead == .reentrantAccess)
        }
    }

    @Test("an access to another database is none", arguments: AccessTests.executions)
    func other(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { first in
            try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { second in
                let count = try await first.write { _ in
                    try second.write { db in try db.execute("INSERT INTO t VALUES (1)") }
                }
                #expect(count == 1)
            }
        }
    }

    @Test("threads that block take turns", arguments: AccessTests.executions)
    func blocking(execution: Database.Execution) async throws {
        let configuration = Database.Configuration().with { $0.execution = execution }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    DispatchQueue.concurrentPerform(iterations: 200) { index in
                        #expect(throws: Never.self) {
                            try database.write { db in _ = try db.execute("INSERT INTO t VALUES (\(index))") }
                        }
                    }
                    continuation.resume()
                }
            }
            let count = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
            #expect(count == 200)
        }
    }

    private static func code(_ body: () throws -> Void) -> SQLiteError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SQLiteError)?.code
        }
    }
}
