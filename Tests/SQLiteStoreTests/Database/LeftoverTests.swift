import CSQLite
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing

/// Transactions and statements that an access leaves open, which would block other writers.
@Suite("Leftovers of accesses", .limitedConcurrency)
struct LeftoverTests {
    static let executions = AccessTests.executions

    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER UNIQUE)")]

    /// Opens a database, and a second one on the same file, as in another process, which does not wait for locks.
    private func withTwoDatabases(
        _ execution: Database.Execution = .adaptive, _ body: (Database, _ other: Database) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with {
                $0.execution = execution
                $0.readerCount = 1
            }
            let database = try await Database.open(
                .file(folder + "/database"), configuration: configuration, migrations: Self.schema)
            let other = try await Database.open(
                .file(folder + "/database"), configuration: configuration.with { $0.busyTimeout = .zero })
            try await body(database, other)
            // Afterwards, both databases can write and see each other's commits.
            try await other.write { db in _ = try db.execute("INSERT INTO t VALUES (100)") }
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (101)") }
            for database in [database, other] {
                let numbers = try await database.read { db in
                    try db.fetchAll(Int.self, "SELECT x FROM t WHERE x >= 100 ORDER BY x")
                }
                #expect(numbers == [100, 101])
                await database.close()
            }
        }
    }

    /// `@unchecked Sendable`: used only within accesses, which run one at a time.
    private struct Statement: @unchecked Sendable {
        let handle: OpaquePointer?
    }

    private func numbers(in database: Database) async throws -> [Int] {
        try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x") }
    }

    @Test(
        "a setting that an access changes is restored after it, also on a reader and after an error",
        arguments: [
            "query_only", "synchronous", "main.synchronous", "foreign_keys", "recursive_triggers", "trusted_schema",
            "ignore_check_constraints", "defer_foreign_keys", "read_uncommitted", "reverse_unordered_selects",
            "short_column_names", "full_column_names", "legacy_alter_table", "cell_size_check", "wal_autocheckpoint",
        ])
    func settings(pragma: String) async throws {
        try await withTwoDatabases { (database, _) async throws in
            let query = { @Sendable (db: Connection) in try db.fetchOne(Int.self, "PRAGMA \(raw: pragma)") ?? -1 }
            let value = try await database.writeWithoutTransaction(query)
            let change = "PRAGMA \(pragma) = \(value == 0 ? 1 : 0)"
            let readerValue = try await database.read(query)
            // Twice, because the second run finds the statement in the cache.
            for _ in 0..<2 {
                try await database.writeWithoutTransaction { db in
                    try db.execute("\(raw: change)")
                    #expect(try query(db) != value)
                }
                #expect(try await database.writeWithoutTransaction(query) == value)
                await #expect(throws: CancellationError.self) {
                    try await database.writeWithoutTransaction { db in
                        try db.executeScript("SELECT 1; \(change)")
                        throw CancellationError()
                    }
                }
                #expect(try await database.writeWithoutTransaction(query) == value)
                _ = try? await database.read { db in try db.execute("\(raw: change)") }
                #expect(try await database.read(query) == readerValue)
                _ = try? await database.write { db in try db.execute("\(raw: change)") }
                #expect(try await database.writeWithoutTransaction(query) == value)
            }
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
        }
    }

    @Test("a setting of the configuration's preparation is the one that is restored")
    func preparedSettings() async throws {
        let configuration = Database.Configuration().with {
            $0.foreignKeys = false
            $0.prepare = { db in try db.execute("PRAGMA recursive_triggers = OFF") }
        }
        let migration = Migration("own settings", revision: "1") { db in
            try db.execute("PRAGMA recursive_triggers = ON")
        }
        try await withTemporaryDatabase(configuration: configuration, migrations: [migration]) { database in
            for _ in 0..<2 {
                let settings = try await database.writeWithoutTransaction { db in
                    let settings = try ["recursive_triggers", "foreign_keys"].map { name in
                        try db.fetchOne(Bool.self, "PRAGMA \(raw: name)")
                    }
                    try db.executeScript("PRAGMA recursive_triggers = ON; PRAGMA foreign_keys = ON")
                    return settings
                }
                #expect(settings == [false, false])
            }
        }
    }

    @Test("what LIKE means, how long to wait, and how a rollback works outlive no access")
    func otherSettings() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with {
                ($0.readerCount, $0.journalMode, $0.busyTimeout) = (1, .delete, .milliseconds(50))
            }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            let isCaseSensitive = { @Sendable (db: Connection) in try db.fetchOne(Bool.self, "SELECT 'a' NOT LIKE 'A'")
            }
            for _ in 0..<2 {
                let within = try await database.read { db in
                    try db.execute("PRAGMA case_sensitive_like = ON")
                    return try isCaseSensitive(db)
                }
                #expect(within == true)
                #expect(try await database.read(isCaseSensitive) == false)
                try await database.writeWithoutTransaction { db in
                    try db.executeScript("PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 600000")
                    #expect(try db.fetchOne(String.self, "PRAGMA journal_mode") == "memory")
                }
                let mode = try await database.writeWithoutTransaction { db in
                    try db.fetchOne(String.self, "PRAGMA journal_mode")
                }
                #expect(mode == "delete")
            }
            // Without the busy handler of the connection this would wait for ten minutes.
            let other = try await Database.open(.file(folder + "/db"), configuration: configuration)
            try await other.write { _ in
                let error = #expect(throws: SQLiteError.self) { try database.blockingWrite { _ in } }
                #expect(error?.code == .busy)
            }
            await other.close()
            await database.close()
        }
    }

    @Test(
        "a transaction that a script leaves open is rolled back, with an error that names the statement",
        arguments: executions, ["BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT half"])
    func openScript(execution: Database.Execution, opener: String) async throws {
        try await withTwoDatabases(execution) { (database, _) async throws in
            let error = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction { db in
                    try db.executeScript("INSERT INTO t VALUES (1);\n \(opener) ; INSERT INTO t VALUES (2);")
                }
            }
            #expect(error?.code == .misuse)
            #expect(error?.sql == "\(opener) ;")
            #expect(try await numbers(in: database) == [1])
        }
    }

    @Test("a script that fails within its own transaction rolls it back")
    func failingScript() async throws {
        try await withTwoDatabases { (database, _) async throws in
            let error = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction { db in
                    try db.executeScript("BEGIN; INSERT INTO t VALUES (2); INSERT INTO t VALUES (2); COMMIT")
                }
            }
            #expect(error?.extendedCode == .constraintUnique)
            #expect(error?.sql == "INSERT INTO t VALUES (2);")
            #expect(try await numbers(in: database) == [])
        }
    }

    @Test("a script outside a transaction can begin and end its own transactions")
    func dump() async throws {
        try await withTwoDatabases { (database, _) async throws in
            try await database.writeWithoutTransaction { db in
                try db.executeScript(
                    """
                    BEGIN; INSERT INTO t VALUES (1); COMMIT; -- as in a dump
                    BEGIN; INSERT INTO t VALUES (2); ROLLBACK;
                    SAVEPOINT a; INSERT INTO t VALUES (3); RELEASE a;
                    """)
            }
            #expect(try await numbers(in: database) == [1, 3])
        }
    }

    @Test(
        "a script within a write cannot end its transaction, and the write is rolled back", arguments: executions,
        ["COMMIT", "END", "ROLLBACK", "COMMIT; BEGIN"])
    func commitWithin(execution: Database.Execution, control: String) async throws {
        try await withTwoDatabases(execution) { (database, _) async throws in
            let error = await #expect(throws: SQLiteError.self) {
                try await database.write { db in
                    try db.execute("INSERT INTO t VALUES (1)")
                    try db.executeScript("INSERT INTO t VALUES (2); \(control); INSERT INTO t VALUES (3)")
                }
            }
            #expect(error?.code == .misuse)
            let first = String(control.prefix { $0 != ";" })
            #expect(error?.sql == "\(first);")
            #expect(try await numbers(in: database) == [])
        }
    }

    @Test("nothing commits on its own after an error has rolled the write back without being rethrown")
    func swallowedRollback() async throws {
        try await withTwoDatabases { (database, _) async throws in
            for runsAfterwards in [true, false] {
                let error = await #expect(throws: SQLiteError.self) {
                    try await database.write { db in
                        try db.execute("INSERT INTO t VALUES (1)")
                        #expect(throws: SQLiteError.self) { try db.execute("INSERT OR ROLLBACK INTO t VALUES (1)") }
                        if runsAfterwards {
                            #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO t VALUES (2)") }
                            #expect(throws: SQLiteError.self) { try db.executeScript("INSERT INTO t VALUES (3)") }
                            #expect(throws: SQLiteError.self) {
                                try db.transaction { try db.execute("INSERT INTO t VALUES (4)") }
                            }
                            #expect(throws: SQLiteError.self) {
                                try db.execute("INSERT INTO t VALUES (?)", forEach: [5]) { try $1.bind($0) }
                            }
                        }
                    }
                }
                #expect(error?.code == .misuse)
                #expect(error?.sql == "INSERT OR ROLLBACK INTO t VALUES (1)")
                #expect(error?.message.hasSuffix("UNIQUE constraint failed: t.x") == true)
                #expect(try await numbers(in: database) == [])
            }
        }
    }

    @Test(
        "a transaction begun through the handle is rolled back, whether or not the access throws", arguments: executions
    )
    func handle(execution: Database.Execution) async throws {
        struct Refusal: Error {}
        try await withTwoDatabases(execution) { (database, _) async throws in
            let error = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction { db in
                    sqlite3_exec(db.handle, "BEGIN; INSERT INTO t VALUES (1)", nil, nil, nil)
                }
            }
            #expect(error?.code == .misuse)
            await #expect(throws: Refusal.self) {
                try await database.writeWithoutTransaction { db in
                    sqlite3_exec(db.handle, "BEGIN; INSERT INTO t VALUES (1)", nil, nil, nil)
                    throw Refusal()
                }
            }
            #expect(try await numbers(in: database) == [])
        }
    }

    @Test("a statement left running through the handle is reset, and later reads see new commits")
    func runningStatement() async throws {
        try await withTwoDatabases { (database, _) async throws in
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (1), (2)") }
            let left = Mutex<Statement?>(nil)
            let error = await #expect(throws: SQLiteError.self) {
                try await database.read { db in
                    var statement: OpaquePointer?
                    sqlite3_prepare_v2(db.handle, "SELECT x FROM t", -1, &statement, nil)
                    sqlite3_step(statement)
                    left.withLock { $0 = Statement(handle: statement) }
                }
            }
            #expect(error?.sql == "SELECT x FROM t")
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (3)") }
            for _ in 0..<5 { #expect(try await numbers(in: database) == [1, 2, 3]) }
            _ = try await database.read { _ in left.withLock { sqlite3_finalize($0?.handle) } }
        }
    }

    @Test("explicit savepoints are allowed only within a transaction")
    func savepoints() async throws {
        try await withTwoDatabases { (database, _) async throws in
            let error = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction { db in _ = try db.execute("SAVEPOINT a") }
            }
            #expect(error?.code == .misuse)
            try await database.write { db in
                try db.execute("SAVEPOINT a")
                try db.execute("INSERT INTO t VALUES (1)")
                try db.transaction { _ = try db.execute("INSERT INTO t VALUES (2)") }
                try db.execute("ROLLBACK TO a")
                try db.execute("INSERT INTO t VALUES (3)")
            }
            #expect(try await numbers(in: database) == [3])
        }
    }

    @Test("a connection whose preparation leaves a transaction open is rejected")
    func preparation() async throws {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in sqlite3_exec(db.handle, "BEGIN", nil, nil, nil) }
        }
        let error = await #expect(throws: SQLiteError.self) {
            try await Database.open(.temporary, configuration: configuration)
        }
        #expect(error?.code == .misuse)
    }

    @Test("no statement can hold file locks across transactions", arguments: ["", "main."])
    func exclusiveLocking(schema: String) async throws {
        try await withTwoDatabases { (database, _) async throws in
            let error = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction { db in
                    try db.executeScript("PRAGMA \(schema)locking_mode = Exclusive; INSERT INTO t VALUES (1)")
                }
            }
            #expect(error?.message.hasPrefix("exclusive locking") == true)
        }
    }
}
