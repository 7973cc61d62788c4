import Foundation
import Testing
import TestConcurrency
@testable import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite
import TravelDomainTesting

@Suite("An outbox in a folder", .limitedConcurrency)
struct FileOutboxTests {
    @Test("items are read in the order of their numbers, by a later outbox too")
    func order() async throws {
        try await withFolder { folder in
            do {
                let outbox = try FileOutbox(folder: folder)
                for number in [10, 9, 1, 100] { try await outbox.save(item(number)) }
                try await outbox.save(OutboxItem(number: 9, bytes: Data("new".utf8)))
                try await outbox.remove(1)
                try await outbox.remove(1)
            }
            let items = try await FileOutbox(folder: folder).items()
            #expect(items == [OutboxItem(number: 9, bytes: Data("new".utf8)), item(10), item(100)])
        }
    }

    @Test("a relative path belongs to the current directory of the moment of opening")
    func relativePath() async {
        // In a process of its own, since a process has one current directory.
        await #expect(processExitsWith: .success) {
            try await withFolder { folder in
                for name in ["one", "two"] {
                    try FileManager.default.createDirectory(
                        atPath: folder + "/" + name, withIntermediateDirectories: false)
                }
                #expect(FileManager.default.changeCurrentDirectoryPath(folder + "/one"))
                let outbox = try FileOutbox(folder: "outbox")
                #expect(FileManager.default.changeCurrentDirectoryPath(folder + "/two"))
                try await outbox.save(OutboxItem(number: 1, bytes: Data("1".utf8)))
                try await outbox.save(OutboxItem(number: 2, bytes: Data("2".utf8)))
                try await outbox.remove(1)
                #expect(try await outbox.items().map(\.number) == [2])
                #expect(FileManager.default.fileExists(atPath: folder + "/one/outbox/2.json"))
                #expect(!FileManager.default.fileExists(atPath: folder + "/two/outbox"))
            }
        }
    }

    @Test("drafts and files of others are ignored")
    func otherFiles() async throws {
        try await withFolder { folder in
            let outbox = try FileOutbox(folder: folder)
            for name in ["draft", "7", "07.json", "-1.json", "0.json", "x.json", ".json"] {
                try Data("{".utf8).write(to: URL(filePath: folder + "/" + name))
            }
            #expect(try await outbox.items() == [])
        }
    }

    @Test("a folder, a pipe and a number at the limit do not hide the other items")
    func foreignItems() async throws {
        try await withFolder { folder in
            let outbox = try FileOutbox(folder: folder)
            try FileManager.default.createDirectory(atPath: folder + "/3.json", withIntermediateDirectories: false)
            #expect(mkfifo(folder + "/4.json", 0o600) == 0)
            for name in ["\(Int.max).json", "9223372036854775808.json"] {
                try Data().write(to: URL(filePath: folder + "/" + name))
            }
            try await outbox.save(item(5))
            #expect(
                try await outbox.items() == [
                    OutboxItem(number: 3, bytes: Data()), OutboxItem(number: 4, bytes: Data()), item(5),
                ])
        }
    }

    @Test("an item that is empty, cut or garbage is set aside and named, and the others are read, sent and written")
    func damagedItems() async throws {
        try await withFolder { folder in
            do {
                let first = try await open(InMemoryTripRepository(), FileOutbox(folder: folder))
                for seed in UInt64(1)...4 { try await first.add([TripBuilder(seed: seed).build()]) }
            }
            func path(_ number: Int) -> URL { URL(filePath: folder + "/\(number).json") }
            try Data(contentsOf: path(1)).prefix(40).write(to: path(1))
            try Data().write(to: path(2))
            try Data([0xFF, 0x00, 0x7B]).write(to: path(4))
            try Data("{\"kind\":\"paint\"}".utf8).write(to: path(7))
            let local = InMemoryTripRepository()
            let damaged = [1, 2, 4, 7]
            do {
                let second = try await open(local, FileOutbox(folder: folder))
                let status = await second.status()
                #expect(status.damagedItems == damaged && status.pendingWrites == 1)
                _ = try await second.trip(Trip.ID(seed: 3), viewer: nil)
                try await second.add([TripBuilder(seed: 5).build()])
            }
            let outbox = try FileOutbox(folder: folder)
            #expect(try await outbox.items().map(\.number) == [1, 2, 3, 4, 7, 8])
            for number in damaged { try await outbox.remove(number) }
            #expect(try await open(local, outbox).status().damagedItems == [])
        }
    }

    @Test("a write after the item with the largest number there is fails and changes nothing")
    func largestNumber() async throws {
        let (outbox, local) = (InMemoryOutbox(), InMemoryTripRepository())
        try await outbox.save(OutboxItem(number: .max, bytes: Data()))
        let trips = try await open(local, outbox)
        await #expect(throws: TravelError.self) { try await trips.add([TripBuilder(seed: 1).build()]) }
        #expect(try await outbox.items().count == 1)
        #expect(try await local.knowledge(of: Trip.ID(seed: 1)) == .unknown)
    }

    @Test("a write after the file with the largest number there is fails and changes nothing")
    func largestFile() async throws {
        try await withFolder { folder in
            try Data().write(to: URL(filePath: folder + "/999999999999999.json"))
            let outbox = try FileOutbox(folder: folder)
            let trips = try await open(InMemoryTripRepository(), outbox)
            await #expect(throws: TravelError.self) { try await trips.add([TripBuilder(seed: 1).build()]) }
            #expect(try await outbox.items().map(\.number) == [999_999_999_999_999])
        }
    }

    @Test("a second outbox in the same folder is refused until the first is released")
    func isLocked() async throws {
        try await withFolder { folder in
            do {
                let outbox = try FileOutbox(folder: folder)
                let error = TravelError.unavailable(
                    .init("The outbox is in use by another process.", cause: .busy, canRetry: true))
                #expect(throws: error) { try FileOutbox(folder: folder) }
                #expect(try await outbox.items() == [])
            }
            _ = try FileOutbox(folder: folder)
        }
    }

    @Test("a process that is being started does not keep the lock of an outbox that is released")
    func inheritedLock() async throws {
        try await withFolder { folder in
            var outbox: FileOutbox? = try FileOutbox(folder: folder)
            var (this, other) = (stat(), stat())
            try #require(stat(folder, &this) == 0)
            // What a child has between fork and exec.
            let copies = (3..<Int32(256))
                .filter { fstat($0, &other) == 0 && (other.st_dev, other.st_ino) == (this.st_dev, this.st_ino) }
                .map { dup($0) }
            defer { for copy in copies { _ = close(copy) } }
            try #require(!copies.isEmpty && outbox != nil)
            outbox = nil
            _ = try FileOutbox(folder: folder)
        }
    }

    @Test("a folder that cannot be created is unavailable")
    func missingFolder() {
        #expect(throws: TravelError.self) { try FileOutbox(folder: "/nowhere/outbox") }
    }

    @Test("writes that were stored, but not applied when the process ended, are applied at the next start")
    func replays() async throws {
        let outbox = InMemoryOutbox()
        let first = try await open(InMemoryTripRepository(), outbox)
        let image = try TripImage(seed: 1)
        let trip = try TripBuilder(seed: 1).with { $0.thumbnail = image.id }.build()
        try await first.add([trip], images: [image])
        try await first.add([TripBuilder(seed: 2).build()])
        try await first.update(Trip.ID(seed: 1), by: User.ID(seed: 1)) { trip throws(TravelError) in
            var content = trip.content
            content.title = try Title("바다")
            return try trip.with(content)
        }
        try await first.setLiked(true, trip: trip.id, by: User.ID(seed: 2))
        try await first.update(Trip.ID(seed: 2), by: User.ID(seed: 2)) { _ in nil }
        try await first.rename(User.ID(seed: 1), to: Nickname("Mina"), by: User.ID(seed: 1))
        // A local store that has applied nothing, and one that has applied everything.
        let empty = InMemoryTripRepository()
        for local in [empty, empty] {
            let second = try await open(local, outbox)
            let shown = try await local.trip(trip.id, viewer: User.ID(seed: 2))
            #expect(shown.title.text == "바다" && shown.likeCount == 1 && shown.isLiked && shown.version.number == 2)
            #expect(shown.author.nickname.text == "Mina")
            #expect(try await local.image(image.id, viewer: nil) == image)
            #expect(try await local.knowledge(of: Trip.ID(seed: 2)) == .unknown)
            #expect(await second.status().pendingWrites == 6)
        }
    }

    @Test("after a process was killed at any time, every write that had returned waits in the outbox and is applied")
    func killedAtRandom() async throws {
        let rounds = ProcessInfo.processInfo.environment["TRAVEL_KILLS"].flatMap(Int.init) ?? 2
        try await withFolder { folder in
            for round in 1...rounds {
                // Created here: the process may be killed before its first note.
                try Data().write(to: URL(filePath: folder + "/returned"))
                await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, round = round as Int] in
                    try await Self.writeUntilKilled(folder, round: round)
                }
                let returned = try String(contentsOfFile: folder + "/returned", encoding: .utf8)
                    .split(separator: "\n").compactMap { UInt64($0) }
                let database = try await TravelDatabase.open(path: folder + "/db")
                let outbox = try FileOutbox(folder: folder + "/outbox")
                let trips = try await Self.open(database.trips, outbox)
                // The local store, to which opening applies pending changes: offline, an empty one has no answer to a
                // search.
                let waiting = Set(
                    try await database.trips.search(TripQuery(TripCriteria(), viewer: nil, limit: 100))
                        .trips.map(\.id))
                #expect(try await outbox.items().count >= returned.count)
                for seed in returned.suffix(20) { #expect(waiting.contains(Trip.ID(seed: seed))) }
                #expect(await trips.status().pendingWrites == (try await outbox.items().count))
                await database.close()
            }
        }
    }

    /// Adds trips until the process is killed, in the first round at once, and notes each that was added.
    private static func writeUntilKilled(_ folder: String, round: Int) async throws {
        let database = try await TravelDatabase.open(path: folder + "/db")
        let trips = try await open(database.trips, FileOutbox(folder: folder + "/outbox"))
        var random = SeededGenerator(seed: UInt64(round))
        let delay = round == 1 ? 0 : UInt32.random(in: 0..<40_000, using: &random)
        let notes = try #require(FileHandle(forWritingAtPath: folder + "/returned"))
        let first = try await database.trips.search(TripQuery(TripCriteria(), viewer: nil, limit: 1)).trips
            .first
        let start = first.map { UInt64($0.createdAt.timeIntervalSinceReferenceDate - 757_382_400) } ?? 0
        Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        for seed in (start + 1)... {
            try await trips.add([TripBuilder(seed: seed, author: User(seed: 1)).build()])
            try notes.write(contentsOf: Data("\(seed)\n".utf8))
        }
    }

    /// Opens a repository whose remote store never answers.
    private static func open(
        _ local: any TravelStore & TripCache, _ outbox: any Outbox
    ) async throws -> CachedTripRepository {
        let network = Network(seed: 1, clock: ContinuousClock())
        network.quality = .offline
        return try await CachedTripRepository.open(
            local: local, remote: RemoteStore(base: InMemoryTripRepository(), network: network),
            outbox: outbox, now: { Date() })
    }

    private func open(
        _ local: any TravelStore & TripCache, _ outbox: any Outbox
    ) async throws -> CachedTripRepository {
        try await Self.open(local, outbox)
    }

    private func item(_ number: Int) -> OutboxItem { OutboxItem(number: number, bytes: Data("\(number)".utf8)) }
}

