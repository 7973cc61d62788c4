import Foundation
import StreamsTesting
import Testing
import TestConcurrency
import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite
import TravelDomainTesting
import TravelHistories

@Suite("A cached repository without a network", .limitedConcurrency)
struct OfflineTests {
    @Test("what the remote store has answered can be read offline, with the time of the answer")
    func readsOffline() throws {
        try withDevices { world in
            let (device, query) = (world.devices[0], try World.query())
            let trips = try await device.trips()
            #expect(try await trips.lastAnswer(to: .search(query)) == nil)
            let page = try await trips.search(query)
            _ = try await trips.timeline(of: World.trip, viewer: nil)
            device.network.quality = .offline
            #expect(try await trips.search(query) == page)
            #expect(try await trips.timeline(of: World.trip, viewer: nil) == [])
            #expect(try await trips.trip(World.trip, viewer: World.other).id == World.trip)
            #expect(try await trips.lastAnswer(to: .search(query)) == Date(timeIntervalSinceReferenceDate: 0))
        }
    }

    @Test("a subject unknown to the local store is unavailable offline, rather than missing or empty")
    func unknownIsUnavailable() throws {
        try withDevices { world in
            world.devices[0].network.quality = .offline
            let trips = try await world.devices[0].trips()
            await #expect(throws: Network.outage) { try await trips.search(World.query()) }
            await #expect(throws: Network.outage) { try await trips.trip(World.trip, viewer: nil) }
            await #expect(throws: Network.outage) { try await trips.timeline(of: World.trip, viewer: nil) }
            await #expect(throws: Network.outage) { try await trips.user(World.author) }
            await #expect(throws: Network.outage) { try await World.setTitle("바다", in: trips) }
            #expect(await trips.status().connection == .offline)
        }
    }

    @Test("the status says why the server does not answer, until it answers")
    func reason() throws {
        try withDevices { world in
            world.devices[0].network.quality = .offline
            let trips = try await world.devices[0].trips()
            await #expect(throws: Network.outage) { try await trips.trip(World.trip, viewer: nil) }
            #expect(await trips.status().outage.map(TravelError.unavailable) == Network.outage)
            world.devices[0].network.quality = .perfect
            _ = try await trips.trip(World.trip, viewer: nil)
            #expect(await trips.status().outage == nil)
        }
    }

    @Test("an offline search finds what the local store knows, by criteria that were never asked")
    func searchesOffline() throws {
        try withDevices { world in
            let trips = try await world.devices[0].trips()
            _ = try await trips.search(World.query())
            world.devices[0].network.quality = .offline
            let query = try TripQuery(TripCriteria(regions: [.seoul]), viewer: nil)
            #expect(try await trips.search(query).trips.map(\.id) == [World.trip])
        }
    }

    @Test("a trip that the remote store finds by an entry is found offline, with that entry")
    func searchesEntriesOffline() throws {
        try withDevices { world in
            let entry = try TimelineEntry(seed: 50, title: "점심", place: Place(name: "등대"))
            try await world.remote.add([TripBuilder(seed: 5).with { $0.timeline = [entry] }.build()])
            let trips = try await world.devices[0].trips()
            let query = try TripQuery(TripCriteria(keyword: Keyword("등대")), viewer: nil)
            for isOffline in [false, true] {
                if isOffline { world.devices[0].network.quality = .offline }
                let page = try await trips.search(query)
                #expect(page.trips.map(\.id) == [Trip.ID(seed: 5)])
                #expect(page.matchedEntries == [Trip.ID(seed: 5): MatchedEntry(entry)])
            }
        }
    }

    @Test("offline writes are visible immediately, and are sent in order when the network is back")
    func writesOffline() throws {
        try withDevice { world, device, trips in
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            device.network.quality = .offline
            for title in ["a", "b", "c"] { try await World.setTitle(title, in: trips) }
            try await trips.add([TripBuilder(seed: 5, author: User(seed: 1)).build()])
            #expect(try await trips.trip(World.trip, viewer: nil).title.text == "c")
            #expect(await trips.status().pendingWrites == 4)
            try await world.clock.sleep(for: .seconds(600))
            #expect(world.log.versions == [])
            device.network.quality = .perfect
            await World.settle(trips)
            #expect(world.log.versions.map(\.content.title.text) == ["a", "b", "c", "Trip 5"])
            var status = await trips.status()
            #expect(status.lastAnswer != nil)
            status.lastAnswer = nil
            var online = SyncStatus()
            online.connection = .online
            #expect(status == online)
        }
    }

