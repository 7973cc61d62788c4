import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestReporting
import TestTurns
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Several processes", .serialized, .takesTurns(within: .seconds(600)))
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
        var random = SplitMix64(seed: UInt64(round))
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
}
