import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("Maintenance of the file", .limitedConcurrency)
struct CareTests {
    private static let schema = [
        Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT)"),
        Migration(
            "rows",
            script: """
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000)
                INSERT INTO t SELECT x, hex(randomblob(40)) FROM n
                """),
    ]

    private func checksum(_ database: Database) async throws -> [String] {
        try await database.read { db in
            try db.fetchAll(String.self, "SELECT COUNT(*) || ' ' || total(x) || ' ' || max(y) FROM t")
        }
    }

    @Test("a backup copies the state at its beginning and reports its progress")
    func backup() async throws {
        try await withTemporaryFolder { (folder) async throws in
            try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
                let before = try await checksum(database)
                let steps = Mutex<[BackupProgress]>([])
                try await database.backup(to: folder + "/copy", pagesPerStep: 10) { progress in
                    // A write during the backup, which the copy must not contain.
                    if progress.remaining > 0 {
                        try? database.blockingWrite { db in _ = try db.execute("DELETE FROM t") }
                    }
                    steps.withLock { $0.append(progress) }
                }
                let fractions = steps.withLock { $0.map(\.fraction) }
                #expect(fractions.count > 5)
                #expect(fractions == fractions.sorted())
                #expect(fractions.last == 1)
                let copy = try await Database.open(.file(folder + "/copy"), migrations: Self.schema)
                #expect(try await copy.integrityCheck() == [])
                #expect(try await checksum(copy) == before)
                await copy.close()
            }
        }
    }

    @Test(
        "a backup that is cancelled before its last step leaves the other file unchanged",
        arguments: AccessTests.executions)
    func cancelledBackup(execution: Database.Execution) async throws {
        let tables = try await tablesOfCopy(execution) { progress in
            progress.remaining == 1
        } expecting: { result in
            #expect(throws: CancellationError.self) { try result.get() }
        }
        #expect(tables == ["mine"])
    }

    @Test(
        "a backup that is cancelled after its last step has replaced the other file", arguments: AccessTests.executions)
    func lateCancellationOfBackup(execution: Database.Execution) async throws {
        let tables = try await tablesOfCopy(execution) { progress in
            progress.remaining == 0
        } expecting: { result in
            #expect(throws: Never.self) { try result.get() }
        }
        #expect(tables == ["schema_migrations", "t"])
    }

    /// Returns the tables of the target of a backup whose task is cancelled when `cancels` returns true.
    private func tablesOfCopy(
        _ execution: Database.Execution, cancels: @escaping @Sendable (BackupProgress) -> Bool,
        expecting check: (Result<Void, any Error>) -> Void
    ) async throws -> [String] {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/copy"
            let other = try await Database.open(.file(path))
            try await other.write { db in try db.executeScript("CREATE TABLE mine (x)") }
            await other.close()
            let configuration = Database.Configuration().with { $0.execution = execution }
            try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
                (database) async throws in
                check(
                    await outcome { cancel in
                        try await database.backup(to: path, pagesPerStep: 1) { if cancels($0) { cancel() } }
                    })
            }
            let copy = try await Database.open(.file(path))
            let tables = try await copy.read { db in
                try db.fetchAll(String.self, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            }
            await copy.close()
            return tables
        }
    }

    @Test(
        "a backup onto one of the database's own files is rejected and changes nothing",
        arguments: ["db", "db-wal", "db-shm", "db-journal", "other", "soft", "hard"])
    func backupOntoItself(name: String) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let configuration = Database.Configuration().with { $0.attached = ["other": folder + "/other"] }
            let database = try await Database.open(
                .file(path), configuration: configuration, migrations: Self.schema)
            try FileManager.default.createSymbolicLink(atPath: folder + "/soft", withDestinationPath: path)
            try FileManager.default.linkItem(atPath: path, toPath: folder + "/hard")
            let before = try await checksum(database)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            let error = await #expect(throws: SQLiteError.self) { try await database.backup(to: "\(folder)/\(name)") }
            #expect(error?.code == .misuse)
            #expect(error?.message.contains("\(folder)/\(name)") == true)
            #expect(try await checksum(database) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == files.sorted())
            #expect(try await database.integrityCheck() == [])
            await database.close()
        }
    }

    @Test("an integrity check reports only real problems")
    func integrity() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            #expect(try await database.integrityCheck() == [])
            try await database.writeWithoutTransaction { db in
                try db.executeScript(
                    """
                    PRAGMA foreign_keys = OFF;
                    CREATE TABLE child (t REFERENCES t);
                    INSERT INTO child VALUES (99999);
                    """)
            }
            #expect(try await database.integrityCheck() == [#"a row of table "child" refers to a missing row of "t""#])
        }
    }

    @Test("a checkpoint moves the log into the file")
    func checkpoint() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await database.write { db in try db.execute("UPDATE t SET y = 'z'") }
            let passive = try await database.checkpoint()
            #expect(passive.logged > 0)
            #expect(passive.moved == passive.logged)
            let truncated = try await database.checkpoint(.truncate)
            #expect(truncated.logged == 0)
        }
        let inMemory = try await Database.open(.inMemory)
        #expect(try await inMemory.checkpoint() == (logged: 0, moved: 0))
    }

    @Test("vacuum writes a compact copy, or rewrites the file")
    func vacuum() async throws {
        try await withTemporaryFolder { (folder) async throws in
            try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
                func pages() async throws -> Int? {
                    try await database.read { db in try db.fetchOne(Int.self, "PRAGMA page_count") }
                }
                let before = try await checksum(database)
                try await database.vacuum(into: folder + "/copy")
                let copy = try await Database.open(.file(folder + "/copy"), migrations: Self.schema)
                #expect(try await checksum(copy) == before)
                await copy.close()
                try await database.write { db in try db.execute("DELETE FROM t") }
                let full = try #require(try await pages())
                try await database.vacuum()
                let compact = try #require(try await pages())
                #expect(compact < full)
            }
        }
    }

    @Test("a compact copy waits for the disk, however little its database does")
    func durableCopy() async throws {
        let files = FaultyFileSystem()
        var counts: [Int] = []
        for mode in [Database.Synchronous.normal, .full] {
            try await withTemporaryFolder { (folder) async throws in
                let configuration = Database.Configuration().with {
                    $0.fileSystem = files.name
                    $0.synchronous = mode
                }
                // What is read from memory calls no file system: only the calls for the copy count.
                let database = try await Database.open(
                    .inMemory, configuration: configuration, migrations: Self.schema)
                let before = files.callCount
                try await database.vacuum(into: folder + "/copy")
                counts.append(files.callCount - before)
                let synchronous = try await database.read { db in try db.fetchOne(Int.self, "PRAGMA synchronous") }
                #expect(synchronous == (mode == .full ? 2 : 1))
                await database.close()
            }
        }
        #expect(counts[0] > 0)
        #expect(counts[0] == counts[1])
    }

    @Test("attached databases are written in one transaction and read together")
    func attached() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with { $0.attached = ["archive": folder + "/archive"] }
            let database = try await Database.open(.file(folder + "/main"), configuration: configuration)
            try await database.write { db in
                try db.executeScript("CREATE TABLE t (x); CREATE TABLE archive.old (x)")
                try db.execute("INSERT INTO t VALUES (1)")
                try db.execute("INSERT INTO archive.old VALUES (2)")
            }
            let all = try await database.read { db in
                try db.fetchAll(Int.self, "SELECT x FROM t UNION ALL SELECT x FROM archive.old")
            }
            #expect(all == [1, 2])
            await database.close()
        }
    }

    @Test("an error names the database that cannot be attached")
    func missingAttached() async throws {
        let configuration = Database.Configuration().with { $0.attached = ["archive": "/nowhere/archive"] }
        let error = await #expect(throws: SQLiteError.self) {
            try await Database.open(.temporary, configuration: configuration)
        }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.hasPrefix("cannot attach /nowhere/archive: ") == true)
    }

    @Test("a database opened for reading only rejects writes")
    func readOnly() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let writable = try await Database.open(.file(path), migrations: Self.schema)
            let configuration = Database.Configuration().with { $0.isReadOnly = true }
            let database = try await Database.open(.file(path), configuration: configuration, migrations: Self.schema)
            #expect(try await checksum(database) == checksum(writable))
            let error = await #expect(throws: SQLiteError.self) {
                try await database.write { db in try db.execute("DELETE FROM t") }
            }
            #expect(error?.code == .readOnly)
            await database.close()
            await writable.close()
            let missing = await #expect(throws: SQLiteError.self) {
                try await Database.open(.file(folder + "/missing"), configuration: configuration)
            }
            #expect(missing?.code == .cannotOpen)
        }
    }
}
