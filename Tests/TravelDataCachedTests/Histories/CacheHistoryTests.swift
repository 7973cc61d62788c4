import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite
import TravelDomainTesting
import TravelHistories

@Suite("Random histories of several devices", .limitedConcurrency)
struct CacheHistoryTests {
    @Test("all devices end with what the remote store has, and no write is lost or has two effects")
    func endsEqual() throws {
        for seed in Histories.seeds { try play(seed: seed, endsAtOutbox: false) }
    }

    @Test(
        "nothing is lost or has two effects, at whatever call of its outbox a process ends",
        arguments: Histories.parts(of: 300))
    func endsEqualAfterEndsAtOutbox(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds { try play(seed: seed, endsAtOutbox: true) }
    }

    @Test(
        "nothing is lost, and nothing in silence, with refusals for good, taken identities and restored backups",
        arguments: Histories.parts(of: 300))
    func endsEqualInHarshWorld(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds { try play(seed: seed, endsAtOutbox: seed.isMultiple(of: 2), isHarsh: true) }
    }

    @Test("a device that takes what a restored backup has without a word is noticed")
    func noticesSilence() {
        withKnownIssue {
            for seed in UInt64(1)...20 {
                try play(seed: seed, endsAtOutbox: false, isHarsh: true, isSilent: true)
            }
        }
    }

    private func play(seed: UInt64, endsAtOutbox: Bool, isHarsh: Bool = false, isSilent: Bool = false) throws {
        let scheduler = TestScheduler(resolution: 0.001, seed: seed)
        let clock = scheduler.virtualClock
        do {
            try scheduler.run {
                try await run(
                    seed: seed, endsAtOutbox: endsAtOutbox, isHarsh: isHarsh, isSilent: isSilent,
                    clock: clock)
            }
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
        scheduler.expectIdle()
    }

    private func run(
        seed: UInt64, endsAtOutbox: Bool, isHarsh: Bool, isSilent: Bool, clock: VirtualClock
    ) async throws {
        // A device of each user has the other kind of local store.
        let databases =
            seed.isMultiple(of: 4)
            ? [1: try await TravelDatabase.temporaryInline(), 3: try await TravelDatabase.temporaryInline()] : [:]
        let world = try await NetworkWorld(
            seed: seed, endsAtOutbox: endsAtOutbox, isHarsh: isHarsh, isSilent: isSilent, clock: clock,
            locals: databases.mapValues(\.trips))
        var history = History(seed: seed, in: world)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in world.devices { group.addTask { await device.run() } }
            try await history.run(steps: isHarsh ? 60 : 40)
            try await history.expectEqualStores()
            try await history.expectNothingLost()
            history.expectUniqueVersions()
            for device in world.devices { await device.finish() }
        }
        for database in databases.values { await database.close() }
    }
}

/// Two devices of each of two people, or three in a harsh world, over a store in memory, with a poor network, offline phases and killed processes, in
/// virtual time.
private struct NetworkWorld: HistoryWorld {
    let devices: [Device]
    let remote: any TravelStore
    let log = RemoteLog()
    let isHarsh: Bool
    let isSilent: Bool
    private let clock: VirtualClock
    private let backups: Backups
    /// The titles that the server never takes, and why.
    private let refusedTitles: [String: TravelError]
    /// Whether it takes them in the end.
    private let givesIn: Bool
    /// Whether processes end at calls of their outboxes.
    private let endsAtOutbox: Bool

    /// Creates devices with these local stores; a device without one has a store in memory.
    init(
        seed: UInt64, endsAtOutbox: Bool, isHarsh: Bool, isSilent: Bool, clock: VirtualClock,
        locals: [Int: any TravelStore & TripCache]
    ) async throws {
        (self.endsAtOutbox, self.isHarsh, self.isSilent) = (endsAtOutbox, isHarsh, isSilent)
        let remote = InMemoryTripRepository()
        for user in UInt64(1)...3 { try await remote.add(User(seed: user)) }
        (self.remote, self.clock) = (remote, clock)
        backups = Backups(of: remote, log: log)
        givesIn = !seed.isMultiple(of: 3)
        refusedTitles = isHarsh ? Self.refusals(seed: seed) : [:]
        devices = (isHarsh ? [1, 1, 2] : [1, 1, 2, 2]).enumerated().map { [log] index, user in
            Device(
                of: User.ID(seed: user), local: locals[index] ?? InMemoryTripRepository(),
                remote: LoggedStore(remote, in: log), remoteTimeout: index == 2 ? .milliseconds(300) : nil,
                seed: seed &* 31 &+ UInt64(index), clock: clock)
        }
    }

