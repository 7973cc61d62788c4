import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("Faults of the file system", .limitedConcurrency)
struct FaultTests {
    private static let schema = [
        Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y BLOB); CREATE INDEX t_y ON t (y)"),
        Migration("old", script: "INSERT INTO t VALUES (1, zeroblob(3000)), (2, zeroblob(3000))"),
    ]

    /// The distance between two failing calls: 1 if `SQLITE_FAULTS` is `all`.
    private static let step = ProcessInfo.processInfo.environment["SQLITE_FAULTS"] == "all" ? 1 : 5

    private static let old = [1, 2]
    private static let new = [2, 3, 4, 5]

    private static func change(_ db: Connection) throws {
        try db.execute("DELETE FROM t WHERE x = 1")
        for x in 3...5 { try db.execute("INSERT INTO t VALUES (\(x), \([UInt8](repeating: UInt8(x), count: 9000)))") }
    }

    private func rows(_ path: String) async throws -> [Int] {
        let database = try await Database.open(.file(path), migrations: Self.schema)
        let problems = try await database.integrityCheck()
        #expect(problems == [])
        let rows = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x") }
        await database.close()
        return rows
    }

    @Test(
        "whichever call of a transaction fails, the file is in the old or the new state",
        arguments: FaultyFileSystem.Fault.allCases, [true, false])
    func everyCall(fault: FaultyFileSystem.Fault, lasting: Bool) async throws {
        let files = FaultyFileSystem()
        let configuration = Database.Configuration().with {
            $0.fileSystem = files.name
            $0.execution = .inline
        }
        var (failed, succeeded) = (0, 0)
        for call in stride(from: 1, through: 400, by: Self.step) {
            let isOver = try await withTemporaryFolder { (folder) async throws -> Bool in
                let path = folder + "/db"
                let database = try await Database.open(
                    .file(path), configuration: configuration, migrations: Self.schema)
                files.fail(fault, atCall: call, lasting: lasting)
                var isAcknowledged = false
                do {
                    try await database.write { db in try Self.change(db) }
                    isAcknowledged = true
                    // The checkpoint meets the fault, too.
                    try await database.checkpoint(.truncate)
                } catch let error as SQLiteError {
                    #expect([.full, .io, .readOnly, .cannotOpen].contains(error.code), "\(error)")
                }
                let isOver = files.failureCount == 0
                files.recover()
                // The same database works again after the fault.
                let state = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x") }
                #expect(state == (isAcknowledged ? Self.new : Self.old) || (!isAcknowledged && state == Self.new))
                await database.close()
                let rows = try await rows(path)
                #expect(rows == state)
                if isAcknowledged { succeeded += 1 } else { failed += 1 }
                return isOver
            }
            if isOver { break }
        }
        #expect(failed > 0)
        #expect(succeeded > 0)
    }

    @Test("a fault while opening is an error, and opening again works", arguments: FaultyFileSystem.Fault.allCases)
    func opening(fault: FaultyFileSystem.Fault) async throws {
        let files = FaultyFileSystem()
        let configuration = Database.Configuration().with {
            $0.fileSystem = files.name
            $0.execution = .inline
        }
        for call in stride(from: 1, through: 400, by: Self.step) {
            let isOver = try await withTemporaryFolder { (folder) async throws -> Bool in
                let path = folder + "/db"
                files.fail(fault, atCall: call)
                do {
                    let database = try await Database.open(
                        .file(path), configuration: configuration, migrations: Self.schema)
                    await database.close()
                } catch let error as SQLiteError {
                    #expect([.full, .io, .readOnly, .cannotOpen].contains(error.code), "\(error)")
                }
                let isOver = files.failureCount == 0
                files.recover()
                #expect(try await rows(path) == Self.old)
                return isOver
            }
            if isOver { break }
        }
    }
}

@Suite("Damaged files", .limitedConcurrency)
struct DamageTests {
    private static func schema(rows: Int) -> [Migration] {
        [
            Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT); CREATE INDEX t_y ON t (y)"),
            Migration(
                "rows",
                script: """
                    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows))
                    INSERT INTO t SELECT x, 'row number ' || x FROM n
                    """),
        ]
    }

    private static let schema = schema(rows: 200)

    /// Opens and reads the whole file, and returns the `SQLiteError`, if any; other errors fail the test.
    private func use(_ path: String, _ schema: [Migration] = schema) async throws -> SQLiteError? {
        do {
            let configuration = Database.Configuration().with { $0.execution = .inline }
            let database = try await Database.open(.file(path), configuration: configuration, migrations: schema)
            do {
                _ = try await database.integrityCheck()
                _ = try await database.read { db in
                    try db.fetchAll("SELECT x, y FROM t ORDER BY y") { row in (try row[0] as Int, try row[1] as String)
                    }
                }
                await database.close()
                return nil
            } catch {
                await database.close()
                throw error
            }
        } catch let error as SQLiteError {
            return error
        }
    }

    private func original(
        _ folder: String, _ schema: [Migration] = schema, pageSize: Int = 4096
    ) async throws -> Data {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in try db.execute("PRAGMA page_size = \(raw: String(pageSize))") }
        }
        let database = try await Database.open(
            .file(folder + "/original"), configuration: configuration, migrations: schema)
        try await database.checkpoint(.truncate)
        await database.close()
        return try Data(contentsOf: URL(filePath: folder + "/original"))
    }

    // SQLite treats a file of one byte as empty, because some file systems cannot lock an empty file.

    @Test(
        "a file that is not a database is rejected and left unchanged", arguments: [2, 15, 16, 100, 512, 4096, 100_000])
    func noDatabase(size: Int) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
            try content.write(to: URL(filePath: path))
            let error = await #expect(throws: SQLiteError.self) {
                try await Database.open(.file(path), migrations: Self.schema)
            }
            #expect(error?.code == .notADatabase)
            #expect(try Data(contentsOf: URL(filePath: path)) == content)
        }
    }

    @Test("a truncated file is an error and is left unchanged", arguments: [2, 100, 1000, 4096, 5000, 8192, 12_000])
    func truncated(size: Int) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let content = try await original(folder).prefix(size)
            try content.write(to: URL(filePath: path))
            let error = try await use(path)
            #expect(error.map { [.notADatabase, .corrupt].contains($0.code) } == true, "\(String(describing: error))")
            #expect(try Data(contentsOf: URL(filePath: path)) == content)
        }
    }

    /// The distance between two flipped bytes: 1 if `SQLITE_DAMAGE` is `all`, otherwise a prime.
    private static let step = ProcessInfo.processInfo.environment["SQLITE_DAMAGE"] == "all" ? 1 : 31

    @Test("a file with a flipped byte gives a result or an error, and is not written")
    func flipped() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            // Small pages, so that a small file has inner pages and leaves of tables and indexes.
            let schema = Self.schema(rows: 40)
            let content = try await original(folder, schema, pageSize: 512)
            #expect(content.count > 6 * 512 && content.count < 12 * 512)
            for position in stride(from: 0, to: content.count, by: Self.step) {
                var damaged = content
                damaged[position] ^= UInt8(truncatingIfNeeded: position &* 37 | 1)
                try damaged.write(to: URL(filePath: path))
                let error = try await use(path, schema)
                if error?.code == .notADatabase || error?.code == .corrupt {
                    #expect(try Data(contentsOf: URL(filePath: path)) == damaged, "byte \(position)")
                }
                for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
                    try FileManager.default.removeItem(atPath: path + suffix)
                }
            }
        }
    }
}

@Suite("One writer and eight readers", .limitedConcurrency)
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
