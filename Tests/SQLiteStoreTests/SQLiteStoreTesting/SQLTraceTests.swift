import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Traces and migration steps", .takesTurns)
struct SQLTraceTests {
    @Test("a trace contains the statements in order, without values")
    func trace() async throws {
        let trace = SQLTrace()
        let database = try await Database.open(.inMemory, configuration: trace.traced())
        trace.reset()
        try await database.write { db in
            try db.executeScript("CREATE TABLE t (x)")
            try db.execute("INSERT INTO t VALUES (\("secret"))")
        }
        #expect(
            trace.statements == ["BEGIN IMMEDIATE", "CREATE TABLE t (x)", "INSERT INTO t VALUES (?)", "COMMIT"])
    }

    private static let migrations = [
        Migration("t", script: "CREATE TABLE t (x)"),
        Migration("y", script: "ALTER TABLE t ADD COLUMN y"),
    ]

    @Test("every earlier version is migrated to the current one")
    func steps() async throws {
        try await withEveryEarlierVersion(of: Self.migrations) { version, db in
            if version >= 1 { try db.execute("INSERT INTO t (x) VALUES (\(version))") }
        } check: { version, db in
            let rows = try db.fetchAll("SELECT x, y FROM t") { row in [try row[0] as Int?, try row[1] as Int?] }
            #expect(rows == (version == 0 ? [] : [[version, nil]]))
        }
    }

    @Test("an error of the check is rethrown by the migration steps")
    func failingSteps() async throws {
        struct Wrong: Error {}
        await #expect(throws: Wrong.self) {
            try await withEveryEarlierVersion(of: Self.migrations) { _, _ in
            } check: { version, _ in
                if version == 2 { throw Wrong() }
            }
        }
    }
}