    func disturb(_ device: Device, _ random: inout SeededGenerator) async throws {
        if endsAtOutbox, Int.random(in: 0...1, using: &random) == 0 {
            await device.end(
                at: .init(call: Int.random(in: 0...7, using: &random), isAfter: Bool.random(using: &random)))
        }
        switch Int.random(in: 0...(isHarsh ? 11 : 8), using: &random) {
        case 0...1: device.network.quality = .offline
        case 2...4: device.network.quality = harsh(Bool.random(using: &random) ? .perfect : .poor)
        case 5: await device.kill()
        case 9...10: try await backups.make()
        case 11: try await restore(Int.random(in: 0...1, using: &random))
        default: try await clock.sleep(for: .milliseconds(Int.random(in: 1...5_000, using: &random)))
        }
    }

    func calm() async throws {
        for device in devices {
            device.network.quality = .perfect
            if !givesIn { device.network.quality.refusedTitles = refusedTitles }
            await device.end(at: nil)
        }
    }

    /// The quality with the refusals of the server, and with people who take the IDs of others.
    private func harsh(_ quality: Network.Quality) -> Network.Quality {
        var quality = quality
        if isHarsh { (quality.refusedTitles, quality.taken) = (refusedTitles, 10) }
        return quality
    }

    /// Returns the remote store to a backup, while nobody reaches it.
    private func restore(_ age: Int) async throws {
        let qualities = devices.map(\.network.quality)
        for device in devices { device.network.quality = .offline }
        try await backups.restore(age)
        for (device, quality) in zip(devices, qualities) { device.network.quality = quality }
    }

    private static func refusals(seed: UInt64) -> [String: TravelError] {
        let errors: [TravelError] = [
            .unavailable(.init("The body is too large.", cause: .requestTooLarge, canRetry: false)),
            .unavailable(.init("Pay first.", cause: .requestRefused, canRetry: false)),
            .forbidden(.trip(World.trip)), .invalid(Violation(.title, .empty)), .wrongCredentials,
        ]
        let numbers = (1...400).filter { $0 % 6 == Int(seed % 6) }
        return Dictionary(uniqueKeysWithValues: numbers.map { ("\($0)", errors[$0 % errors.count]) })
    }
}

/// Backups of the trips of a remote store.
private actor Backups {
    private struct Backup {
        var trips: [Trip.ID: RecordedTrip] = [:]
        var images: [TripImage.ID: TripImage] = [:]
    }

    private let store: InMemoryTripRepository
    private let log: RemoteLog
    private var backups = [Backup()]

    init(of store: InMemoryTripRepository, log: RemoteLog) {
        (self.store, self.log) = (store, log)
    }

    func make() async throws { backups.append(try await backup()) }

    /// What the store has at one moment: of a trip that is changed in between, an image may be gone.
    private func backup() async throws -> Backup {
        while true {
            do { return try await currentTrips() } catch TravelError.notFound(.image) {}
        }
    }

    private func currentTrips() async throws -> Backup {
        var backup = Backup()
        for user in UInt64(1)...2 {
            let author = User.ID(seed: user)
            let query = try TripQuery(TripCriteria(author: author), viewer: author, limit: 100)
            for found in try await store.search(query).trips {
                guard case .complete(let trip) = try await store.knowledge(of: found.id) else { continue }
                backup.trips[trip.id] = trip
                for image in trip.images { backup.images[image] = try await store.image(image, viewer: author) }
            }
        }
        return backup
    }

    /// Returns the store to the last backup, or to one that is so many backups older.
    func restore(_ age: Int) async throws {
        let then = backups[max(backups.count - 1 - age, 0)]
        let now = try await backup()
        var log = (before: [Trip.ID: RecordedTrip](), after: [Trip.ID: RecordedTrip]())
        let changed = Set(now.trips.keys).union(then.trips.keys).filter {
            let (before, after) = (now.trips[$0], then.trips[$0])
            return before?.version != after?.version || before?.content != after?.content
                || before?.timeline != after?.timeline
        }
        for id in changed.sorted() { log.before[id] = now.trips[id] }
        // As if they had never been there, so that anybody may use their IDs.
        var lost = FetchedTrips(viewer: nil)
        lost.missingTrips = changed
        try await store.store(lost)
        for id in changed.sorted() {
            guard let trip = then.trips[id] else { continue }
            let images = trip.images.compactMap { then.images[$0] }
            // Someone else may have its ID by now.
            do { try await store.add([trip], images: images) } catch is TravelError { continue }
            log.after[id] = trip
        }
        self.log.recordRestore(before: log.before, after: log.after)
    }
}
