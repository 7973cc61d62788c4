import SQLiteStore
import SQLiteStoreTesting
import Testing
import TestConcurrency

@Suite("Query plans", .limitedConcurrency)
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

@Suite("Traces", .limitedConcurrency)
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

@Suite("Faulty file systems", .limitedConcurrency)
struct FaultyFileSystemTests {
    private func open(_ path: String, on files: FaultyFileSystem) async throws -> Database {
        let configuration = Database.Configuration().with {
            $0.fileSystem = files.name
            $0.execution = .inline
        }
        return try await Database.open(
            .file(path), configuration: configuration, migrations: [Migration("t", script: "CREATE TABLE t (x)")])
    }

    private func insert(_ database: Database) async -> SQLiteError.Code? {
        do {
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
            return nil
        } catch {
            return (error as? SQLiteError)?.code
        }
    }

    @Test("a faulty file system works, fails while a fault is injected, and works again")
    func faults() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let files = FaultyFileSystem()
            let database = try await open(folder + "/db", on: files)
            #expect(await insert(database) == nil)
            #expect(files.callCount > 0)
            let codes: [FaultyFileSystem.Fault: SQLiteError.Code] = [
                .diskFull: .full, .shortWrite: .full, .ioError: .io, .readOnly: .readOnly,
            ]
            for (fault, code) in codes {
                files.fail(fault, atCall: 1)
                #expect(await insert(database) == code)
                #expect(files.failureCount > 0)
                files.recover()
                #expect(await insert(database) == nil)
            }
            await database.close()
        }
    }

    @Test("a fault that is not lasting occurs once")
    func once() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let files = FaultyFileSystem()
            let database = try await open(folder + "/db", on: files)
            files.fail(.ioError, atCall: 1, lasting: false)
            #expect(await insert(database) == .io)
            #expect(await insert(database) == nil)
            #expect(files.failureCount == 1)
            await database.close()
        }
    }
}