@Suite("The file format of the outbox", .limitedConcurrency)
struct StoredWriteTests {
    @Test(
        "every kind of write, and every conflict, is read as it was written", arguments: 1...10 as ClosedRange<UInt64>)
    func roundTrips(seed: UInt64) throws {
        for write in try writes(seed: seed) {
            let waiting = QueuedWrite(number: 3, write: write)
            #expect(try read(waiting.item()).write == write)
            #expect(try read(waiting.item()).conflict == nil)
            let later = TripConflict.Reason(rawValue: "reasonOfALaterVersion")
            let refusals: [(TripConflict.Reason, RecordedTrip?)] = [
                (.outdated, try TripBuilder(seed: 4).build()), (.refused, nil), (later, nil),
            ]
            for (reason, theirs) in refusals {
                let conflict = TripConflict(id: 3, wanted: write, reason: reason, theirs: theirs)
                let refused = try read(QueuedWrite(number: 3, write: write, conflict: conflict).item())
                #expect(refused.write == write && refused.conflict == conflict)
            }
        }
    }

    @Test("times at the ends of the range are exact")
    func extremeTimes() throws {
        for time in [Double.infinity, -.infinity, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 1.1] {
            let trip = try TripBuilder(seed: 1).with { $0.createdAt = Date(timeIntervalSinceReferenceDate: time) }
            let write = TripWrite.add([try trip.build()], images: [])
            #expect(try read(QueuedWrite(number: 1, write: write).item()).write == write)
        }
    }

