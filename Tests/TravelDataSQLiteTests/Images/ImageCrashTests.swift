import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Images and their rows stay consistent", .serialized, .limitedConcurrency)
struct ImageCrashTests {
    /// The distance between steps at which something happens: 1 if `TRAVEL_FAULTS` is `all`, and a few steps by
    /// default.
    private static let step = ProcessInfo.processInfo.environment["TRAVEL_FAULTS"] == "all" ? 1 : 9

    /// The number of the change to which each file system call belongs.
    private static func calls() async throws -> [Int] {
        try await withTemporaryFolder { folder in
            let files = ScriptedFiles()
            let database = try await TravelDatabase.open(path: folder + "/db", imageFiles: files)
            var calls: [Int] = []
            for change in 0..<ImageStory.count {
                try await ImageStory.make(change, in: database.trips)
                calls += Array(repeating: change, count: files.calls - calls.count)
            }
            await database.close()
            return calls
        }
    }

    @Test("a scenario without faults ends in the expected state, whenever the database is reopened")
    func noAccident() async throws {
        try await withTemporaryFolder { folder in
            for change in 0..<ImageStory.count {
                let database = try await TravelDatabase.open(path: folder + "/db")
                try await ImageStory.make(change, in: database.trips)
                await database.close()
                try await ImageStory.expect([ImageStory.states[change + 1]], at: folder + "/db")
            }
        }
    }

