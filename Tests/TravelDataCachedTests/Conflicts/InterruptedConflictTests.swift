import StreamsTesting
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite
import TravelDomainTesting

@Suite("Conflicts that the end of the process interrupts", .limitedConcurrency)
struct InterruptedConflictTests {
    /// What the device does while someone else does something that makes it a conflict.
    enum Story: CaseIterable, Sendable {
        case oneEdit, severalEdits, removal, editOfRemovedTrip, newTripWithTakenID, severalNewTrips
    }

    @Test(
        "the user's choice is what both stores have, at whatever call of the outbox the process has ended",
        arguments: LocalStore.allCases, Story.allCases)
    func choiceSurvives(store: LocalStore, story: Story) throws {
        for choice in [TripConflict.Resolution.takeTheirs, .keepMine] {
            var call = 0
            var isReached = true
            while isReached {
                for isAfter in [false, true] {
                    let end = EndingProcess.End(call: call, isAfter: isAfter)
                    isReached = try run(story, choice, store, end)
                }
                call += 1
            }
            #expect(call > 3)
        }
    }

    /// Runs a story to its end in two processes, and returns whether the first one has reached its end.
    private func run(
        _ story: Story, _ choice: TripConflict.Resolution, _ store: LocalStore, _ end: EndingProcess.End
    ) throws -> Bool {
        let comment = Comment(rawValue: "\(store) \(story) \(choice) \(end)")
        let scheduler = TestScheduler(resolution: 0.001)
        let clock = scheduler.virtualClock
        let isReached = try scheduler.run {
            let database = store == .sqlite ? try await TravelDatabase.temporaryInline() : nil
            let device = StoryDevice(
                local: database?.trips ?? InMemoryTripRepository(), remote: try await StoryDevice.remote(),
                clock: clock)
            let process = EndingProcess()
            try await device.live(process) { trips in
                try await device.read(with: trips)
                try await device.changeElsewhere(story)
                process.setEnd(end)
                // The end of the process fails whatever it does.
                do {
                    try await device.write(story, with: trips)
                    try await device.decide(choice, with: trips)
                } catch let error as TravelError { #expect(error == EndingProcess.ended, comment) }
            }
            try await device.live(EndingProcess()) { trips in
                try await device.decide(choice, with: trips)
                try await device.expectEqualStores(trips, comment)
                if choice == .takeTheirs { try await device.expectNothingOfMine(story, comment) }
                try await device.editRegion(with: trips, comment)
            }
            await database?.close()
            return process.hasEnded
        }
        scheduler.expectIdle()
        return isReached
    }
}

/// A device of the author of a trip, whose processes come one after the other.
private struct StoryDevice: Sendable {
    let local: any TravelStore & TripCache
    let remote: any TravelStore
    let clock: VirtualClock
    private let outbox = InMemoryOutbox()

    private static let added = Trip.ID(seed: 7)

    init(local: any TravelStore & TripCache, remote: any TravelStore, clock: VirtualClock) {
        (self.local, self.remote, self.clock) = (local, remote, clock)
    }

    static func remote() async throws -> any TravelStore {
        let remote = InMemoryTripRepository()
        try await remote.add(User(seed: 2))
        try await remote.add([TripBuilder(seed: 1).build(), TripBuilder(seed: 3, author: User(seed: 2)).build()])
        return remote
    }

    func live(_ process: EndingProcess, _ body: (CachedTripRepository) async throws -> Void) async throws {
        let trips = try await CachedTripRepository.open(
            local: process.local(local), remote: process.remote(remote), outbox: process.outbox(outbox),
            owner: World.author, clock: clock, now: { World.now })
        try await withThrowingTaskGroup { group in
            group.addTask { await trips.run() }
            defer { group.cancelAll() }
            try await body(trips)
        }
    }

    private func query() throws -> TripQuery { try TripQuery(TripCriteria(), viewer: World.author) }

