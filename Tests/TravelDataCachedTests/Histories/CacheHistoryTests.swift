import StreamsTesting
import TestReporting
import TestTurns
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite
import TravelDomainTesting
import TravelHistories

@Suite("Random histories of several devices", .takesTurns)
struct CacheHistoryTests {
    @Test("all devices end with what the remote store has, and no write is lost or has two effects")
    func endsEqual() throws {
        for seed in Histories.seeds { try play(seed: seed, endsAtOutbox: false) }
    }

    @Test(
        "nothing is lost or has two effects, at whatever call of its outbox a process ends",
        arguments: [1...75, 76...150, 151...225, 226...300])
    func endsEqualAfterEndsAtOutbox(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds { try play(seed: seed, endsAtOutbox: true) }
    }

    private func play(seed: UInt64, endsAtOutbox: Bool) throws {
        let scheduler = TestScheduler(resolution: 0.001, seed: seed)
        let clock = scheduler.virtualClock
        do {
            try scheduler.run { try await run(seed: seed, endsAtOutbox: endsAtOutbox, clock: clock) }
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
        scheduler.expectIdle()
    }

    private func run(seed: UInt64, endsAtOutbox: Bool, clock: VirtualClock) async throws {
        // A device of each user has the other kind of local store.
        let databases =
            seed.isMultiple(of: 4)
            ? [1: try await TravelDatabase.temporaryInline(), 3: try await TravelDatabase.temporaryInline()] : [:]
        let world = try await NetworkWorld(
            seed: seed, endsAtOutbox: endsAtOutbox, clock: clock, locals: databases.mapValues(\.trips))
        var history = History(seed: seed, in: world)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in world.devices { group.addTask { await device.run() } }
            try await history.run(steps: 40)
            try await history.expectEqualStores()
            try await history.expectNothingLost()
            history.expectUniqueVersions()
            for device in world.devices { await device.finish() }
        }
        for database in databases.values { await database.close() }
    }
}

/// Two devices of each of two people over a store in memory, with a poor network, offline phases and killed processes, in
/// virtual time.
private struct NetworkWorld: HistoryWorld {
    let devices: [Device]
    let remote: any TravelStore
    let log = RemoteLog()
    private let clock: VirtualClock
    /// Whether processes end at calls of their outboxes.
    private let endsAtOutbox: Bool

    /// Creates devices with these local stores; a device without one has a store in memory.
    init(
        seed: UInt64, endsAtOutbox: Bool, clock: VirtualClock, locals: [Int: any TravelStore & TripCache]
    ) async throws {
        self.endsAtOutbox = endsAtOutbox
        let remote = InMemoryTripRepository()
        for user in UInt64(1)...2 { try await remote.add(User(seed: user)) }
        (self.remote, self.clock) = (remote, clock)
        devices = [1, 1, 2, 2].enumerated().map { [log] index, user in
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
        switch Int.random(in: 0...8, using: &random) {
        case 0...1: device.network.quality = .offline
        case 2...4: device.network.quality = Bool.random(using: &random) ? .perfect : .poor
        case 5: await device.kill()
        default: try await clock.sleep(for: .milliseconds(Int.random(in: 1...5_000, using: &random)))
        }
    }

    func calm() async throws {
        for device in devices {
            device.network.quality = .perfect
            await device.end(at: nil)
        }
    }
}
