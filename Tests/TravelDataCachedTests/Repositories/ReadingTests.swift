import StreamsTesting
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

@Suite("Reading through a cache", .limitedConcurrency)
struct ReadingTests {
    @Test("an observer receives the local answer immediately, and then the answer of the remote store")
    func emitsTwice() throws {
        try withDevices { world in
            let (device, query) = (world.devices[0], try World.query())
            let trips = try await device.trips()
            _ = try await trips.search(query)
            try await world.remote.add([TripBuilder(seed: 2).build()])
            device.network.quality = Network.Quality(delay: 1_000)
            let start = world.clock.now
            var pages: [Int] = []
            for try await page in trips.observe(query) {
                pages.append(page.trips.count)
                if pages.count == 1 { #expect(world.clock.now == start) }
                if pages.count == 2 { break }
            }
            #expect(pages == [1, 2])
        }
    }

    @Test("a trip that the remote store no longer has disappears from pages and ends its observations")
    func removesWhatIsGone() throws {
        try withDevices { world in
            let trips = try await world.devices[0].trips()
            _ = try await trips.search(World.query())
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            await #expect(throws: TravelError.notFound(.trip(World.trip))) {
                for try await _ in trips.observeTrip(World.trip, viewer: nil) {}
            }
            #expect(try await trips.search(World.query()).trips == [])
        }
    }

    @Test("a version that a restored server has counted again reaches a device that knows the lost one")
    func versionCountedAgain() throws {
        try withDevices { world in
            let trips = try await world.devices[0].trips()
            let backup = try await world.remote.details(of: World.trip, viewer: nil).recorded
            @Sendable func edit(_ title: String, at seconds: TimeInterval) async throws {
                let title = try Title(title)
                try await world.remote.update(World.trip, by: World.author) { trip throws(TravelError) in
                    var content = trip.content
                    content.title = title
                    return try trip.with(content, at: trip.createdAt.addingTimeInterval(seconds))
                }
            }
            try await edit("바다", at: 10)
            _ = try await trips.timeline(of: World.trip, viewer: nil)
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await world.remote.add([backup])
            try await edit("산", at: 20)
            try await trips.refresh(.search(World.query()))
            #expect(try await trips.trip(World.trip, viewer: nil).title.text == "산")
            #expect(try await trips.timeline(of: World.trip, viewer: nil) == backup.timeline)
        }
    }

    @Test("a trip that no longer matches a search stays known")
    func keepsWhatHasChanged() throws {
        try withDevices { world in
            let trips = try await world.devices[0].trips()
            let query = try TripQuery(TripCriteria(keyword: Keyword("trip")), viewer: nil)
            _ = try await trips.search(query)
            _ = try await trips.timeline(of: World.trip, viewer: nil)
            try await World.setTitle("바다", in: world.remote)
            try await trips.refresh(.search(query))
            #expect(try await trips.search(query).trips == [])
            #expect(try await trips.trip(World.trip, viewer: nil).title.text == "바다")
            world.devices[0].network.quality = .offline
            #expect(try await trips.timeline(of: World.trip, viewer: nil) == [])
        }
    }