    @Test("an offline device asks again after longer and longer pauses, and not at all without a reason")
    func backsOff() throws {
        try withDevices { world in
            let device = world.devices[0]
            device.network.quality = .offline
            let trips = try await device.trips()
            try await world.clock.sleep(for: .seconds(3_600))
            #expect(device.network.calls == 0)
            try await trips.add(User(seed: 7))
            try await world.clock.sleep(for: .seconds(3_600))
            // 1 + 2 + 4 + … + 32 seconds, then every minute.
            #expect((60...70).contains(device.network.calls))
            let calls = device.network.calls
            await trips.reconnect()
            try await world.clock.sleep(for: .milliseconds(1))
            #expect(device.network.calls == calls + 1)
        }
    }

    @Test("a device with nothing to send asks the server when it reconnects")
    func asksAgain() throws {
        try withDevice { world, device, trips in
            _ = try await trips.blocked(by: World.author)
            await World.settle(trips)
            device.network.quality = .offline
            await #expect(throws: Network.outage) { try await trips.refresh(.blocked(by: World.author)) }
            #expect(await trips.status().connection == .offline)
            device.network.quality = .perfect
            await trips.reconnect()
            try await world.clock.sleep(for: .milliseconds(1))
            #expect(await trips.status().connection == .online)
        }
    }

    @Test("a person can sign up and write offline, and the remote store follows until they delete their account")
    func wholeLife() throws {
        try withDevices { world in
            let device = world.devices[0]
            let (trips, user) = (try await device.trips(), try User(seed: 7))
            device.network.quality = .offline
            try await trips.add(user)
            try await trips.add([TripBuilder(seed: 7).build()])
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(try await world.remote.trip(Trip.ID(seed: 7), viewer: nil).author == user)
            _ = try await trips.search(World.query())
            try await trips.setLiked(true, trip: World.trip, by: user.id)
            await World.settle(trips)
            try await trips.removeUser(user.id, by: user.id)
            #expect(try await trips.search(World.query()).trips.map(\.id) == [World.trip])
            try await trips.refresh(.search(World.query()))
            for store in [world.remote, device.local] as [any TravelStore] {
                await #expect(throws: TravelError.notFound(.user(user.id))) { try await store.user(user.id) }
                let page = try await store.search(World.query())
                #expect(page.trips.map(\.id) == [World.trip] && page.trips.map(\.likeCount) == [0])
            }
            #expect(await trips.conflicts() == [])
        }
    }

