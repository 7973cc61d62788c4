import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestReporting
import TestConcurrency
import Testing

@Suite("Several processes", .serialized, .limitedConcurrency)
struct ProcessTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT)")]

    /// The number of killed processes, from `SQLITE_KILLS`.
    private static let kills = ProcessInfo.processInfo.environment["SQLITE_KILLS"].flatMap(Int.init) ?? 5

    @Test("acknowledged writes survive a kill of the process, and the file is sound")
    func killed() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let acknowledgements = folder + "/acknowledged"
            for round in 1...Self.kills {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, acknowledgements = acknowledgements as String, round = round as Int] in
                    try await Self.writeUntilKilled(path, acknowledgements, round: round)
                }
                // The acknowledgements of all rounds: a later kill must not lose an earlier commit either. Not read as
                // a String, for which Foundation leaks memory that the address sanitizer reports.
                let acknowledged = String(
                    decoding: try Data(contentsOf: URL(filePath: acknowledgements)), as: UTF8.self
                )
                .split(separator: "\n").compactMap { Int($0) }
                let database = try await Database.open(.file(path), migrations: Self.schema)
                let problems = try await database.integrityCheck()
                #expect(problems == [])
                let present = Set(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") })
                #expect(acknowledged.allSatisfy(present.contains))
                // In each round one commit may be finished and not acknowledged.
                #expect(present.count <= acknowledged.count + round)
                await database.close()
            }
        }
    }

    /// Commits rows one after the other, and appends each to a file once it is committed, until the process kills
    /// itself after a time that depends on the round.
    private static func writeUntilKilled(_ path: String, _ acknowledgements: String, round: Int) async throws {
        let database = try await Database.open(.file(path), migrations: schema)
        let file = open(acknowledgements, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        var random = SeededGenerator(seed: UInt64(round))
        let delay = UInt32.random(in: 0..<30_000, using: &random)
        Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        for index in 0... {
            let x = round * 1_000_000 + index
            try await database.write { db in
                _ = try db.execute("INSERT INTO t VALUES (\(x), \(String(repeating: "y", count: index % 3000)))")
            }
            let line = "\(x)\n"
            _ = line.withCString { write(file, $0, strlen($0)) }
        }
    }

    /// The number of files that several processes open at once, from `SQLITE_OPENINGS`.
    private static let openings = ProcessInfo.processInfo.environment["SQLITE_OPENINGS"].flatMap(Int.init) ?? 60

    @Test("several processes can open a new file at once")
    func simultaneousOpening() async throws {
        try await withTemporaryFolder { (folder) async throws in
            await withTaskGroup { group in
                for process in 1...3 {
                    group.addTask { await Self.openAtOnce(folder, process: process, rounds: Self.openings) }
                }
            }
        }
    }

    private static func openAtOnce(_ folder: String, process: Int, rounds: Int) async {
        await #expect(processExitsWith: .success) {
            [folder = folder as String, process = process as Int, rounds = rounds as Int] in
            let failure = folder + "/failure"
            do {
                for round in 1...rounds {
                    try Data().write(to: URL(filePath: "\(folder)/\(round)-\(process)"))
                    // A barrier: each process waits until the others have come as far, or one has failed.
                    for other in 1...3 {
                        while access("\(folder)/\(round)-\(other)", F_OK) != 0, access(failure, F_OK) != 0 {
                            sched_yield()
                        }
                    }
                    let database = try await Database.open(.file("\(folder)/db\(round)"), migrations: Self.schema)
                    try await database.write { db in try db.execute("INSERT INTO t VALUES (\(process), '')") }
                    await database.close()
                }
            } catch {
                try Data().write(to: URL(filePath: failure))
                throw error
            }
        }
    }

    /// The number of uses of a file by another process, from `SQLITE_USES`.
    private static let uses = ProcessInfo.processInfo.environment["SQLITE_USES"].flatMap(Int.init) ?? 150

    @Test("nothing that SQLite does to the file in another process counts as a replacement")
    func otherUses() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let database = try await Database.open(.file(path), migrations: Self.schema)
            let isOver = Atomic(false)
            async let accesses: Void = {
                var (random, count) = (SeededGenerator(seed: 28), 0)
                // Some accesses in any case: on a busy machine, the other process may be the faster one.
                while !isOver.load(ordering: .relaxed) || count < Self.uses / 10 {
                    count += 1
                    do {
                        try await Self.accessAtRandom(database, &random)
                    } catch let error as SQLiteError where error.code == .busy {}
                }
            }()
            await #expect(processExitsWith: .success) { [path = path as String, uses = Self.uses as Int] in
                var random = SeededGenerator(seed: 4)
                for _ in 1...uses { try Self.useAtRandom(path, &random) }
            }
            isOver.store(true, ordering: .relaxed)
            try await accesses
            #expect(try await database.integrityCheck() == [])
            await database.close()
        }
    }

    /// One of the accesses of this process.
    private static func accessAtRandom(_ database: Database, _ random: inout SeededGenerator) async throws {
        let x = Int.random(in: 0..<1_000_000, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: try await database.checkpoint(.truncate)
        case 1: try await database.checkpoint(.passive)
        case 2: try await database.vacuum()
        case 3...5:
            try await database.writeWithoutTransaction { db in
                _ = try db.fetchAll(String.self, "PRAGMA journal_mode = \(raw: x % 2 == 0 ? "DELETE" : "WAL")")
                try db.transaction { _ = try db.execute("INSERT OR REPLACE INTO t VALUES (\(x), 'z')") }
            }
        case 6:
            // Larger than the page cache, and rolled back.
            struct Undo: Error {}
            do {
                try await database.write { db in
                    try db.execute("PRAGMA cache_size = 5")
                    try db.execute("UPDATE t SET y = hex(zeroblob(2000)) WHERE x % 2 = 0")
                    throw Undo()
                }
            } catch is Undo {}
        case 7...13:
            try await database.write { db in
                _ = try db.execute("INSERT OR REPLACE INTO t VALUES (\(x), hex(zeroblob(\(x % 2000))))")
            }
        default: _ = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
        }
    }

    /// One of the uses of another process; an error such as that of a lock is allowed.
    private static func useAtRandom(_ path: String, _ random: inout SeededGenerator) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open(path, &handle) == SQLITE_OK else { return }
        sqlite3_busy_timeout(handle, 100)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let x = Int.random(in: 0..<1_000_000, using: &random)
            let rows = "WITH RECURSIVE n(x) AS (SELECT \(x) UNION ALL SELECT x + 7 FROM n LIMIT \(x % 80))"
            let fill = "INSERT OR REPLACE INTO t SELECT x, hex(zeroblob(x % 3000)) FROM n"
            let script =
                switch Int.random(in: 0..<14, using: &random) {
                case 0...3: "INSERT OR REPLACE INTO t VALUES (\(x), 'a')"
                case 4: "PRAGMA wal_checkpoint(PASSIVE)"
                case 5: "PRAGMA wal_checkpoint(RESTART)"
                case 6: "PRAGMA wal_checkpoint(TRUNCATE)"
                case 7: "VACUUM"
                case 8: "PRAGMA journal_mode = DELETE"
                case 9: "PRAGMA journal_mode = WAL"
                case 10: "\(rows) \(fill)"
                case 11: "PRAGMA cache_size = 5; BEGIN IMMEDIATE; \(rows) \(fill); ROLLBACK"
                case 12: "DELETE FROM t WHERE x % 3 = 0"
                default: ""
                }
            if !script.isEmpty {
                sqlite3_exec(handle, script, nil, nil, nil)
                continue
            }
            // A backup into the file, of its own content.
            let copy = path + "-copy"
            try? FileManager.default.removeItem(atPath: copy)
            guard sqlite3_exec(handle, "VACUUM INTO '\(copy)'", nil, nil, nil) == SQLITE_OK else { continue }
            var source: OpaquePointer?
            defer { sqlite3_close_v2(source) }
            guard sqlite3_open(copy, &source) == SQLITE_OK,
                let backup = sqlite3_backup_init(handle, "main", source, "main")
            else { continue }
            sqlite3_backup_step(backup, -1)
            sqlite3_backup_finish(backup)
        }
    }

    @Test("two writing processes lose no commit, and an observer sees the commits of both")
    func twoWriters() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let database = try await Database.open(.file(path), migrations: Self.schema)
            let observer = Task.detached {
                let observation = database.observe { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
                for try await count in observation where count == 100 { return true }
                return false
            }
            async let mine: Void = Self.insert(50, from: 0, to: database)
            await #expect(processExitsWith: .success) { [path = path as String] in
                let database = try await Database.open(.file(path), migrations: Self.schema)
                try await Self.insert(50, from: 1000, to: database)
                await database.close()
            }
            try await mine
            #expect(try await observer.value)
            let problems = try await database.integrityCheck()
            #expect(problems == [])
            await database.close()
        }
    }

    private static func insert(_ count: Int, from first: Int, to database: Database) async throws {
        for x in first..<first + count {
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (\(x), 'y')") }
        }
    }

    @Test("waiting for a lock longer than the busy timeout throws a busy error")
    func busy() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with { $0.busyTimeout = .milliseconds(50) }
            let holder = try await Database.open(.file(folder + "/db"), migrations: Self.schema)
            let other = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            try await holder.writeWithoutTransaction { db in
                try db.transaction {
                    let error = #expect(throws: SQLiteError.self) {
                        try other.blockingWrite { db in _ = try db.execute("INSERT INTO t VALUES (1, '')") }
                    }
                    #expect(error?.code == .busy)
                }
            }
            await holder.close()
            await other.close()
        }
    }

    @Test(
        "a process that the system stops while its database is suspended holds nobody up",
        arguments: [Database.JournalMode.writeAheadLog, .delete])
    func stoppedWhileSuspended(mode: Database.JournalMode) async throws {
        try await withTemporaryFolder { (folder) async throws in
            // Another process has created it, with this mode.
            let configuration = Database.Configuration().with { ($0.journalMode, $0.busyTimeout) = (mode, .zero) }
            let own = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            await own.close()
            async let stopped: Void = Self.stopWhileSuspended(folder)
            let process = try await Self.processIdentifier(writtenTo: folder + "/stopped")
            try await waitUntil { Self.isStopped(process) }
            do {
                try await Self.useAlone(folder + "/db", mode)
            } catch {
                // Nothing would end its accesses.
                kill(process, SIGKILL)
                throw error
            }
            kill(process, SIGCONT)
            await stopped
        }
    }

    /// Uses a file in ways that need its locks, without waiting for them.
    private static func useAlone(_ path: String, _ mode: Database.JournalMode) async throws {
        let configuration = Database.Configuration().with { $0.busyTimeout = .zero }
        let database = try await Database.open(.file(path), configuration: configuration)
        try await insert(1, from: 1, to: database)
        try await database.checkpoint(.truncate)
        try await database.vacuum()
        // This takes a lock that excludes every other connection.
        let modes = try await database.writeWithoutTransaction { db in
            try ["DELETE", "WAL", mode.rawValue].map { mode in
                try db.fetchOne(String.self, "PRAGMA journal_mode = \(raw: mode)") ?? ""
            }
        }
        #expect(modes == ["delete", "wal", mode.rawValue.lowercased()])
        #expect(try await database.integrityCheck() == [])
        await database.close()
    }

    /// Runs a process that is suspended within a write, a read, a snapshot and an observation, and then stopped. When it goes
    /// on, the observation catches up.
    private static func stopWhileSuspended(_ folder: String) async {
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let database = try await Database.open(.file(folder + "/db"))
            var counts = database.observe { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
                .makeAsyncIterator()
            #expect(try await counts.next() == 0)
            let snapshot = try await database.snapshot()
            let running = SharedCount()
            let endless = SQL("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT COUNT(*) FROM n")
            let work: @Sendable (Connection) throws -> Void = { db in
                running.increment()
                _ = try db.fetchOne(Int.self, endless)
            }
            let accesses = [
                Task.detached {
                    try await database.write { db in
                        try db.execute("INSERT INTO t VALUES (2, 'lost')")
                        try work(db)
                    }
                },
                Task.detached { try await database.read(work) },
                Task.detached { try await snapshot.read(work) },
            ]
            try await waitUntil { running.value == accesses.count }

            await database.suspend()
            try Data("\(getpid())\n".utf8).write(to: URL(filePath: folder + "/stopped"))
            // Until another process sends SIGCONT. Unlike `kill`, this stops the process before it returns.
            raise(SIGSTOP)
            for access in accesses {
                #expect(await errorCode { try await access.value } == .suspended)
            }
            database.resume()
            #expect(try await counts.next() == 1)
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
            await database.close()
        }
    }

    private static func processIdentifier(writtenTo path: String) async throws -> pid_t {
        while true {
            if let text = try? String(contentsOfFile: path, encoding: .utf8), text.hasSuffix("\n"),
                let process = pid_t(text.dropLast())
            {
                return process
            }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Whether the process is stopped; true where the system does not tell, because it stops right after it was suspended.
    private static func isStopped(_ process: pid_t) -> Bool {
        #if os(Linux)
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.contains(") T ") ?? true
        #else
        return true
        #endif
    }
}