    @Test(
        "a page that the local store answers has a next page if the remote store has one", arguments: [1, 2, 99, 100])
    func nextPages(limit: Int) throws {
        try withDevices { world in
            try await world.remote.add((10..<115).map { try TripBuilder(seed: UInt64($0)).build() })
            let trips = try await world.devices[0].trips()
            let expected = try await world.remote.search(TripQuery(TripCriteria(), viewer: nil, limit: limit))
            let query = try TripQuery(TripCriteria(), viewer: nil, limit: limit)
            for _ in 0..<2 { #expect(try await trips.search(query) == expected) }
            world.devices[0].network.quality = .offline
            #expect(try await trips.search(query) == expected)
        }
    }

    @Test("an answer to a question asked before a write was sent does not undo the write")
    func lateAnswers() throws {
        for seed in UInt64(1)...20 {
            try withDevices(seed: seed) { world in
                let (device, query) = (world.devices[0], try World.query())
                let trips = try await device.trips()
                _ = try await trips.timeline(of: World.trip, viewer: World.author)
                device.network.quality = Network.Quality(delay: 1_000)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await trips.refresh(.search(query)) }
                    group.addTask { try await trips.refresh(.timeline(World.trip, viewer: World.author)) }
                    try await World.setTitle("바다", in: trips)
                    try await trips.setLiked(true, trip: World.trip, by: World.author)
                    try await group.waitForAll()
                }
                let trip = try await device.local.trip(World.trip, viewer: World.author)
                #expect(trip.title.text == "바다" && trip.isLiked && trip.likeCount == 1)
                await World.settle(trips)
            }
        }
    }

    @Test("an unblock on another device arrives with the trips of the author, unless a block is pending here")
    func unblocks() throws {
        try withDevices(2, users: [2, 2]) { world in
            let (device, other) = (world.devices[0], try await world.devices[1].trips())
            let trips = try await device.trips()
            try await trips.block(World.author, by: World.other)
            await World.settle(trips)
            let query = try TripQuery(TripCriteria(), viewer: World.other, limit: 1)
            try await trips.refresh(.search(query))
            #expect(try await device.local.search(query).trips == [])
            try await other.unblock(World.author, by: World.other)
            await World.settle(other)
            try await trips.refresh(.search(query))
            #expect(try await device.local.search(query) == world.remote.search(query))
            #expect(try await device.local.search(query).trips.count == 1)
            #expect(try await device.local.blocked(by: World.other) == [])
            // No write is sent from now on.
            await device.kill()
            let next = try await device.trips()
            try await next.block(World.author, by: World.other)
            try await next.refresh(.search(query))
            #expect(try await device.local.blocked(by: World.other).map(\.id) == [World.author])
        }
    }

    @Test("the remote list of blocked people does not undo a pending change of one of them")
    func blockedUsers() throws {
        try withDevices { world in
            let (device, picture) = (world.devices[0], try TripImage(seed: 50))
            let trips = try await device.trips()
            try await trips.block(World.author, by: World.other)
            await World.settle(trips)
            // No write is sent from now on.
            await device.kill()
            try await trips.setAvatar(picture, of: World.author, by: World.author)
            try await trips.refresh(.blocked(by: World.other))
            #expect(try await trips.blocked(by: World.other).map(\.avatar) == [picture.id])
            #expect(try await trips.user(World.author).avatar == picture.id)
        }
    }

    @Test("cancelling run ends its tasks, and the repository is released")
    func isReleased() throws {
        try withDevices { world in
            let device = world.devices[0]
            device.network.quality = .offline
            weak var weakTrips: CachedTripRepository?
            do {
                let trips = try await device.trips()
                try await trips.add(User(seed: 7))
                try await world.clock.sleep(for: .seconds(5))
                weakTrips = trips
            }
            await device.kill()
            try await world.clock.sleep(for: .milliseconds(1))
            #expect(weakTrips == nil)
        }
    }

    @Test("with a timeout, reads have what another device has changed")
    func asksFirst() throws {
        try withDevices(remoteTimeout: .seconds(3)) { world in
            let trips = try await world.devices[0].trips()
            world.devices[0].network.quality = Network.Quality(delay: 1_000)
            let query = try World.query()
            @Sendable func read() async throws -> [String] {
                [
                    try await trips.trip(World.trip, viewer: nil).title.text,
                    try await trips.search(query).trips.map(\.title.text).joined(),
                    "\(try await trips.timeline(of: World.trip, viewer: nil).count)",
                    try await trips.user(World.author).nickname.text,
                    "\(try await trips.blocked(by: World.author).count)",
                ]
            }
            _ = try await read()
            try await World.setTitle("바다", in: world.remote)
            try await world.remote.rename(World.author, to: Nickname("민아"), by: World.author)
            try await world.remote.block(World.other, by: World.author)
            #expect(try await read() == ["바다", "바다", "0", "민아", "1"])
            try await World.setTitle("산", in: world.remote)
            for try await trip in trips.observeTrip(World.trip, viewer: nil) {
                #expect(trip.title.text == "산")
                break
            }
        }
    }

    @Test("with a timeout, the remote store is asked once for a person whom it no longer has")
    func removedUser() throws {
        try withDevices(remoteTimeout: .seconds(3)) { world in
            let trips = try await world.devices[0].trips()
            _ = try await trips.user(World.other)
            try await world.remote.removeUser(World.other, by: World.other)
            let calls = world.devices[0].network.calls
            await #expect(throws: TravelError.notFound(.user(World.other))) {
                try await trips.user(World.other)
            }
            #expect(world.devices[0].network.calls == calls + 1)
        }
    }

    @Test("after the timeout, reads have the local answer, and do not wait again until there is an answer")
    func waitsOnce() throws {
        try withDevices(remoteTimeout: .seconds(3)) { world in
            let (clock, network) = (world.clock, world.devices[0].network)
            let trips = try await world.devices[0].trips()
            let before = try await trips.trip(World.trip, viewer: nil).title
            try await World.setTitle("바다", in: world.remote)
            network.quality = Network.Quality(leastDelay: 10_000, delay: 10_000)
            var start = clock.now
            #expect(try await trips.trip(World.trip, viewer: nil).title == before)
            #expect(start.duration(to: clock.now) == .seconds(3))
            start = clock.now
            #expect(try await trips.trip(World.trip, viewer: nil).title == before)
            await trips.settle()
            #expect(clock.now == start)
            // The background request has the answer; the next read waits again.
            network.quality = .perfect
            try await clock.sleep(for: .seconds(60))
            try await World.setTitle("산", in: world.remote)
            #expect(try await trips.trip(World.trip, viewer: nil).title.text == "산")
        }
    }

    @Test("with a timeout, reads do not wait while the remote store is offline")
    func doesNotWaitOffline() throws {
        try withDevices(remoteTimeout: .seconds(3)) { world in
            let trips = try await world.devices[0].trips()
            let trip = try await trips.trip(World.trip, viewer: nil)
            world.devices[0].network.quality = .offline
            let start = world.clock.now
            for _ in 1...2 { #expect(try await trips.trip(World.trip, viewer: nil) == trip) }
            #expect(world.clock.now == start)
        }
    }
}