    @Test("deleting an account needs the remote store, and comes after pending changes; offline it changes nothing")
    func accountDeletion() throws {
        try withDevice { world, device, trips in
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            _ = try await trips.user(World.other)
            device.network.quality = .offline
            let mine = try TripBuilder(seed: 5, author: User(seed: 1)).build()
            let theirs = try TripBuilder(seed: 6, author: User(seed: 2)).build()
            try await trips.add([mine, theirs])
            try await trips.setLiked(true, trip: theirs.id, by: World.author)
            await #expect(throws: Network.outage) { try await trips.removeUser(World.author, by: World.author) }
            #expect(await trips.status().pendingWrites == 2)
            #expect(try await device.local.trip(mine.id, viewer: nil).author.id == World.author)

            // A wrong password, and then an answer that is lost, before the user tries again.
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            device.network.quality = Network.Quality(refusesPasswords: true)
            await #expect(throws: TravelError.wrongCredentials) {
                try await trips.removeUser(World.author, by: World.author)
            }
            #expect(await trips.status().connection == .online)
            device.network.quality = Network.Quality(lostAnswers: 100)
            await #expect(throws: Network.outage) { try await trips.removeUser(World.author, by: World.author) }
            device.network.quality = .perfect
            try await trips.removeUser(World.author, by: World.author)
            for store in [world.remote, device.local] as [any TravelStore] {
                await #expect(throws: TravelError.notFound(.user(World.author))) { try await store.user(World.author) }
                let page = try await store.search(World.query())
                #expect(page.trips.map(\.id) == [theirs.id] && page.trips.map(\.likeCount) == [0])
            }
        }
    }

    @Test("deleting an account takes along the conflicts and the copies of trips of the person, and no others")
    func accountDeletionWithConflicts() throws {
        try withDevice { world, device, trips in
            for trip in [5, 6, 7] as [UInt64] {
                try await world.remote.add([TripBuilder(seed: trip, author: User(seed: trip == 7 ? 3 : 1)).build()])
                _ = try await trips.timeline(of: Trip.ID(seed: trip), viewer: World.author)
            }
            _ = try await trips.user(World.other)
            // A trip vanishes, an edit and the like of another user are refused.
            try await world.remote.update(Trip.ID(seed: 5), by: World.author) { _ in nil }
            try await trips.refresh(.timeline(Trip.ID(seed: 5), viewer: World.author))
            device.network.quality = .offline
            try await trips.update(Trip.ID(seed: 6), by: World.author) { _ in nil }
            try await trips.setLiked(true, trip: Trip.ID(seed: 7), by: World.other)
            try await World.setTitle("elsewhere", of: Trip.ID(seed: 6), in: world.remote)
            try await world.remote.update(Trip.ID(seed: 7), by: User.ID(seed: 3)) { _ in nil }
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts().count == 2)
            #expect(await trips.status().vanishedTrips == 1)

            try await trips.removeUser(World.author, by: World.author)
            #expect(await trips.conflicts().map(\.wanted) == [.setLiked(true, Trip.ID(seed: 7), by: World.other)])
            #expect(await trips.status().vanishedTrips == 0)
            await device.kill()
            #expect(try await device.trips().conflicts().count == 1)
        }
    }

    @Test("while someone's trips are requested, deleting their account leaves nothing behind")
    func accountDeletionDuringARequest() throws {
        try withDevice { world, device, trips in
            _ = try await trips.user(World.author)
            device.network.quality = Network.Quality(delay: 1_000)
            async let page = trips.refresh(.search(World.query()))
            try await world.clock.sleep(for: .milliseconds(1))
            try await trips.removeUser(World.author, by: World.author)
            try await page
            #expect(try await device.local.search(World.query()).trips == [])
        }
    }

    @Test("an answer for nobody does not tell that the user is signed in")
    func answersForNobody() throws {
        try withDevice { world, device, trips in
            device.network.quality = Network.Quality(isSignedOut: true)
            await #expect(throws: TravelError.signedOut) { try await trips.refresh(.blocked(by: World.author)) }
            device.network.quality = .perfect
            try await trips.refresh(.user(World.other))
            #expect(await trips.status().connection == .signedOut)
            device.network.quality = Network.Quality(leastDelay: 400, delay: 400)
            await trips.reconnect()
            #expect(await trips.status().connection == .unknown)
            try await trips.refresh(.blocked(by: World.author))
            #expect(await trips.status().connection == .online)
        }
    }

    @Test("while the server refuses the session, local answers can be read, and writes stay pending")
    func signedOut() throws {
        try withDevices { world in
            let (device, query) = (world.devices[0], try World.query())
            let trips = try await device.trips()
            let page = try await trips.search(query)
            device.network.quality = Network.Quality(isSignedOut: true)
            #expect(try await trips.search(query) == page)
            await #expect(throws: TravelError.signedOut) { try await trips.user(World.other) }
            try await trips.setLiked(true, trip: World.trip, by: World.author)
            try await world.clock.sleep(for: .seconds(100))
            #expect(await trips.status().pendingWrites == 1)
            #expect(await trips.status().connection == .signedOut)
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.status().connection == .online)
            #expect(try await world.remote.trip(World.trip, viewer: World.author).isLiked)
            #expect(await trips.conflicts() == [])
        }
    }

    @Test("the time of the last answer outlives the process")
    func lastAnswer() throws {
        try withDevice { world, device, trips in
            #expect(await trips.status().lastAnswer == nil)
            _ = try await trips.search(World.query())
            #expect(await trips.status().lastAnswer == Date(timeIntervalSinceReferenceDate: 0))
            device.network.quality = .offline
            await device.kill()
            let restarted = try await device.trips()
            #expect(await restarted.status().connection == .unknown)
            #expect(await restarted.status().lastAnswer == Date(timeIntervalSinceReferenceDate: 0))
        }
    }

    @Test("a program that ends waits for what is to be sent and asked, but not for a network that is down")
    func settle() throws {
        try withDevice { world, device, trips in
            _ = try await trips.search(World.query())
            device.network.quality = Network.Quality(delay: 400)
            try await trips.setLiked(true, trip: World.trip, by: World.author)
            _ = try await trips.search(World.query())
            await trips.settle(within: .seconds(60))
            #expect(await trips.status().pendingWrites == 0)
            #expect(try await world.remote.trip(World.trip, viewer: World.author).isLiked)
            device.network.quality = Network.Quality(delay: 3_600_000)
            try await trips.setLiked(false, trip: World.trip, by: World.author)
            await trips.settle(within: .seconds(1))
            #expect(await trips.status().pendingWrites == 1)
            await trips.settle()
            #expect(await trips.status().pendingWrites == 0)
            let begin = world.clock.now
            device.network.quality = .offline
            try await trips.setLiked(true, trip: World.trip, by: World.author)
            await trips.settle(within: .seconds(60))
            #expect(begin.duration(to: world.clock.now) < .seconds(1))
            await trips.settle()
            #expect(await trips.status().pendingWrites == 1)
        }
    }

    @Test("a program that ends does not wait for a device that cannot store the answers, and the status says why")
    func settleWithoutRoom() throws {
        try withDevice { world, device, trips in
            _ = try await trips.trip(World.trip, viewer: World.author)
            _ = try await trips.user(World.author)
            device.network.quality = Network.Quality(delay: 400)
            try await trips.setLiked(true, trip: World.trip, by: World.author)
            await device.outbox.setFull(true)
            await trips.settle()
            #expect(await trips.status().storageOutage == InMemoryOutbox.outage)
            #expect(await trips.status().pendingWrites == 1)
            await device.outbox.setFull(false)
            await trips.reconnect()
            await trips.settle()
            #expect(await trips.status().storageOutage == nil)
            #expect(await trips.status().pendingWrites == 0)
            #expect(try await world.remote.trip(World.trip, viewer: World.author).likeCount == 1)
        }
    }

    @Test("an answer to any call ends the pause of the outbox")
    func answerEndsThePause() throws {
        try withDevice { world, device, trips in
            device.network.quality = .offline
            try await trips.add(User(seed: 7))
            try await world.clock.sleep(for: .seconds(1_000))
            device.network.quality = .perfect
            let before = world.clock.now
            try await trips.refresh(.search(World.query()))
            await World.settle(trips)
            #expect(world.clock.now.offset - before.offset < .seconds(1))
        }
    }
}

