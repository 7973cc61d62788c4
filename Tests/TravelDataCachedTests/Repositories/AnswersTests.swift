import StreamsTesting
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

/// What an answer of the remote store changes, and what it leaves to writes that it may lack.
///
/// A device that was killed sends nothing any more: its writes stay pending.
@Suite("Answers of the remote store", .limitedConcurrency)
struct AnswersTests {
    @Test("a search that was answered before is asked again in the background")
    func searchesAgain() throws {
        try withDevice { world, device, trips in
            let before = try await trips.search(World.query())
            try await World.setTitle("바다", in: world.remote)
            #expect(try await trips.search(World.query()) == before)
            await trips.settle()
            #expect(try await device.local.trip(World.trip, viewer: nil).title.text == "바다")
        }
    }

    @Test("searches that the local store answers without a network are asked when it is back")
    func searchesLater() throws {
        try withDevice { world, device, trips in
            _ = try await trips.search(World.query())
            device.network.quality = .offline
            // The first one learns that the network is down.
            let queries = try [Region.seoul, .seoul].enumerated().map { index, region in
                try TripQuery(TripCriteria(regions: [region]), viewer: nil, limit: index + 1)
            }
            for query in queries {
                #expect(try await trips.search(query).trips.map(\.id) == [World.trip])
                #expect(try await trips.lastAnswer(to: .search(query)) == nil)
            }
            device.network.quality = .perfect
            try await world.clock.sleep(for: .seconds(600))
            for query in queries { #expect(try await trips.lastAnswer(to: .search(query)) == World.now) }
        }
    }

    @Test("an observation that the local store can begin does not wait for the remote store")
    func observesAtOnce() throws {
        try withDevice { world, device, trips in
            _ = try await trips.search(World.query())
            device.network.quality = Network.Quality(leastDelay: 1_000, delay: 1_000)
            let start = world.clock.now
            for try await page in trips.observe(try TripQuery(TripCriteria(regions: [.seoul]), viewer: nil)) {
                #expect(page.trips.map(\.id) == [World.trip])
                break
            }
            #expect(world.clock.now == start)
        }
    }

    @Test("a page has a next one if the remote store has one after those that a pending block hides")
    func pagesWithoutBlocked() throws {
        try withDevice { world, device, trips in
            try await world.remote.add((10...12).map { try TripBuilder(seed: $0).build() })
            await device.kill()
            try await trips.block(User.ID(seed: 12), by: World.other)
            let query = try TripQuery(TripCriteria(), viewer: World.other, limit: 2)
            try await trips.refresh(.search(query))
            let page = try await device.local.search(query)
            #expect(page.trips.map(\.id) == [Trip.ID(seed: 11), Trip.ID(seed: 10)])
            #expect(page.next != nil)
        }
    }

    @Test("the track of a trip arrives with its timeline")
    func tracks() throws {
        try withDevice { world, _, trips in
            let track = try TrackGeometry([
                [Coordinate(latitude: 37.5, longitude: 127), Coordinate(latitude: 37.6, longitude: 127.1)]
            ])
            try await world.remote.add([TripBuilder(seed: 5).with { $0.track = track }.build()])
            #expect(try await trips.track(of: Trip.ID(seed: 5), viewer: nil) == track)
        }
    }

    @Test("images that a trip does not show, and edits that change nothing, are not sent")
    func sendsWhatIsShown() throws {
        try withDevice { _, device, trips in
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            await device.kill()
            let (image, new) = (try TripImage(seed: 1), try TripBuilder(seed: 5, author: User(seed: 1)).build())
            try await trips.update(World.trip, by: World.author, adding: [image]) { $0 }
            #expect(await trips.unsentWrite(of: World.trip) == nil)
            try await trips.add([new], images: [image])
            #expect(await trips.unsentWrite(of: new.id) == .add([new], images: []))
            let title = try Title("바다")
            let changed = try await trips.update(World.trip, by: World.author, adding: [image]) {
                trip throws(TravelError) in
                var content = trip.content
                content.title = title
                return try trip.with(content)
            }
            #expect(
                await trips.unsentWrite(of: World.trip)
                    == .update(try #require(changed), replacing: .first, images: []))
        }
    }

    @Test("an outage of the local store ends with the next answer that it stores")
    func storageIsBack() throws {
        try withDevice { world, device, trips in
            _ = try await trips.trip(World.trip, viewer: World.author)
            _ = try await trips.user(World.author)
            device.network.quality = Network.Quality(delay: 400)
            try await trips.setLiked(true, trip: World.trip, by: World.author)
            await device.outbox.setFull(true)
            await trips.settle()
            #expect(await trips.status().storageOutage == InMemoryOutbox.outage)
            await device.outbox.setFull(false)
            await World.settle(trips)
            #expect(await trips.status().storageOutage == nil)
        }
    }

    @Test("an answer that lacks a write is asked for again when nothing is pending any more")
    func asksAfterWrites() throws {
        try withDevice { world, device, trips in
            _ = try await trips.trip(World.trip, viewer: World.author)
            _ = try await trips.user(World.author)
            await trips.settle()
            device.network.quality = Network.Quality(leastDelay: 1_000, delay: 1_000)
            try await trips.setLiked(true, trip: World.trip, by: World.author)
            try await world.remote.setLiked(true, trip: World.trip, by: World.other)
            try await trips.refresh(.trip(World.trip, viewer: World.author))
            await World.settle(trips)
            await trips.settle()
            #expect(try await device.local.trip(World.trip, viewer: World.author).likeCount == 2)
        }
    }

    /// A write about a trip that the remote store does not find for the user any more.
    enum Write: CaseIterable {
        case edit, like, report, unblock
    }

    @Test("a trip with a pending write stays when the remote store does not find it", arguments: Write.allCases)
    func missingWithAWrite(write: Write) throws {
        try withDevice { world, device, trips in
            let user = write == .edit ? World.author : World.other
            _ = try await trips.user(user)
            _ = try await trips.timeline(of: World.trip, viewer: user)
            if write == .unblock {
                try await trips.block(World.author, by: user)
                await World.settle(trips)
            }
            await trips.settle()
            await device.kill()
            switch write {
            case .edit: try await World.setTitle("바다", in: trips)
            case .like: try await trips.setLiked(true, trip: World.trip, by: user)
            case .report: try await trips.report(World.trip, by: user)
            case .unblock: try await trips.unblock(World.author, by: user)
            }
            if write != .unblock { try await world.remote.update(World.trip, by: World.author) { _ in nil } }
            try await trips.refresh(.timeline(World.trip, viewer: user))
            #expect(try await device.local.trip(World.trip, viewer: user).id == World.trip)
            #expect(await trips.vanishedTrips() == [])
        }
    }

    @Test("a user with a pending write stays as they are here, also when the remote store does not find them")
    func usersWithAWrite() throws {
        try withDevice { world, device, trips in
            _ = try await trips.user(World.author)
            await trips.settle()
            await device.kill()
            try await trips.rename(World.author, to: Nickname("Sora"), by: World.author)
            try await trips.refresh(.user(World.author))
            #expect(try await device.local.user(World.author).nickname.text == "Sora")
            try await world.remote.removeUser(World.author, by: World.author)
            try await trips.refresh(.user(World.author))
            #expect(try await device.local.user(World.author).nickname.text == "Sora")
        }
    }

    @Test("an answer from before the deletion of an account does not bring the likes of the user back")
    func accountDeletionDuringAnAnswer() throws {
        try withDevice { world, device, trips in
            try await world.remote.setLiked(true, trip: World.trip, by: World.other)
            _ = try await trips.user(World.other)
            try await trips.refresh(.trip(World.trip, viewer: World.other))
            await trips.settle()
            device.network.quality = Network.Quality(leastDelay: 1_000, delay: 1_000)
            async let page: Void = trips.refresh(.search(World.query()))
            // The remote store has read the page, which is on its way.
            try await world.clock.sleep(for: .milliseconds(1_500))
            device.network.quality = .perfect
            try await trips.removeUser(World.other, by: World.other)
            try await page
            #expect(try await device.local.trip(World.trip, viewer: nil).likeCount == 0)
        }
    }

    @Test("a trip that has vanished is not reported at the next start if the local store has it again")
    func vanishedAndThere() throws {
        try withDevice { world, device, trips in
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            let trip = try await device.local.details(of: World.trip, viewer: nil).recorded
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            #expect(await trips.vanishedTrips().map(\.id) == [World.trip])
            await device.kill()
            try await device.local.add([trip])
            #expect(try await device.trips().vanishedTrips() == [])
            #expect(try await device.outbox.items().isEmpty)
        }
    }

    @Test("an answer counts for one viewer, one page and one size of it only")
    func answersOfOneRequest() throws {
        try withDevice { _, _, trips in
            let query = try TripQuery(TripCriteria(), viewer: World.author, limit: 1)
            _ = try await trips.search(query)
            #expect(try await trips.lastAnswer(to: .search(query)) == World.now)
            for other in [
                try TripQuery(TripCriteria(), viewer: World.other, limit: 1),
                try TripQuery(TripCriteria(), viewer: nil, limit: 1),
                try TripQuery(TripCriteria(), viewer: World.author, limit: 2),
                try TripQuery(TripCriteria(sort: .mostLiked), viewer: World.author, limit: 1),
            ] {
                #expect(try await trips.lastAnswer(to: .search(other)) == nil)
            }
        }
    }

    @Test("a refusal is an answer: the remote store is online")
    func refusalsAreAnswers() throws {
        try withDevice { _, device, trips in
            device.network.quality = .offline
            let request = TripRequest.trip(Trip.ID(seed: 50), viewer: nil)
            await #expect(throws: Network.outage) { try await trips.refresh(request) }
            #expect(await trips.status().connection == .offline)
            let calls = device.network.calls
            #expect(try await !trips.isTaken(Nickname("Mina"), exceptBy: nil))
            #expect(device.network.calls == calls, "what the local store answers offline was asked")
            device.network.quality = .perfect
            try await trips.refresh(request)
            #expect(await trips.status().connection == .online)
        }
    }

    @Test("an image that was read can be read without a network")
    func imagesStay() throws {
        try withDevice { world, device, trips in
            let image = try TripImage(seed: 1)
            let trip = try TripBuilder(seed: 5).with { $0.thumbnail = image.id }.build()
            try await world.remote.add([trip], images: [image])
            _ = try await trips.trip(trip.id, viewer: nil)
            #expect(try await trips.image(image.id, viewer: nil) == image)
            device.network.quality = .offline
            #expect(try await trips.image(image.id, viewer: nil) == image)
        }
    }

    @Test("a write that the outbox cannot store changes nothing")
    func outboxIsFirst() throws {
        try withDevice { _, device, trips in
            let before = try await trips.trip(World.trip, viewer: World.author)
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            await device.outbox.setFull(true)
            await #expect(throws: TravelError.unavailable(InMemoryOutbox.outage)) {
                try await World.setTitle("바다", in: trips)
            }
            #expect(try await device.local.trip(World.trip, viewer: World.author) == before)
            await device.outbox.setFull(false)
        }
    }

    @Test("of several trips in the outbox, a start adds those that the local store lacks")
    func addsTheRest() throws {
        try withDevice { _, device, trips in
            await device.kill()
            let added = try (5...6).map { try TripBuilder(seed: $0, author: User(seed: 1)).build() }
            try await trips.add(added)
            try await device.local.update(added[1].id, by: World.author) { _ in nil }
            device.network.quality = .offline
            _ = try await device.trips()
            #expect(try await device.local.knowledge(of: added[1].id) == .complete(added[1]))
            device.network.quality = .perfect
            await World.settle(try await device.trips())
        }
    }

    @Test("a trip of someone who only writes on this device is reported when it vanishes, and goes with them")
    func writersOwnTrips() throws {
        try withDevice { world, device, trips in
            let trip = try TripBuilder(seed: 5, author: User(seed: 1)).build()
            try await trips.add([trip])
            await World.settle(trips)
            try await world.remote.update(trip.id, by: World.author) { _ in nil }
            try await trips.refresh(.timeline(trip.id, viewer: nil))
            #expect(await trips.vanishedTrips().map(\.id) == [trip.id])
            #expect(try await device.outbox.items().count == 1)
            try await trips.removeUser(World.author, by: World.author)
            #expect(await trips.vanishedTrips() == [])
            #expect(try await device.outbox.items().isEmpty)
        }
    }

    @Test("a pause is never longer than the maximum")
    func pauses() {
        let backoff = Backoff(first: .seconds(3), maximum: .seconds(10))
        #expect((1...5).map { backoff.pause(after: $0) } == [3, 6, 10, 10, 10].map { .seconds($0) })
    }
}
