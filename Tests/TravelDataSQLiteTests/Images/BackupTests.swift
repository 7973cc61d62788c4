import Foundation
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Backups", .limitedConcurrency)
struct BackupTests {
    @Test("a copy contains the same trips, timelines, images and people, and is independent")
    func copiesShowTheSame() async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/db")
            try await ImageStory.make(0, in: database.trips)
            try await database.session.setSession(Session(user: User.ID(seed: 1)))
            try await database.backup(to: folder + "/copy")
            #expect(try contents(of: folder) == ["copy", "copy-images", "db", "db-images", "db-shm", "db-wal"])
            try await ImageStory.make(1, in: database.trips)
            let copy = try await TravelDatabase.open(path: folder + "/copy")
            #expect(try await copy.session.session() == Session(user: User.ID(seed: 1)))
            let all = try TripQuery(TripCriteria(), viewer: nil)
            let (copied, trips) = (try await copy.trips.search(all), try await database.trips.search(all))
            #expect(copied.trips.map(\.id) == trips.trips.map(\.id))
            #expect(try await copy.trips.timeline(of: Trip.ID(seed: 1), viewer: nil).count == 2)
            await copy.close()
            try await ImageStory.expect([ImageStory.states[1]], at: folder + "/copy")
            try await ImageStory.expect([ImageStory.states[2]], at: folder + "/db")
            await database.close()
        }
    }

    @Test("a database without images is copied without a folder, and a temporary one can be copied")
    func withoutImages() async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.copied()
            try await database.trips.add([TripBuilder(seed: 1).build()])
            try await database.backup(to: folder + "/copy")
            #expect(try contents(of: folder) == ["copy"])
            await database.close()
            try await ImageStory.expect([[]], at: folder + "/copy")
        }
    }

    @Test("removing and adding images during a backup does not change the copy")
    func changesMeanwhile() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            // Removes all images and adds some during the backup, with another connection.
            let other = try await TravelDatabase.open(path: path)
            try await ImageStory.make(0, in: other.trips)
            let isFirst = Atomic(true)
            let database = try await TravelDatabase.open(
                path: path,
                imageFiles: InterveningFiles(beforeReading: {
                    guard isFirst.exchange(false, ordering: .relaxed) else { return }
                    waiting {
                        for change in 1..<ImageStory.count { try await ImageStory.make(change, in: other.trips) }
                    }
                    let kept = try ImageStory.files(at: path)
                    #expect(kept.count == 5, "removed files are kept until the copy is complete")
                }))
            try await database.backup(to: folder + "/copy")
            let isUnread = isFirst.load(ordering: .relaxed)
            #expect(!isUnread)
            try await ImageStory.expect([ImageStory.states[1]], at: folder + "/copy")
            #expect(try ImageStory.files(at: path) == [], "kept files are removed after the backup")
            await database.close()
            await other.close()
            try await ImageStory.expect([[]], at: path)
        }
    }

    @Test("a copy of a database with concurrent writes is one snapshot, with its images")
    func copiesOfAMovingTarget() async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/db")
            async let writing: Void = {
                for _ in 0..<8 {
                    for change in 0..<ImageStory.count { try await ImageStory.make(change, in: database.trips) }
                }
            }()
            for number in 0..<4 { try await database.backup(to: "\(folder)/copy\(number)") }
            try await writing
            for number in 0..<4 { try await ImageStory.expect(ImageStory.states, at: "\(folder)/copy\(number)") }
            await database.close()
            try await ImageStory.expect([[]], at: folder + "/db")
        }
    }

    @Test(
        "an existing file at the path is kept and reported",
        arguments: ["copy", "copy-wal", "copy-journal", "copy-images"])
    func takenPath(name: String) async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/db")
            try await ImageStory.make(0, in: database.trips)
            try Data("mine".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            let before = try contents(of: folder)
            await #expect(
                throws: TravelError.unavailable(
                    .init(
                        "The path of the backup already exists: choose another one.", cause: .fileExists,
                        canRetry: false))
            ) {
                try await database.backup(to: folder + "/copy")
            }
            #expect(try contents(of: folder) == before)
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")) == Data("mine".utf8))
            await database.close()
        }
    }

    @Test("a file that another process creates at the path is kept, and the copy is removed")
    func pathTakenMeanwhile() async throws {
        try await withTemporaryFolder { folder in
            let files = InterveningFiles(beforeReading: {
                try Data("theirs".utf8).write(to: URL(filePath: folder + "/copy"))
            })
            let database = try await TravelDatabase.open(path: folder + "/db", imageFiles: files)
            try await ImageStory.make(0, in: database.trips)
            await #expect(throws: TravelError.self) { try await database.backup(to: folder + "/copy") }
            #expect(try contents(of: folder) == ["copy", "db", "db-images", "db-shm", "db-wal"])
            #expect(try Data(contentsOf: URL(filePath: folder + "/copy")) == Data("theirs".utf8))
            await database.close()
        }
    }

    @Test("a cancelled backup leaves no files")
    func cancellation() async throws {
        try await withTemporaryFolder { folder in
            let task = Mutex<Task<Void, any Error>?>(nil)
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let files = InterveningFiles(beforeReading: { task.withLock { $0?.cancel() } })
            let database = try await TravelDatabase.open(path: folder + "/db", imageFiles: files)
            try await ImageStory.make(0, in: database.trips)
            let before = try contents(of: folder)
            let backup = Task {
                for await _ in starts { break }
                try await database.backup(to: folder + "/copy")
            }
            task.withLock { $0 = backup }
            start.yield()
            await #expect(throws: CancellationError.self) { try await backup.value }
            #expect(try contents(of: folder) == before)
            await database.close()
        }
    }

    /// The distance between failing calls: 1 if `TRAVEL_FAULTS` is `all`, and a few calls by default.
    private let step = ProcessInfo.processInfo.environment["TRAVEL_FAULTS"] == "all" ? 1 : 5

    @Test("a backup leaves no files when any file system call fails, and the next backup is complete")
    func failures() async throws {
        for call in stride(from: 1, to: .max, by: step) {
            let isOver = try await withTemporaryFolder { folder in
                let path = folder + "/db"
                let first = try await TravelDatabase.open(path: path)
                try await ImageStory.make(0, in: first.trips)
                let before = try contents(of: folder)
                let files = ScriptedFiles(.failsOnce, at: call)
                let database = try await TravelDatabase.open(path: path, imageFiles: files)
                var isWhole = true
                do {
                    try await database.backup(to: folder + "/copy")
                } catch {
                    #expect(error as? TravelError == ScriptedFiles.fault)
                    #expect(try contents(of: folder) == before, "after call \(call)")
                    isWhole = false
                    try await first.backup(to: folder + "/copy")
                }
                await database.close()
                await first.close()
                try await ImageStory.expect([ImageStory.states[1]], at: folder + "/copy")
                try await ImageStory.expect([ImageStory.states[1]], at: path)
                return isWhole && files.calls < call
            }
            if isOver { break }
        }
    }

    @Test(
        "a missing or damaged image makes a backup fail and is reported",
        arguments: [
            (nil, "The file of an image is missing: restore a backup."),
            (4_999, "The file of an image is damaged: restore a backup."),
        ])
    func damage(size: Int?, reason: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let database = try await TravelDatabase.open(path: path)
            try await ImageStory.make(0, in: database.trips)
            let file = URL(filePath: "\(path)-images/\(try #require(try ImageStory.files(at: path).first))")
            let bytes = try Data(contentsOf: file)
            try FileManager.default.removeItem(at: file)
            if let size { try bytes.prefix(size).write(to: file) }
            let before = try contents(of: folder)
            await #expect(throws: TravelError.unavailable(.init(reason, cause: .damaged, canRetry: false))) {
                try await database.backup(to: folder + "/copy")
            }
            #expect(try contents(of: folder) == before)
            await database.close()
        }
    }

    @Test("a backup to a missing folder fails")
    func missingFolder() async throws {
        let database = try await TravelDatabase.copied()
        await #expect(throws: TravelError.self) { try await database.backup(to: "/no/such/folder/copy") }
        await database.close()
    }

    private func contents(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}

/// Calls `body` while this thread, which must be allowed to block, waits.
func waiting(_ body: @escaping @Sendable () async throws -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        defer { isDone.signal() }
        do { try await body() } catch { Issue.record(error) }
    }
    isDone.wait()
}