    @Test(
        "an item that is damaged or from a later version is not read",
        arguments: [
            "", "{}", "[1]", #"{"kind":"teleport"}"#, #"{"kind":"remove"}"#, #"{"kind":"addUser","nickname":"x"}"#,
        ])
    func damagedItems(text: String) {
        #expect(OutboxRecord(OutboxItem(number: 12, bytes: Data(text.utf8))) == nil)
    }

    @Test("a trip that has vanished is read as it was written, and is no write")
    func vanishedTrips() throws {
        let (trip, image) = (try TripBuilder(seed: 1).build(), try TripImage(seed: 1))
        let vanished = VanishedTrip(number: 4, trip: trip)
        let item = try OutboxItem(4, StoredWrite(vanished, images: [image]))
        guard case .vanished(let read, let images) = OutboxRecord(item) else {
            Issue.record("the item was not read")
            return
        }
        #expect(read == vanished && images == [image])
    }

    private func read(_ item: OutboxItem) throws -> QueuedWrite {
        guard case .write(let write) = OutboxRecord(item) else { throw UnknownValue() }
        return write
    }

    private func writes(seed: UInt64) throws -> [TripWrite] {
        var samples = TripGenerator(seed: seed)
        let (a, b) = (try samples.user(), try samples.user())
        let images = [try samples.image(), try samples.image()]
        var trips = try samples.trips(5, by: [a, b])
        trips[0] = try trips[0].saving(samples.entry(image: images[0].id))
        let (id, version) = (trips[1].id, try #require(TripVersion(number: 7)))
        return [
            .add(trips, images: images), .add([], images: []),
            .update(trips[0], replacing: version, images: images), .remove(id, replacing: version, by: a.id),
            .setLiked(true, id, by: a.id), .setLiked(false, id, by: b.id), .report(id, by: a.id),
            .block(a.id, by: b.id), .unblock(a.id, by: b.id), .addUser(a), .rename(a.id, b.nickname),
            .setAvatar(a.id, nil),
        ]
    }
}