/// The example of the landing page.
private func withTrips(
    in folder: String, server: any TravelStore, _ app: (CachedTripRepository) async throws -> Void
) async throws {
    let cache = try await TravelDatabase.open(path: folder + "/cache.db")
    let trips = try await CachedTripRepository.open(
        local: cache.trips, remote: server, outbox: FileOutbox(folder: folder + "/outbox"), now: { Date() })
    try await withThrowingTaskGroup { group in
        group.addTask { await trips.run() }
        try await app(trips)
        group.cancelAll()
    }
}

@Suite("An app with a cache before a server", .limitedConcurrency)
struct WiringTests {
    @Test("use cases write through the cache to the server, and read from the cache in the next run")
    func wiring() async throws {
        try await withFolder { folder in
            let (server, session) = (InMemoryTripRepository(), InMemorySession(signedIn: User.ID(seed: 1)))
            try await server.add(User(seed: 1))
            let content = try TripBuilder(seed: 1).build().content
            try await withTrips(in: folder, server: server) { trips in
                let record = RecordTrip(trips: trips, users: trips, session: session, now: { Date() })
                let trip = try await record(content)
                for await status in await trips.observeStatus() where status.pendingWrites == 0 { break }
                #expect(try await server.trip(trip.id, viewer: nil).content == content)
            }
            try await withTrips(in: folder, server: server) { trips in
                let page = try await SearchTrips(trips: trips, session: session)(TripCriteria())
                #expect(page.trips.map(\.content) == [content])
                #expect(await trips.status().pendingWrites == 0)
            }
        }
    }
}
