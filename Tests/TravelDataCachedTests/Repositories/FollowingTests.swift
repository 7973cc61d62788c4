import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

@Suite("Following the remote store", .limitedConcurrency)
struct FollowingTests {
    /// Runs `body` with the repository of a device that follows the remote store.
    private func withFollower(
        _ body: @escaping @Sendable (CachedTripRepository, World) async throws -> Void
    ) throws {
        try withDevices { world in
            let trips = try await world.devices[0].trips()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await trips.follow() }
                try await body(trips, world)
                group.cancelAll()
            }
        }
    }

    @Test("what another device writes reaches the observers of a page and of a trip")
    func changes() throws {
        try withFollower { trips, world in
            let query = try World.query()
            var counts: [Int] = []
            for try await page in trips.observe(query) {
                if counts.last != page.trips.count { counts.append(page.trips.count) }
                if page.trips.count == 1 { try await world.remote.add([TripBuilder(seed: 2).build()]) }
                if page.trips.count == 2 { break }
            }
            #expect(counts == [1, 2])

            var titles: [String] = []
            for try await trip in trips.observeTrip(World.trip, viewer: nil) {
                if titles.last != trip.title.text { titles.append(trip.title.text) }
                if titles.count == 1 { try await World.setTitle("바다", in: world.remote) }
                if titles.count == 2 { break }
            }
            #expect(titles.last == "바다")
        }
    }

    @Test("an entry that another device writes reaches the observers of the timeline, and a like those of the trip")
    func entries() throws {
        try withFollower { trips, world in
            let entry = try TimelineEntry(seed: 7, day: 1)
            var hasWritten = false
            for try await timeline in trips.observeTimeline(of: World.trip, day: nil, viewer: nil) {
                if timeline.contains(where: { $0.id == entry.id }) { break }
                if hasWritten { continue }
                hasWritten = true
                try await world.remote.update(World.trip, by: World.author) { trip throws(TravelError) in
                    try trip.with(timeline: trip.timeline + [entry])
                }
            }
            for try await trip in trips.observeTrip(World.trip, viewer: nil) {
                if trip.likeCount == 1 { break }
                try await world.remote.setLiked(true, trip: World.trip, by: World.other)
            }
        }
    }

    @Test("a trip that another device removes ends its observation")
    func removal() throws {
        try withFollower { trips, world in
            await #expect(throws: TravelError.notFound(.trip(World.trip))) {
                for try await _ in trips.observeTrip(World.trip, viewer: nil) {
                    try await world.remote.update(World.trip, by: World.author) { _ in nil }
                }
            }
        }
    }

    @Test("what nobody observes any more is not followed, and nothing is without the call")
    func ends() throws {
        try withFollower { trips, world in
            for try await _ in try trips.observe(World.query()) { break }
            await trips.settle()
            let calls = world.devices[0].network.calls
            try await world.remote.add([TripBuilder(seed: 2).build()])
            try await world.clock.sleep(for: .seconds(10))
            #expect(world.devices[0].network.calls == calls)
        }
        try withDevices { world in
            let trips = try await world.devices[0].trips()
            var counts: [Int] = []
            try await withThrowingTaskGroup(of: [Int].self) { group in
                let query = try World.query()
                group.addTask {
                    var counts: [Int] = []
                    for try await page in trips.observe(query) { counts.append(page.trips.count) }
                    return counts
                }
                try await world.clock.sleep(for: .seconds(1))
                try await world.remote.add([TripBuilder(seed: 2).build()])
                try await world.clock.sleep(for: .seconds(10))
                group.cancelAll()
                for try await observed in group { counts = observed }
            }
            #expect(counts == [1])
        }
    }
}
