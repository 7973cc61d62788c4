import Foundation
import SQLiteStoreTesting
import Synchronization
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Backups", .takesTurns)
struct BackupTests {
    @Test("a copy shows the same travels, timelines, images and people, and goes its own way")
    func copiesShowTheSame() async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/db")
            try await ImageStory.make(0, in: database.travels)
            try await database.session.setSignedInUser(User.ID(seed: 1))
            try await database.backup(to: folder + "/copy")
            #expect(try contents(of: folder) == ["copy", "copy-images", "db", "db-images", "db-shm", "db-wal"])
            try await ImageStory.make(1, in: database.travels)
            let copy = try await TravelDatabase.open(path: folder + "/copy")
            #expect(try await copy.session.signedInUser() == User.ID(seed: 1))
            let all = try TravelQuery(TravelCriteria(), viewer: nil)
            let (copied, travels) = (try await copy.travels.search(all), try await database.travels.search(all))
            #expect(copied.travels.map(\.id) == travels.travels.map(\.id))
            #expect(try await copy.travels.timeline(of: Travel.ID(seed: 1), viewer: nil).count == 2)
            await copy.close()
            try await ImageStory.expect([ImageStory.states[1]], at: folder + "/copy")
            try await ImageStory.expect([ImageStory.states[2]], at: folder + "/db")
            await database.close()
        }
    }

    @Test("a database without images has a copy without a folder; a temporary one can be copied too")
    func withoutImages() async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.copied()
            try await database.travels.add([TravelBuilder(seed: 1).build()])
            try await database.backup(to: folder + "/copy")
            #expect(try contents(of: folder) == ["copy"])
            await database.close()
            try await ImageStory.expect([[]], at: folder + "/copy")
        }
    }

    @Test("images that are removed, and others that are added, while it copies change nothing in it")
    func changesMeanwhile() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            // Removes all and adds some, in the middle, with another connection.
            let other = try await TravelDatabase.open(path: path)
            try await ImageStory.make(0, in: other.travels)
            let isFirst = Atomic(true)
            let database = try await TravelDatabase.open(
                path: path,
                imageFiles: InterveningFiles(beforeReading: {
                    guard isFirst.exchange(false, ordering: .relaxed) else { return }
                    waiting {
                        for change in 1..<ImageStory.count { try await ImageStory.make(change, in: other.travels) }
                    }
                    let kept = try ImageStory.files(at: path)
                    #expect(kept.count == 5, "what was removed is kept until the copy is whole")
                }))
            try await database.backup(to: folder + "/copy")
            let isUnread = isFirst.load(ordering: .relaxed)
            #expect(!isUnread)
            try await ImageStory.expect([ImageStory.states[1]], at: folder + "/copy")
            #expect(try ImageStory.files(at: path) == [], "what was kept for the copy went with its end")
            await database.close()
            await other.close()
            try await ImageStory.expect([[]], at: path)
        }
    }

    @Test("of a database that is written to all the while each copy is one state, with its images")
    func copiesOfAMovingTarget() async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/db")
            async let writing: Void = {
                for _ in 0..<8 {
                    for change in 0..<ImageStory.count { try await ImageStory.make(change, in: database.travels) }
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
        "what is at the path already is left as it is, and said",
        arguments: ["copy", "copy-wal", "copy-journal", "copy-images"])
    func takenPath(name: String) async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/db")
            try await ImageStory.make(0, in: database.travels)
            try Data("mine".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            let before = try contents(of: folder)
            await #expect(
                throws: TravelError.unavailable(
                    .init("There is something at the path of the backup already: choose another.", canRetry: false))
            ) {
                try await database.backup(to: folder + "/copy")
            }
            #expect(try contents(of: folder) == before)
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")) == Data("mine".utf8))
            await database.close()
        }
    }

    @Test("where another makes a file at the path meanwhile, that stays, and nothing of the copy does")
    func pathTakenMeanwhile() async throws {
        try await withTemporaryFolder { folder in
            let files = InterveningFiles(beforeReading: {
                try Data("theirs".utf8).write(to: URL(filePath: folder + "/copy"))
            })
            let database = try await TravelDatabase.open(path: folder + "/db", imageFiles: files)
            try await ImageStory.make(0, in: database.travels)
            await #expect(throws: TravelError.self) { try await database.backup(to: folder + "/copy") }
            #expect(try contents(of: folder) == ["copy", "db", "db-images", "db-shm", "db-wal"])
            #expect(try Data(contentsOf: URL(filePath: folder + "/copy")) == Data("theirs".utf8))
            await database.close()
        }
    }

    @Test("cancelled in the middle, it leaves nothing")
    func cancellation() async throws {
        try await withTemporaryFolder { folder in
            let task = Mutex<Task<Void, any Error>?>(nil)
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let files = InterveningFiles(beforeReading: { task.withLock { $0?.cancel() } })
            let database = try await TravelDatabase.open(path: folder + "/db", imageFiles: files)
            try await ImageStory.make(0, in: database.travels)
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

    /// From one call that fails to the next: 1 where `TRAVEL_FAULTS` is `all`, and a few calls further in every run.
    private let step = ProcessInfo.processInfo.environment["TRAVEL_FAULTS"] == "all" ? 1 : 5

    @Test("whichever call to the file system fails, it leaves nothing, and the next is whole")
    func failures() async throws {
        for call in stride(from: 1, to: .max, by: step) {
            let isOver = try await withTemporaryFolder { folder in
                let path = folder + "/db"
                let first = try await TravelDatabase.open(path: path)
                try await ImageStory.make(0, in: first.travels)
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
        "an image that is missing or damaged cannot be copied, and that is said",
        arguments: [
            (nil, "The file of an image is missing: restore a backup."),
            (4_999, "The file of an image is damaged: restore a backup."),
        ])
    func damage(size: Int?, reason: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let database = try await TravelDatabase.open(path: path)
            try await ImageStory.make(0, in: database.travels)
            let file = URL(filePath: "\(path)-images/\(try #require(try ImageStory.files(at: path).first))")
            let bytes = try Data(contentsOf: file)
            try FileManager.default.removeItem(at: file)
            if let size { try bytes.prefix(size).write(to: file) }
            let before = try contents(of: folder)
            await #expect(throws: TravelError.unavailable(.init(reason, canRetry: false))) {
                try await database.backup(to: folder + "/copy")
            }
            #expect(try contents(of: folder) == before)
            await database.close()
        }
    }

    @Test("a folder that is not there is an error")
    func missingFolder() async throws {
        let database = try await TravelDatabase.copied()
        await #expect(throws: TravelError.self) { try await database.backup(to: "/no/such/folder/copy") }
        await database.close()
    }

    private func contents(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}

/// Runs `body` while this thread waits, which must be one that may.
private func waiting(_ body: @escaping @Sendable () async throws -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        defer { isDone.signal() }
        do { try await body() } catch { Issue.record(error) }
    }
    isDone.wait()
}
