import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Traces", .takesTurns)
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
}
