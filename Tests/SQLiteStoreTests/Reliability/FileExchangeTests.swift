import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("Files that are replaced while they are open", .limitedConcurrency)
struct FileExchangeTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT)")]

    enum Accident: CaseIterable {
        case deleted, moved, exchanged, overwritten, cut, emptied

        var code: SQLiteError.Code { self == .emptied || self == .cut ? .corrupt : .replaced }
    }

    /// Creates a database with some rows, and an earlier copy of it.
    private func withDatabase(_ body: (_ database: Database, _ path: String, _ copy: String) async throws -> Void)
        async throws
    {
        try await withTemporaryFolder { (folder) async throws in
            let (path, copy) = (folder + "/db", folder + "/copy")
            let database = try await Database.open(.file(path), migrations: Self.schema)
            try await database.backup(to: copy)
            try await fill(database)
            try await database.checkpoint(.truncate)
            try await body(database, path, copy)
            await database.close()
        }
    }

    private func fill(_ database: Database) async throws {
        try await database.write { db in
            _ = try db.execute(
                """
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500)
                INSERT INTO t (y) SELECT hex(zeroblob(40)) FROM n
                """)
        }
    }

    private func count(_ database: Database) async throws -> Int? {
        try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
    }

    /// Uses another process, because this one would lose SQLite's locks.
    private func cause(_ accident: Accident, _ path: String, _ copy: String) throws {
        let command =
            switch accident {
            case .deleted: ["rm", path]
            case .moved: ["mv", path, path + "-moved"]
            case .exchanged: ["mv", copy, path]
            case .overwritten: ["cp", copy, path]
            case .cut: ["truncate", "-s", "4096", path]
            case .emptied: ["cp", "/dev/null", path]
            }
        try run(command)
    }

    private func run(_ command: [String]) throws {
        let process = Process()
        (process.executableURL, process.arguments) = (URL(filePath: "/usr/bin/env"), command)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(
        "a write to a file that was replaced, moved, deleted, overwritten or truncated is rejected",
        arguments: Accident.allCases)
    func writing(accident: Accident) async throws {
        try await withDatabase { database, path, copy in
            // Reads the current header.
            _ = try await database.write { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
            try cause(accident, path, copy)
            for _ in 0..<2 {
                let error = await #expect(throws: SQLiteError.self) { try await fill(database) }
                #expect(error?.code == accident.code)
                #expect(error?.message.contains(path) == true)
            }
        }
    }

    @Test(
        "reads of a file that was replaced, moved, deleted, overwritten or truncated soon throw",
        arguments: Accident.allCases)
    func reading(accident: Accident) async throws {
        try await withDatabase { database, path, copy in
            _ = try await database.write { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
            try cause(accident, path, copy)
            let error = await #expect(throws: SQLiteError.self) {
                while true {
                    _ = try await count(database)
                    try Task.checkCancellation()
                }
            }
            #expect(error?.code == accident.code)
        }
    }

    @Test(
        "a read between a commit and its end does not take the file for an overwritten one",
        arguments: [Database.JournalMode.delete, .truncate, .persist])
    func readingWithinCommit(mode: Database.JournalMode) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let reader = Mutex<Database?>(nil)
            let configuration = Database.Configuration().with {
                $0.journalMode = mode
                // Called when SQLite has released its locks, before the library knows of the commit.
                $0.slowStatements = SlowStatements(longerThan: .milliseconds(-1)) { statement in
                    guard statement.sql == "COMMIT", let database = reader.withLock({ $0.take() }) else { return }
                    let hasRead = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        // Reads check the file every 10 milliseconds.
                        let end = ContinuousClock.now + .milliseconds(15)
                        while ContinuousClock.now < end {
                            _ = try? database.blockingRead { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
                        }
                        hasRead.signal()
                    }
                    hasRead.wait()
                }
            }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            for round in 1...3 {
                _ = try await count(database)
                reader.withLock { $0 = database }
                try await database.write { db in _ = try db.execute("INSERT INTO t (y) VALUES ('x')") }
                #expect(try await database.write { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == round)
            }
            await database.close()
        }
    }

    @Test("without a log, pages of temporary tables do not count as commits to the file")
    func temporaryTable() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with {
                $0.journalMode = .delete
                $0.prepare = { db in try db.execute("PRAGMA temp_store = FILE") }
            }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            try await fill(database)
            try await database.write { db in
                try db.execute("CREATE TEMP TABLE s (x, y)")
                _ = try db.fetchOne(Int.self, "PRAGMA temp.cache_size = 10")
                try db.execute(
                    """
                    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200)
                    INSERT INTO s SELECT x, zeroblob(3000) FROM n
                    """)
            }
            for round in 0..<50 {
                try await database.write { db in
                    _ = try db.execute("UPDATE s SET y = zeroblob(\(2000 + round)) WHERE x < 5")
                }
                #expect(try await database.write { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 500)
            }
            await database.close()
        }
    }

    /// An accident after which the file has the same size and header.
    enum QuietAccident: CaseIterable {
        /// An earlier copy was restored, with its time of modification.
        case restored
        /// A page was overwritten with zeros.
        case zeroed
    }

    /// Creates a database and an earlier copy of it with the same size and header.
    private func withQuietAccident(
        _ accident: QuietAccident, _ configuration: Database.Configuration = .init(),
        checkpoint: (Database) async throws -> Void = { try await $0.checkpoint() },
        _ body: (_ database: Database, _ path: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let (path, copy) = (folder + "/db", folder + "/copy")
            let database = try await Database.open(
                .file(path), configuration: configuration, migrations: Self.schema)
            try await fill(database)
            try await database.checkpoint(.truncate)
            try run(["cp", "-p", path, copy])
            try await database.write { db in _ = try db.execute("UPDATE t SET y = hex(zeroblob(39)) || 'ab'") }
            try await checkpoint(database)
            // Not read by this process, which would lose SQLite's locks.
            try run(["cmp", "-n", "100", path, copy])
            let sizes = try [path, copy].map { try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int }
            #expect(sizes[0] == sizes[1])
            switch accident {
            case .restored: try run(["cp", "-p", copy, path])
            case .zeroed:
                try run(["dd", "if=/dev/zero", "of=" + path, "bs=4096", "seek=5", "count=1", "conv=notrunc"])
            }
            try await body(database, path)
            await database.close()
        }
    }

    @Test(
        "a write to a file that was overwritten with the same size and header is rejected",
        arguments: QuietAccident.allCases)
    func quietWriting(accident: QuietAccident) async throws {
        try await withQuietAccident(accident) { database, path in
            let error = await #expect(throws: SQLiteError.self) { try await fill(database) }
            #expect(error?.code == .replaced)
            let outside = await #expect(throws: SQLiteError.self) {
                try await database.writeWithoutTransaction { db in _ = try db.execute("DELETE FROM t") }
            }
            #expect(outside?.code == .replaced)
        }
        // The last checkpoint followed a commit by itself; this access waits behind it.
        let configuration = Database.Configuration().with {
            $0.prepare = { db in try db.execute("PRAGMA wal_autocheckpoint = 4") }
        }
        try await withQuietAccident(
            accident, configuration, checkpoint: { try await $0.writeWithoutTransaction { _ in } }
        ) { database, path in
            let error = await #expect(throws: SQLiteError.self) { try await fill(database) }
            #expect(error?.code == .replaced)
        }
    }

    @Test(
        "reads of a file that was overwritten with the same size and header soon throw",
        arguments: QuietAccident.allCases)
    func quietReading(accident: QuietAccident) async throws {
        try await withQuietAccident(accident) { database, _ in
            let error = await #expect(throws: SQLiteError.self) {
                while true {
                    _ = try await database.read { db in try db.fetchOne(Int.self, "SELECT 1 FROM t") }
                    try Task.checkCancellation()
                }
            }
            #expect(error?.code == .replaced)
        }
    }

    @Test("closing a database leaves a file that was restored under it as it is", arguments: [true, false])
    func restoredAndClosed(hasLog: Bool) async throws {
        try await withDatabase { database, path, copy in
            if hasLog { try await fill(database) }
            try cause(.overwritten, path, copy)
            await #expect(throws: SQLiteError.self) { try await fill(database) }
            await database.close()
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(contentsOf: URL(filePath: copy)))
        }
    }

    @Test("an earlier copy restored in place is noticed without a log, too", arguments: [true, false])
    func restoredJournal(byWriting: Bool) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let (path, copy) = (folder + "/db", folder + "/copy")
            let configuration = Database.Configuration().with { $0.journalMode = .delete }
            let database = try await Database.open(
                .file(path), configuration: configuration, migrations: Self.schema)
            try await fill(database)
            try run(["cp", path, copy])
            // The copy lacks a single commit.
            try await database.write { db in _ = try db.execute("UPDATE t SET y = 'b'") }
            try run(["cp", copy, path])
            let error = await #expect(throws: SQLiteError.self) {
                if byWriting { return try await fill(database) }
                while true {
                    _ = try await count(database)
                    try Task.checkCancellation()
                }
            }
            #expect(error?.code == .replaced)
            await database.close()
        }
    }

    enum LogAccident: CaseIterable {
        case deleted, exchanged, overwritten, truncated
    }

    @Test(
        "a write after the log was deleted, replaced, overwritten or truncated is rejected",
        arguments: LogAccident.allCases)
    func log(accident: LogAccident) async throws {
        try await withDatabase { database, path, copy in
            let log = path + "-wal"
            try await fill(database)
            try run(["cp", log, copy])
            try await database.checkpoint(.truncate)
            for _ in 1...2 { try await fill(database) }
            switch accident {
            case .deleted: try run(["rm", log])
            case .exchanged: try run(["mv", copy, log])
            case .overwritten: try run(["dd", "if=" + copy, "of=" + log, "conv=notrunc"])
            case .truncated: try run(["truncate", "-s", "4096", log])
            }
            let error = await #expect(throws: SQLiteError.self) { try await fill(database) }
            let isLost = accident == .deleted || accident == .exchanged
            #expect(error?.code == (isLost ? .replaced : .corrupt), "\(String(describing: error))")
            #expect(error?.message.contains(log) == true)
            await database.close()
            guard accident == .deleted else { return }
            // Every commit that was acknowledged is in the file.
            let reopened = try await Database.open(.file(path), migrations: Self.schema)
            #expect(try await count(reopened) == 2000)
            #expect(try await reopened.integrityCheck() == [])
            await reopened.close()
        }
    }

    @Test("reads after the log was deleted soon throw")
    func readingWithoutLog() async throws {
        try await withDatabase { database, path, _ in
            _ = try await count(database)
            try run(["rm", path + "-wal"])
            let error = await #expect(throws: SQLiteError.self) {
                while true {
                    _ = try await count(database)
                    try Task.checkCancellation()
                }
            }
            #expect(error?.code == .replaced)
        }
    }

    @Test("an observation fails when its path leads to another file")
    func health() async throws {
        try await withDatabase { database, path, copy in
            let observation = database.observe(Int.self, "SELECT COUNT(*) FROM t")
            var values = observation.makeAsyncIterator()
            #expect(try await values.next() == [500])
            try cause(.exchanged, path, copy)
            let error = await #expect(throws: SQLiteError.self) { try await values.next() }
            #expect(error?.code == .replaced)
            guard case .failed(let reason as SQLiteError) = observation.health else {
                Issue.record("the health is \(observation.health)")
                return
            }
            #expect(reason.code == .replaced)
        }
    }

    @Test("writes, checkpoints and vacuums of others do not count as a replacement")
    func others() async throws {
        try await withDatabase { database, path, _ in
            let other = try await Database.open(.file(path), migrations: Self.schema)
            for round in 2...6 {
                try await fill(round.isMultiple(of: 2) ? other : database)
                try await other.checkpoint(.truncate)
                if round == 3 { try await other.vacuum() }
                #expect(
                    try await database.write { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == round
                        * 500)
            }
            await other.close()
        }
    }
}
