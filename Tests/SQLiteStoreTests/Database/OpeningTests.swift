import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("Opening files", .limitedConcurrency)
struct OpeningTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x)")]

    @Test(
        "a path that SQLite would not interpret as a file is rejected",
        arguments: ["", ":memory:", "file:db", "file::memory:?cache=shared", "d\0b"])
    func refusedPaths(path: String) async throws {
        let error = await #expect(throws: SQLiteError.self) { try await Database.open(.file(path)) }
        #expect(error?.code == .misuse)
        let configuration = Database.Configuration().with { $0.attached = ["other": path] }
        await #expect(throws: SQLiteError.self) { try await Database.open(.temporary, configuration: configuration) }
        try await withTemporaryDatabase { (database) async throws in
            await #expect(throws: SQLiteError.self) { try await database.backup(to: path) }
            await #expect(throws: SQLiteError.self) { try await database.vacuum(into: path) }
        }
    }

    @Test("a relative path belongs to the current directory of the moment of opening")
    func relativePath() async {
        // In a process of its own, since a process has one current directory.
        await #expect(processExitsWith: .success) {
            for isNamed in [false, true] { try await Self.relativePath(isNamed: isNamed) }
        }
    }

    private static func relativePath(isNamed: Bool) async throws {
        let manager = FileManager.default
        let current = manager.currentDirectoryPath
        defer { _ = manager.changeCurrentDirectoryPath(current) }
        let system = FaultyFileSystem()
        let configuration = Database.Configuration().with {
            $0.attached = ["other": "other.db"]
            $0.fileSystem = isNamed ? system.name : nil
        }
        try await withTemporaryFolder { (folder) async throws in
            for name in ["one", "two"] {
                let path = folder + "/" + name
                try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
                #expect(manager.changeCurrentDirectoryPath(path))
                let database = try await Database.open(
                    .file("app.db"), configuration: configuration,
                    migrations: [Migration("t", script: "CREATE TABLE t (x); CREATE TABLE other.u (x)")])
                try await database.write { db in
                    try db.executeScript("INSERT INTO t VALUES ('\(name)'); INSERT INTO u VALUES ('\(name)')")
                }
                await database.close()
            }
            #expect(manager.changeCurrentDirectoryPath(folder + "/one"))
            let database = try await Database.open(.file("app.db"), configuration: configuration)
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES ('written')") }
            #expect(manager.changeCurrentDirectoryPath(folder + "/two"))
            for query: SQL in ["SELECT x FROM t", "SELECT x FROM u"] {
                // More than one connection, which open now.
                async let first = database.read { db in try db.fetchAll(String.self, query) }
                async let second = database.read { db in try db.fetchAll(String.self, query) }
                for values in try await [first, second] { #expect(values.first == "one") }
            }
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES ('second')") }
            try await database.backup(to: "copy.db")
            try await database.vacuum(into: "vacuumed.db")
            #expect(manager.fileExists(atPath: folder + "/two/copy.db"))
            #expect(manager.fileExists(atPath: folder + "/two/vacuumed.db"))
            await database.close()
            for (name, values) in [("one", ["one", "written", "second"]), ("two", ["two"])] {
                let database = try await Database.open(.file("\(folder)/\(name)/app.db"))
                #expect(try await database.read { db in try db.fetchAll(String.self, "SELECT x FROM t") } == values)
                await database.close()
            }
        }
    }

    @Test("an error names the file that cannot be opened")
    func namedFile() async throws {
        let error = await #expect(throws: SQLiteError.self) { try await Database.open(.file("/nowhere/db")) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains("/nowhere/db") == true)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("new files and copies are readable by their owner only")
    func permissions() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with { $0.attached = ["other": folder + "/other"] }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
            try await database.backup(to: folder + "/backup")
            try await database.vacuum(into: folder + "/compact")
            for name in ["db", "db-wal", "db-shm", "other", "backup", "compact"] {
                #expect(try mode("\(folder)/\(name)") == 0o600, "\(name)")
            }
            await database.close()
        }
    }

    private func journalMode(_ path: String, _ configuration: Database.Configuration = .init()) async throws -> String?
    {
        let database = try await Database.open(.file(path), configuration: configuration)
        let mode = try await database.writeWithoutTransaction { db in
            try db.fetchOne(String.self, "PRAGMA journal_mode")
        }
        await database.close()
        return mode
    }

    @Test("a new file gets a write-ahead log, an existing file keeps its journal mode, and a configured mode is set")
    func journalModes() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            #expect(try await journalMode(path) == "wal")
            #expect(try await journalMode(path, .init().with { $0.journalMode = .delete }) == "delete")
            #expect(try await journalMode(path) == "delete")
            #expect(try await journalMode(path, .init().with { $0.journalMode = .writeAheadLog }) == "wal")
        }
    }

    /// The open files of this process in `folder`.
    private func openFiles(in folder: String) -> [String] {
        (0..<4096 as Range<Int32>).compactMap { descriptor in
            var path = [CChar](repeating: 0, count: 4097)
            #if os(Linux) || os(Android)
            guard readlink("/proc/self/fd/\(descriptor)", &path, 4096) > 0 else { return nil }
            #else
            guard fcntl(descriptor, F_GETPATH, &path) >= 0 else { return nil }
            #endif
            let name = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return name.contains(URL(filePath: folder).lastPathComponent) ? name : nil
        }
    }

    @Test(
        "a file with a rollback journal has no shared memory, and closing it closes every descriptor",
        arguments: [Database.JournalMode.delete, .truncate, .persist])
    func descriptors(mode: Database.JournalMode) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with {
                $0.journalMode = mode
                $0.attached = ["other": folder + "/other"]
            }
            for round in 1...5 {
                let database = try await Database.open(
                    .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
                var values = database.observe(Int.self, "SELECT COUNT(*) FROM t").makeAsyncIterator()
                #expect(try await values.next() == [round - 1])
                try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
                #expect(try await values.next() == [round])
                let files = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(files.allSatisfy { !$0.hasSuffix("-shm") }, "\(files)")
                await database.close()
                #expect(openFiles(in: folder) == [])
            }
        }
    }

    @Test("an exclusive database needs no shared memory, and keeps others out until it closes")
    func exclusive() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let location = Database.Location.file(folder + "/db")
            let configuration = Database.Configuration().with {
                $0.isExclusive = true
                $0.busyTimeout = .milliseconds(1)
            }
            await (try Database.open(location, migrations: Self.schema)).close()
            // SQLite follows no link there.
            try FileManager.default.createSymbolicLink(atPath: folder + "/db-shm", withDestinationPath: "/nowhere")
            let shared = await #expect(throws: SQLiteError.self) { try await Database.open(location) }
            #expect(shared?.code == .cannotOpen)

            let database = try await Database.open(location, configuration: configuration, migrations: Self.schema)
            var counts = database.observe(Int.self, "SELECT COUNT(*) FROM t").makeAsyncIterator()
            #expect(try await counts.next() == [0])
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
            #expect(try await counts.next() == [1])
            let busy = await #expect(throws: SQLiteError.self) {
                try await Database.open(location, configuration: configuration)
            }
            #expect(busy?.code == .busy)
            await database.close()
            #expect(openFiles(in: folder) == [])

            let next = try await Database.open(location, configuration: configuration)
            #expect(try await next.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 1)
            await next.close()
        }
    }

    @Test("an exclusive database cannot be opened for reading only")
    func exclusiveReading() async throws {
        let configuration = Database.Configuration().with { ($0.isExclusive, $0.isReadOnly) = (true, true) }
        let error = await #expect(throws: SQLiteError.self) {
            try await Database.open(.temporary, configuration: configuration)
        }
        #expect(error?.code == .misuse)
    }

    @Test("an open that fails has closed every file when it throws")
    func failedOpening() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let newer = try await Database.open(
                .file(folder + "/db"), migrations: Self.schema + [Migration("later", script: "SELECT 1")])
            await newer.close()
            for _ in 1...20 {
                await #expect(throws: SQLiteError.self) {
                    try await Database.open(.file(folder + "/db"), migrations: Self.schema)
                }
                #expect(openFiles(in: folder) == [])
            }
        }
    }

    @Test("a temporary database does not wait for the disk, a file does as its configuration says")
    func waits() async throws {
        let synchronous = { @Sendable (db: Connection) in try db.fetchOne(Int.self, "PRAGMA synchronous") }
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            #expect(try await database.write(synchronous) == 0)
        }
        for (mode, value) in [(Database.Synchronous.normal, 1), (.full, 2)] {
            try await withTemporaryFolder { (folder) async throws in
                let configuration = Database.Configuration().with { $0.synchronous = mode }
                let database = try await Database.open(.file(folder + "/db"), configuration: configuration)
                #expect(try await database.write(synchronous) == value)
                await database.close()
            }
        }
    }

    @Test("commits by others to a file with a rollback journal are observed")
    func observedJournal() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let configuration = Database.Configuration().with {
                $0.journalMode = .delete
                $0.synchronous = .normal
                $0.externalChangeInterval = .milliseconds(2)
            }
            let observed = try await Database.open(.file(path), configuration: configuration, migrations: Self.schema)
            let other = try await Database.open(.file(path), migrations: Self.schema)
            var values = observed.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
            #expect(try await values.next() == [])
            for x in 1...3 {
                try await other.write { db in _ = try db.execute("INSERT INTO t VALUES (\(x))") }
                #expect(try await values.next() == Array(1...x))
            }
            await observed.close()
            await other.close()
        }
    }

    @Test("a read-only file opens where no file can be created next to it")
    func readOnlyFolder() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/100% #1?"
            let database = try await Database.open(.file(path), migrations: Self.schema)
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
            await database.close()
            // A directory at this path keeps SQLite from creating the file.
            try FileManager.default.createDirectory(atPath: path + "-shm", withIntermediateDirectories: false)
            let configuration = Database.Configuration().with { $0.isReadOnly = true }
            let reader = try await Database.open(.file(path), configuration: configuration, migrations: Self.schema)
            #expect(try await reader.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
            var values = reader.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
            #expect(try await values.next() == [1])
            await reader.close()
        }
    }

    @Test("beforeFirstRead is called before a connection reads from the file")
    func beforeFirstRead() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let (path, sound) = (folder + "/db", folder + "/sound")
            await (try Database.open(.file(sound), migrations: Self.schema)).close()
            try Data("this is no database, and much too long to be taken for an empty one".utf8).write(
                to: URL(filePath: path))
            let calls = Mutex(0)
            let configuration = Database.Configuration().with {
                $0.journalMode = nil
                $0.beforeFirstRead = { db in
                    #expect(try db.fetchOne(Int.self, "SELECT 1") == 1)
                    // Replaces the file, as setting a key would make it readable.
                    if calls.withLock({ count in
                        count += 1; return count
                    }) == 1 {
                        try Data(contentsOf: URL(filePath: sound)).write(to: URL(filePath: path))
                    }
                }
            }
            let database = try await Database.open(.file(path), configuration: configuration)
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [])
            #expect(calls.withLock { $0 } == 1)
            // Needs another connection.
            try await database.write { _ in }
            #expect(calls.withLock { $0 } == 2)
            await database.close()
        }
    }

    @Test("the first read gets the connection that opened the file, also with beforeFirstRead")
    func firstReadAfterOpening() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            await (try Database.open(.file(path), migrations: Self.schema)).close()
            for _ in 0..<50 {
                let calls = Mutex(0)
                let configuration = Database.Configuration().with {
                    $0.beforeFirstRead = { _ in calls.withLock { $0 += 1 } }
                }
                let database = try await Database.open(.file(path), configuration: configuration)
                _ = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") }
                #expect(calls.withLock { $0 } == 1)
                await database.close()
            }
        }
    }
}
