import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("The folder of images", .limitedConcurrency)
struct ImageFolderTests {
    private func files(_ path: String) throws -> Set<String> {
        try ImageStory.files(at: path)
    }

    private func marks(_ path: String) throws -> [String]? {
        try SystemFiles().names(in: path + "-images/unsettled")
    }

    /// Runs `body` with a new database.
    private func withDatabase(_ body: (_ database: TravelDatabase, _ path: String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/db")
            try await body(database, folder + "/db")
            await database.close()
        }
    }

    /// Creates a database with three images, closes it, and returns its path.
    private func closedDatabase(in folder: String) async throws -> String {
        let database = try await TravelDatabase.open(path: folder + "/db")
        try await ImageStory.make(0, in: database.trips)
        await database.close()
        return folder + "/db"
    }

    @Test("the folder does not exist before the first image")
    func noFolder() async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/db")
            try await database.trips.add([TripBuilder(seed: 1).build()])
            await database.close()
            #expect(!FileManager.default.fileExists(atPath: folder + "/db-images"))
        }
    }

    @Test("opening a database removes marked files without rows, and inspects no others")
    func sweeping() async throws {
        try await withTemporaryFolder { folder in
            let path = try await closedDatabase(in: folder)
            let kept = try files(path)
            #expect(kept.count == 3)
            #expect(try marks(path) == [])
            let orphans = (0..<3).map { _ in ImageFolder.FileID().description }
            let others = ["notes.txt", "photo.png", ".hidden", "\(UUID().uuidString).png", orphans[0]]
            for name in others + orphans.dropFirst() {
                try Data("?".utf8).write(to: URL(filePath: "\(path)-images/\(name)"))
            }
            // The third was removed, and its marker remained.
            for name in [orphans[1], orphans[2], try #require(kept.first), ImageFolder.FileID().description] {
                try Data().write(to: URL(filePath: "\(path)-images/unsettled/\(name)"))
            }
            await (try TravelDatabase.open(path: path)).close()
            #expect(try files(path) == kept.union(others))
            #expect(try marks(path) == [])
        }
    }

    @Test("opening a database does not list the image files")
    func openingListsNoFiles() async throws {
        try await withTemporaryFolder { folder in
            let path = try await closedDatabase(in: folder)
            let listed = Mutex<[String]>([])
            let files = InterveningFiles(beforeListing: { folder in listed.withLock { $0.append(folder) } })
            await (try TravelDatabase.open(path: path, imageFiles: files)).close()
            #expect(listed.withLock { $0 } == [path + "-images/unsettled"])
        }
    }

    @Test("without a marker folder, which a loss of power may take, every file is inspected once")
    func sweepingWithoutMarks() async throws {
        try await withTemporaryFolder { folder in
            let path = try await closedDatabase(in: folder)
            let kept = try files(path)
            try FileManager.default.removeItem(atPath: path + "-images/unsettled")
            let (first, second) = (ImageFolder.FileID().description, ImageFolder.FileID().description)
            try Data("?".utf8).write(to: URL(filePath: "\(path)-images/\(first)"))
            try Data("?".utf8).write(to: URL(filePath: "\(path)-images/notes.txt"))
            await (try TravelDatabase.open(path: path)).close()
            #expect(try files(path) == kept.union(["notes.txt"]))
            try Data("?".utf8).write(to: URL(filePath: "\(path)-images/\(second)"))
            await (try TravelDatabase.open(path: path)).close()
            #expect(try files(path) == kept.union(["notes.txt", second]))
        }
    }

    @Test("markers are removed after the change that created them, whether it is committed or rejected")
    func marksGo() async throws {
        try await withDatabase { database, path in
            for change in 0..<ImageStory.count {
                // An edit by someone other than the author, with a new image.
                if change == 1 {
                    await #expect(throws: TravelError.forbidden(.trip(Trip.ID(seed: 1)))) {
                        try await database.trips.update(
                            Trip.ID(seed: 1), by: User.ID(seed: 2), adding: [ImageStory.image(4)]
                        ) { $0 }
                    }
                }
                try await ImageStory.make(change, in: database.trips)
                #expect(try marks(path) == [])
                #expect(try files(path).count == ImageStory.states[change + 1].count)
            }
        }
    }

    @Test("files that could not be removed during another write are removed by the next change")
    func removingWaitsForItsTurn() async throws {
        try await withDatabase { database, path in
            for change in 0..<2 { try await ImageStory.make(change, in: database.trips) }
            var lock = try SystemFiles().lock(path + "-images", isShared: true)
            #expect(lock != nil)
            try await ImageStory.make(2, in: database.trips)
            #expect(try (files(path).count, try #require(try marks(path)).count) == (5, 3))
            lock = nil
            try await ImageStory.make(3, in: database.trips)
            #expect(try (files(path).count, try #require(try marks(path)).count) == (2, 0))
        }
    }

    @Test("no file is removed while another writer is between a file and its row")
    func sweepingWaitsForItsTurn() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let database = try await TravelDatabase.open(path: path)
            try await ImageStory.make(0, in: database.trips)
            let orphan = ImageFolder.FileID().description
            for folder in ["images", "images/unsettled"] {
                try Data("?".utf8).write(to: URL(filePath: "\(path)-\(folder)/\(orphan)"))
            }
            var lock = try SystemFiles().lock(path + "-images", isShared: true)
            #expect(lock != nil)
            await (try TravelDatabase.open(path: path)).close()
            #expect(try files(path).contains(orphan))
            lock = nil
            await database.close()
            await (try TravelDatabase.open(path: path)).close()
            #expect(try !files(path).contains(orphan))
        }
    }

    @Test("an image that is added between the opening of a database and its sweep is kept")
    func imagesThatComeLate() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let writer = try await TravelDatabase.open(path: path)
            try await ImageStory.make(0, in: writer.trips)
            let files = InterveningFiles(beforeSweep: {
                let isDone = DispatchSemaphore(value: 0)
                Task.detached {
                    defer { isDone.signal() }
                    try await ImageStory.make(1, in: writer.trips)
                }
                isDone.wait()
            })
            await (try TravelDatabase.open(path: path, imageFiles: files)).close()
            await writer.close()
            try await ImageStory.expect([ImageStory.states[2]], at: path)
        }
    }

    @Test("other writes go on while the file of an image is written")
    func writesDuringAWriteOfAFile() async throws {
        try await withTemporaryFolder { folder in
            let (isWriting, writes) = AsyncStream.makeStream(of: Void.self)
            let isLiked = DispatchSemaphore(value: 0)
            let files = InterveningFiles(beforeWriting: {
                writes.yield()
                isLiked.wait()
            })
            let database = try await TravelDatabase.open(path: folder + "/db", imageFiles: files)
            let trip = try TripBuilder(seed: 1).build()
            try await database.trips.add([trip])
            async let adding: Void = ImageStory.addImage(9, to: trip, in: database.trips)
            for await _ in isWriting { break }
            try await database.trips.setLiked(true, trip: trip.id, by: trip.author.id)
            isLiked.signal()
            try await adding
            #expect(try await database.trips.image(TripImage.ID(seed: 9), viewer: nil) == ImageStory.image(9))
            await database.close()
        }
    }

    @Test("reads go on while the files of many images are written")
    func readsDuringWritesOfFiles() async throws {
        try await withTemporaryFolder { folder in
            let (isWriting, writes) = AsyncStream.makeStream(of: Void.self)
            let isRead = DispatchSemaphore(value: 0)
            let files = InterveningFiles(beforeWriting: {
                writes.yield()
                // Without a limit, a read that needs the connection of a write would wait for ever.
                if isRead.wait(timeout: .now() + 20) == .timedOut { Issue.record("a read waits for files") }
            })
            let database = try await TravelDatabase.open(path: folder + "/db", imageFiles: files)
            // More writes than the database has connections for reads.
            let trips = try (1...8 as ClosedRange<UInt64>).map { try TripBuilder(seed: $0).build() }
            try await database.trips.add(trips)
            try await withThrowingTaskGroup { group in
                for (index, trip) in trips.enumerated() {
                    group.addTask { try await ImageStory.addImage(UInt64(index + 1), to: trip, in: database.trips) }
                }
                var count = 0
                for await _ in isWriting {
                    count += 1
                    if count == 4 { break }
                }
                #expect(try await database.trips.trip(trips[0].id, viewer: nil).id == trips[0].id)
                for _ in trips { isRead.signal() }
                try await group.waitForAll()
            }
            await database.close()
        }
    }

    @Test("an image of an edit that is cancelled or refused leaves no file", arguments: [true, false])
    func abandonedImages(isCancelled: Bool) async throws {
        try await withTemporaryFolder { folder in
            let (isWriting, writes) = AsyncStream.makeStream(of: Void.self)
            let canGoOn = DispatchSemaphore(value: 0)
            let files = InterveningFiles(beforeWriting: {
                writes.yield()
                canGoOn.wait()
            })
            let database = try await TravelDatabase.open(path: folder + "/db", imageFiles: files)
            let trip = try TripBuilder(seed: 1).build()
            try await database.trips.add([trip])
            let adding = Task { [trips = database.trips] in
                let stranger = isCancelled ? trip.author.id : User.ID(seed: 77)
                try await ImageStory.addImage(9, to: trip, in: trips, by: stranger)
            }
            for await _ in isWriting { break }
            if isCancelled { adding.cancel() }
            canGoOn.signal()
            await #expect(throws: (any Error).self) { try await adding.value }
            await database.close()
            try await ImageStory.expect([[]], at: folder + "/db")
        }
    }

    @Test("writers share the lock, a sweep locks exclusively, and the lock ends with its last reference")
    func locks() async throws {
        try await withTemporaryFolder { folder in
            let files = SystemFiles()
            #expect(try files.lock(folder + "/none", isShared: true) == nil)
            var writers = [try files.lock(folder, isShared: true), try files.lock(folder, isShared: true)]
            #expect(!writers.contains { $0 == nil })
            #expect(try files.lock(folder, isShared: false) == nil)
            writers = []
            let sweeper = try files.lock(folder, isShared: false)
            #expect(sweeper != nil)
            #expect(try files.lock(folder, isShared: false) == nil)
            withExtendedLifetime(sweeper) {}
        }
    }

    @Test("opening a database during writes removes no images")
    func openingWhileWriting() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let database = try await TravelDatabase.open(path: path)
            try await database.trips.add([TripBuilder(seed: 1).build()])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for seed in UInt64(0)..<60 {
                        let image = try TripImage(seed: seed)
                        let entry = try TimelineEntry(
                            id: TimelineEntry.ID(seed: seed % 7), day: 1, time: TimeOfDay(hour: 9),
                            title: Title("Entry"),
                            text: EntryText("Text"), pictures: [Picture(image.id)])
                        try await retrying {
                            try await database.trips.update(
                                Trip.ID(seed: 1), by: User.ID(seed: 1), adding: [image]
                            ) { trip throws(TravelError) in try trip.saving(entry) }
                        }
                        #expect(try await database.trips.image(image.id, viewer: nil) == image)
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<30 { try await retrying { await (try TravelDatabase.open(path: path)).close() } }
                    }
                }
                try await group.waitForAll()
            }
            for entry in try await database.trips.timeline(of: Trip.ID(seed: 1), viewer: nil) {
                _ = try await database.trips.image(try #require(entry.image), viewer: nil)
            }
            await database.close()
            await (try TravelDatabase.open(path: path)).close()
            #expect(try files(path).count == 7)
        }
    }

    @Test("file names are independent of user input and of image IDs")
    func names() async throws {
        try await withDatabase { database, path in
            try await ImageStory.make(0, in: database.trips)
            let names = try files(path)
            #expect(names.allSatisfy { UUID(uuidString: $0)?.uuidString.lowercased() == $0 })
            #expect(names.isDisjoint(with: (UInt64(1)...3).map { TripImage.ID(seed: $0).description }))
        }
    }

    @Test("a database that is opened through a symbolic link uses the image folder of its target")
    func links() async throws {
        try await withTemporaryFolder { folder in
            let (path, link) = (folder + "/db", folder + "/link")
            await (try TravelDatabase.open(path: path)).close()
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            let linked = try await TravelDatabase.open(path: link)
            try await ImageStory.make(0, in: linked.trips)
            await linked.close()
            try await ImageStory.expect([ImageStory.states[1]], at: path)
        }
    }

    @Test("images survive a restart and are visible to a second process")
    func restart() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            await #expect(processExitsWith: .success) { [path = path as String] in
                let database = try await TravelDatabase.open(path: path)
                try await ImageStory.make(0, in: database.trips)
                await database.close()
            }
            try await ImageStory.expect([ImageStory.states[1]], at: path)
        }
    }

    @Test(
        "an image whose file is missing, truncated or replaced is unavailable, with a remedy",
        arguments: [
            (nil, "The file of an image is missing: restore a backup."),
            (4_999, "The file of an image is damaged: restore a backup."),
            (0, "The file of an image is damaged: restore a backup."),
        ])
    func damage(size: Int?, reason: String) async throws {
        try await withDatabase { database, path in
            try await ImageStory.make(0, in: database.trips)
            for name in try files(path) {
                let file = URL(filePath: "\(path)-images/\(name)")
                if let size {
                    try Data(contentsOf: file).prefix(size).write(to: file)
                } else {
                    try FileManager.default.removeItem(at: file)
                }
            }
            await #expect(throws: TravelError.unavailable(.init(reason, cause: .damaged, canRetry: false))) {
                try await database.trips.image(TripImage.ID(seed: 1), viewer: nil)
            }
        }
    }

    @Test("a change fails and is rolled back if the image folder cannot be created")
    func noRoom() async throws {
        try await withDatabase { database, path in
            try Data().write(to: URL(filePath: path + "-images"))
            await #expect {
                try await ImageStory.make(0, in: database.trips)
            } throws: { error in
                if case TravelError.unavailable? = error as? TravelError { true } else { false }
            }
            #expect(try await database.trips.search(TripQuery(TripCriteria(), viewer: nil)).trips == [])
        }
    }

    @Test("the images of a temporary database are removed with it")
    func temporary() async throws {
        let database = try await TravelDatabase.temporary()
        try await ImageStory.make(0, in: database.trips)
        #expect(try await database.trips.image(TripImage.ID(seed: 1), viewer: nil) == ImageStory.image(1))
        let path = database.trips.imageFolder.path
        #expect(try SystemFiles().names(in: path)?.count == 3 + 1)
        await database.close()
        #expect(try SystemFiles().names(in: path) == nil)
    }

    @Test("a temporary folder does not wait for the disk, another waits for every file and folder")
    func waits() async throws {
        for isTemporary in [true, false] {
            try await withTemporaryFolder { parent in
                let files = ScriptedFiles()
                let folder = ImageFolder(path: parent + "/images", isTemporary: isTemporary, files: files)
                var write = ImageWrite()
                try folder.add([ImageStory.image(1)], &write)
                // Two folders, the marker and the image are made. The parent, the markers, the image and the folder are
                // waited for.
                #expect(files.calls == (isTemporary ? 4 : 8))
            }
        }
    }
}

/// Repeats `body` while the database is busy, which can happen if many tasks wait for few processors.
private func retrying(_ body: () async throws -> Void) async throws {
    while true {
        try Task.checkCancellation()
        do {
            return try await body()
        } catch TravelError.unavailable(let outage) where outage.canRetry {
            continue
        }
    }
}