    func read(with trips: CachedTripRepository) async throws {
        try await trips.refresh(.search(query()))
        try await trips.refresh(.timeline(World.trip, viewer: World.author))
    }

    /// What another device of the author, or another user, does.
    func changeElsewhere(_ story: InterruptedConflictTests.Story) async throws {
        switch story {
        case .oneEdit, .severalEdits, .removal: try await World.setTitle("theirs", in: remote)
        case .editOfRemovedTrip: try await remote.update(World.trip, by: World.author) { _ in nil }
        case .newTripWithTakenID, .severalNewTrips:
            try await remote.add([TripBuilder(seed: 7, author: User(seed: 2)).with { $0.title = "theirs" }.build()])
        }
    }

    func write(_ story: InterruptedConflictTests.Story, with trips: CachedTripRepository) async throws {
        func new(_ seed: UInt64) throws -> RecordedTrip {
            try TripBuilder(seed: seed, author: User(seed: 1)).with { $0.title = "mine" }.build()
        }
        switch story {
        case .oneEdit, .editOfRemovedTrip: try await World.setTitle("mine", in: trips)
        case .severalEdits:
            for title in ["mine 1", "mine 2", "mine"] { try await World.setTitle(title, in: trips) }
        case .removal: try await trips.update(World.trip, by: World.author) { _ in nil }
        case .newTripWithTakenID: try await trips.add([new(7)])
        case .severalNewTrips: try await trips.add([new(7), new(8)])
        }
    }

    /// Waits until everything is sent, and decides about the conflicts once.
    func decide(_ choice: TripConflict.Resolution, with trips: CachedTripRepository) async throws {
        await trips.settle()
        for conflict in await trips.conflicts() {
            // An identity that is taken stays taken.
            let isTaken = conflict.reason == .taken
            try await trips.resolve(conflict.id, with: isTaken ? .takeTheirs : choice)
        }
        await trips.settle()
        let status = await trips.status()
        guard (status.pendingWrites, status.conflicts) == (0, 0) else { throw EndingProcess.ended }
    }

    func expectEqualStores(_ trips: CachedTripRepository, _ comment: Comment) async throws {
        try await trips.refresh(.search(query()))
        let expected = try await remote.search(query())
        #expect(try await trips.search(query()) == expected, comment)
        #expect(try await local.search(query()) == expected, comment)
        for trip in expected.trips {
            try await trips.refresh(.timeline(trip.id, viewer: World.author))
            let details = try await remote.details(of: trip.id, viewer: World.author)
            #expect(try await local.details(of: trip.id, viewer: World.author) == details, comment)
        }
        // A trip that was removed elsewhere before this device has written to it has vanished.
        for trip in await trips.vanishedTrips() { try await trips.forget(trip.id) }
        #expect(try await outbox.items() == [], comment)
    }

    func expectNothingOfMine(_ story: InterruptedConflictTests.Story, _ comment: Comment) async throws {
        let titles = try await remote.search(query()).trips.map(\.content.title.text)
        // A trip that was added beside the one that was refused is no part of the conflict.
        if story != .severalNewTrips { #expect(!titles.contains("mine"), comment) }
        #expect(titles.contains("theirs") == (story != .editOfRemovedTrip), comment)
    }

    /// A later edit changes what it is about, and nothing else.
    func editRegion(with trips: CachedTripRepository, _ comment: Comment) async throws {
        for trip in try await remote.search(query()).trips where trip.isMine {
            try await trips.update(trip.id, by: World.author) { trip throws(TravelError) in
                var content = trip.content
                content.region = trip.content.region == .busan ? .jeju : .busan
                return try trip.with(content)
            }
            await trips.settle()
            #expect(await trips.conflicts() == [], comment)
            let title = try await remote.trip(trip.id, viewer: World.author).content.title
            #expect(title == trip.content.title, comment)
        }
    }
}
