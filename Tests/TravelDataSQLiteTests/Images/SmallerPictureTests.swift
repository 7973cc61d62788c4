import Foundation
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Smaller pictures beside the images of a file", .limitedConcurrency)
struct SmallerPictureTests {
    private static let small = Data(repeating: 7, count: 20_000)

    /// The names of the smaller pictures.
    private func kept(_ path: String) throws -> [String] {
        try SystemFiles().names(in: path + "-images/sizes") ?? []
    }

    private func marks(_ path: String) throws -> [String] {
        try SystemFiles().names(in: path + "-images/unsettled") ?? []
    }

    /// Creates a database with the images 1, 2 and 3, each with both smaller pictures.
    private func makeDatabase(at path: String, files: any FileAccess = SystemFiles()) async throws -> TravelDatabase {
        let database = try await TravelDatabase.open(path: path, imageFiles: files)
        try await ImageStory.make(0, in: database.trips)
        for seed in UInt64(1)...3 {
            for size in PictureSize.allCases {
                try await database.trips.keep(Self.small, of: ImageStory.image(seed), in: size)
            }
        }
        return database
    }

    private func picture(_ seed: UInt64, in database: TravelDatabase) async throws -> StoredPicture {
        try await database.trips.picture(TripImage.ID(seed: seed), in: .small, viewer: nil)
    }

    @Test("are files that go with their images, also when another process removes these, and survive a restart")
    func files() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let database = try await makeDatabase(at: path)
            #expect(try kept(path).count == 6 && marks(path) == [])
            let other = try await TravelDatabase.open(path: path)
            #expect(try await picture(3, in: other) == .kept(Self.small))
            for (change, count) in [(1, 6), (2, 4), (3, 2), (4, 2), (5, 0)] {
                try await ImageStory.make(change, in: change.isMultiple(of: 2) ? database.trips : other.trips)
                #expect(try kept(path).count == count, "change \(change)")
            }
            await database.close()
            await other.close()
        }
    }

    @Test("two processes that keep the same picture at once leave one, as a whole")
    func twoProcesses() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let first = try await TravelDatabase.open(path: path)
            try await ImageStory.make(0, in: first.trips)
            let second = try await TravelDatabase.open(path: path)
            let image = try ImageStory.image(1)
            let pictures = (UInt8(0)..<20).map { Data(repeating: $0, count: 50_000) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, picture) in pictures.enumerated() {
                    let trips = index.isMultiple(of: 2) ? first.trips : second.trips
                    group.addTask { try await trips.keep(picture, of: image, in: .middle) }
                }
                try await group.waitForAll()
            }
            let stored = try await second.trips.picture(image.id, in: .middle, viewer: nil)
            #expect(pictures.map(StoredPicture.kept).contains(stored))
            #expect(try kept(path).count == 1 && marks(path) == [])
            await first.close()
            await second.close()
        }
    }

    @Test("at every fault of the disk, a picture is kept as a whole or not at all, and the images stay")
    func faults() async throws {
        for accident in [ScriptedFiles.Accident.fails, .failsOnce, .failsHalfway] {
            var isThrough = false
            for call in 1...20 where !isThrough {
                try await withTemporaryFolder { folder in
                    let path = folder + "/db"
                    let database = try await TravelDatabase.open(path: path)
                    try await ImageStory.make(0, in: database.trips)
                    await database.close()
                    let files = ScriptedFiles(accident, at: call)
                    let faulty = try await TravelDatabase.open(path: path, imageFiles: files)
                    let image = try ImageStory.image(1)
                    do {
                        try await faulty.trips.keep(Self.small, of: image, in: .small)
                        isThrough = files.calls < call
                        #expect(try await picture(1, in: faulty) == .kept(Self.small))
                    } catch let error as TravelError {
                        #expect(error == ScriptedFiles.fault)
                        #expect(try await picture(1, in: faulty) == .original(image, isMine: false))
                    }
                    await faulty.close()
                    // The next process removes what is left of it.
                    let next = try await TravelDatabase.open(path: path)
                    #expect(try marks(path) == [])
                    try await next.trips.keep(Self.small, of: image, in: .small)
                    #expect(try await picture(1, in: next) == .kept(Self.small) && kept(path).count == 1)
                    await next.close()
                    try await ImageStory.expect([ImageStory.states[1]], at: path)
                }
            }
            #expect(isThrough, "\(accident)")
        }
    }

    @Test("a picture that is kept while its image is removed goes with it")
    func removedMeanwhile() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let other = try await TravelDatabase.open(path: path)
            try await ImageStory.make(0, in: other.trips)
            let isFirst = Atomic(true)
            // Another process removes the image after its row was found, and before the picture is written.
            let database = try await TravelDatabase.open(
                path: path,
                imageFiles: InterveningFiles(beforeWriting: {
                    guard isFirst.exchange(false, ordering: .relaxed) else { return }
                    waiting {
                        for change in 1..<ImageStory.count { try await ImageStory.make(change, in: other.trips) }
                    }
                }))
            try await database.trips.keep(Self.small, of: ImageStory.image(1), in: .small)
            let wasRemoved = !isFirst.load(ordering: .relaxed)
            #expect(wasRemoved)
            #expect(try kept(path) == [] && marks(path) == [] && ImageStory.files(at: path) == [])
            await database.close()
            await other.close()
        }
    }

    @Test("a copy has none, and makes its own; a folder that lost them is as good")
    func backup() async throws {
        try await withTemporaryFolder { folder in
            let database = try await makeDatabase(at: folder + "/db")
            try await database.backup(to: folder + "/copy")
            let copy = try await TravelDatabase.open(path: folder + "/copy")
            try FileManager.default.removeItem(atPath: folder + "/db-images/sizes")
            let image = try ImageStory.image(1)
            for database in [database, copy] {
                #expect(try await picture(1, in: database) == .original(image, isMine: false))
                try await database.trips.keep(Self.small, of: image, in: .small)
                #expect(try await picture(1, in: database) == .kept(Self.small))
                #expect(try await database.checkup().problems == [])
                await database.close()
            }
            #expect(try kept(folder + "/copy").count == 1)
        }
    }

    @Test("those of a temporary database are removed with it")
    func temporary() async throws {
        let database = try await TravelDatabase.temporary()
        try await ImageStory.make(0, in: database.trips)
        try await database.trips.keep(Self.small, of: ImageStory.image(1), in: .small)
        #expect(try await picture(1, in: database) == .kept(Self.small))
        let path = database.trips.imageFolder.path
        await database.close()
        #expect(try SystemFiles().names(in: path) == nil)
    }

    @Test("an image that is missing or damaged has no picture that hides it from a checkup")
    func damage() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/db"
            let database = try await makeDatabase(at: path)
            for name in try ImageStory.files(at: path) {
                try FileManager.default.removeItem(atPath: "\(path)-images/\(name)")
            }
            #expect(try await database.checkup().missingImages == 3)
            // Pages still have what there is.
            #expect(try await picture(1, in: database) == .kept(Self.small))
            await #expect(throws: TravelError.self) {
                try await database.trips.picture(TripImage.ID(seed: 1), in: nil, viewer: nil)
            }
            await database.close()
        }
    }
}