    @Test(
        "a process that is killed at any step leaves both file and row, or neither",
        arguments: [false, true])
    func killedAtEachStep(isHalfway: Bool) async throws {
        let calls = try await Self.calls()
        #expect(Set(calls) == Set(0..<ImageStory.count))
        for (index, change) in calls.enumerated() where index % Self.step == (isHalfway ? 4 : 0) % Self.step {
            try await withTemporaryFolder { (folder) async throws in
                let path = folder + "/db"
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, call = index + 1 as Int, isHalfway = isHalfway as Bool] in
                    let files = ScriptedFiles(isHalfway ? .killedHalfway : .killed, at: call)
                    let database = try await TravelDatabase.open(path: path, imageFiles: files)
                    for change in 0..<ImageStory.count { try await ImageStory.make(change, in: database.trips) }
                }
                try await ImageStory.expect([ImageStory.states[change], ImageStory.states[change + 1]], at: path)
            }
        }
    }

    @Test("a process that is killed between writing the file and its row leaves neither", arguments: 1...4)
    func killedBeforeTheCommit(change: Int) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, last = change as Int] in
                let database = try await TravelDatabase.open(path: path)
                for change in 0...last {
                    try await ImageStory.make(change, in: database.trips) {
                        if change == last { kill(getpid(), SIGKILL) }
                    }
                }
            }
            let added = change < 3 ? 1 : 0
            #expect(try ImageStory.files(at: path).count == ImageStory.states[change].count + added)
            #expect(try SystemFiles().names(in: path + "-images/unsettled")?.count == added)
            try await ImageStory.expect([ImageStory.states[change]], at: path)
        }
    }

    @Test(
        "a change is atomic when any step fails, and the database stays usable",
        arguments: [ScriptedFiles.Accident.fails, .failsOnce, .failsHalfway])
    func failsAtEachStep(accident: ScriptedFiles.Accident) async throws {
        for (index, change) in try await Self.calls().enumerated() where index % Self.step == 1 % Self.step {
            try await withTemporaryFolder { folder in
                let path = folder + "/db"
                let files = ScriptedFiles(accident, at: index + 1)
                let database = try await TravelDatabase.open(path: path, imageFiles: files)
                for earlier in 0..<change { try await ImageStory.make(earlier, in: database.trips) }
                var isMade = true
                do {
                    try await ImageStory.make(change, in: database.trips)
                } catch {
                    #expect(error as? TravelError == ScriptedFiles.fault)
                    isMade = false
                }
                let state = ImageStory.states[isMade ? change + 1 : change]
                for seed in UInt64(1)...5 {
                    let image = try? await database.trips.image(TripImage.ID(seed: seed), viewer: nil)
                    #expect((image != nil) == state.contains(seed))
                }
                await database.close()
                try await ImageStory.expect([state], at: path)
            }
        }
    }

    @Test(
        "rows and files are consistent when any SQLite file system call fails, including the commit",
        arguments: [2, 4], [FaultyFileSystem.Fault.ioError, .diskFull])
    func commitFails(change: Int, fault: FaultyFileSystem.Fault) async throws {
        let sqliteFiles = FaultyFileSystem()
        for call in stride(from: 1, to: .max, by: Self.step) {
            let isOver = try await withTemporaryFolder { folder in
                let path = folder + "/db"
                let database = try await TravelDatabase.open(
                    path: path, imageFiles: SystemFiles(), fileSystem: sqliteFiles.name)
                for earlier in 0..<change { try await ImageStory.make(earlier, in: database.trips) }
                sqliteFiles.fail(fault, atCall: call, lasting: fault == .ioError)
                // Only the database knows whether the change is committed.
                try? await ImageStory.make(change, in: database.trips)
                let isOver = sqliteFiles.failureCount == 0
                // The state that the next process would find: possibly a commit that was reported as failed.
                try FileManager.default.createDirectory(atPath: folder + "/copy", withIntermediateDirectories: false)
                for name in ["db", "db-wal", "db-images"] {
                    try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/copy/\(name)")
                }
                try await ImageStory.expect(
                    [ImageStory.states[change], ImageStory.states[change + 1]], at: folder + "/copy/db")
                sqliteFiles.recover()
                for seed in try await ImageStory.seeds(in: database) {
                    let image = try? await database.trips.image(TripImage.ID(seed: seed), viewer: nil)
                    #expect(image != nil, "image \(seed) has a row and no file, after call \(call)")
                }
                await database.close()
                try await ImageStory.expect([ImageStory.states[change], ImageStory.states[change + 1]], at: path)
                return isOver
            }
            if isOver { break }
        }
    }

    @Test(
        "a loss of power at any step leaves both file and row, or neither",
        arguments: ForgetfulFiles.Memory.allCases)
    func lossOfPower(memory: ForgetfulFiles.Memory) async throws {
        for call in stride(from: 1, to: .max, by: Self.step) {
            let isOver = try await withTemporaryFolder { folder in
                let path = folder + "/db"
                let files = ForgetfulFiles(powerFailsAt: call, memory)
                let database = try await TravelDatabase.open(path: path, imageFiles: files)
                var made = 0
                do {
                    while made < ImageStory.count, !files.hasFailed {
                        try await ImageStory.make(made, in: database.trips)
                        made += 1
                    }
                } catch {
                    #expect(error as? TravelError == ScriptedFiles.fault)
                }
                await database.close()
                try files.forget()
                try await ImageStory.expect([ImageStory.states[made]], at: path)
                return !files.hasFailed
            }
            if isOver { break }
        }
    }

    @Test("a process that is killed at any time leaves exactly one image for each row")
    func killedAtRandom() async throws {
        let rounds = ProcessInfo.processInfo.environment["TRAVEL_KILLS"].flatMap(Int.init) ?? 3
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            for round in 1...rounds {
                await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
                    try await Self.writeUntilKilled(path, round: round)
                }
                try await Self.expectWhole(path)
            }
        }
    }

    /// Adds, replaces and removes images until the process is killed.
    private static func writeUntilKilled(_ path: String, round: Int) async throws {
        let database = try await TravelDatabase.open(path: path)
        var random = SeededGenerator(seed: UInt64(round))
        let delay = UInt32.random(in: 0..<40_000, using: &random)
        Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        for step in 0... {
            let (trip, author) = (Trip.ID(), try User(seed: UInt64.random(in: 0...3, using: &random)))
            let images = try (0...step % 3).map { _ in
                try TripImage(bytes: ImageStory.image(1).bytes.prefix(Int.random(in: 8...5_000, using: &random)))
            }
            let entries = try images.map { image in
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"),
                    pictures: [Picture(image.id)])
            }
            try await database.trips.add(
                [
                    TripBuilder(seed: 1, author: author).with {
                        $0.id = trip
                        $0.timeline = [entries[0]]
                    }.build()
                ], images: [images[0]])
            try await database.trips.update(trip, by: author.id, adding: images) { trip throws(TravelError) in
                var trip = trip
                for entry in entries { trip = try trip.saving(entry) }
                return trip
            }
            if step % 4 == 3 {
                try await database.trips.removeUser(author.id, by: author.id)
            } else if step % 2 == 0 {
                try await database.trips.update(trip, by: author.id) { trip throws(TravelError) in
                    try trip.removing(entries[0].id)
                }
            }
        }
    }

    private static func expectWhole(_ path: String) async throws {
        let database = try await TravelDatabase.open(path: path)
        let rows = try await database.database.read { db in
            try db.fetchAll("SELECT id, file FROM image") {
                (try $0[0] as TripImage.ID, try $0[1] as ImageFolder.FileID)
            }
        }
        #expect(try ImageStory.files(at: path) == Set(rows.map(\.1.description)))
        for row in rows { _ = try await database.trips.image(row.0, viewer: nil) }
        #expect(try await database.database.integrityCheck() == [])
        await database.close()
    }
}
