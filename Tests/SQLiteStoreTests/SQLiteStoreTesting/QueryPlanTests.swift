import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Query plans", .takesTurns)
struct QueryPlanTests {
    private static let schema = [
        Migration("t", script: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE INDEX t_by_a ON t (a)")
    ]

    private func check(_ sql: SQL, _ requirement: QueryPlan.Requirement) async throws -> Bool {
        let database = try await Database.open(.inMemory, migrations: Self.schema)
        do {
            try await database.read { db in try db.queryPlan(sql).require(requirement) }
            return true
        } catch is QueryPlan.Failure {
            return false
        }
    }

    @Test("a requirement of an index holds only for plans that use it")
    func index() async throws {
        #expect(try await check("SELECT * FROM t WHERE a = \(1)", .index("t_by_a")))
        #expect(try await !check("SELECT * FROM t WHERE b = \(1)", .index("t_by_a")))
        #expect(try await !check("SELECT * FROM t WHERE a = \(1)", .index("t_by")))
    }

    @Test("the requirement of no full scan fails for a plan that scans a table")
    func scan() async throws {
        #expect(try await check("SELECT * FROM t WHERE id = \(1)", .noFullScan))
        #expect(try await check("SELECT * FROM t WHERE a IN (SELECT value FROM json_each(\("[]")))", .noFullScan))
        #expect(try await !check("SELECT * FROM t WHERE b = \(1)", .noFullScan))
    }

    @Test("the requirement of no temporary B-tree fails for a plan that sorts")
    func sort() async throws {
        #expect(try await check("SELECT * FROM t ORDER BY a", .noTemporaryBTree))
        #expect(try await !check("SELECT * FROM t ORDER BY b", .noTemporaryBTree))
    }
}
