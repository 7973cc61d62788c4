import StreamsTesting
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting
import TravelHistories

@Suite("A remote store that was restored from a backup", .limitedConcurrency)
struct RestoredServerTests {
    enum Edit: CaseIterable, Sendable { case title, removal }

    @Test(
        "an edit that waits for a version that was lost does not overwrite another content with its number",
        arguments: Edit.allCases)
    func doesNotOverwrite(edit: Edit) throws {
        try withDevices(2) { world in
            let (first, second) = (world.devices[0], world.devices[1])
            for device in world.devices {
                try await device.trips().refresh(.timeline(World.trip, viewer: World.author))
            }
            // Version 2, which the backup does not have.
            try await World.setTitle("two", in: first.trips())
            try await first.trips().settle()
            first.network.quality = .offline
            switch edit {
            case .title: try await World.setTitle("three", in: first.trips())
            case .removal: try await first.trips().update(World.trip, by: World.author) { _ in nil }
            }
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await world.remote.add([TripBuilder(seed: 1).build()])
            // Version 2 again, with another content.
            try await World.setTitle("important", in: second.trips())
            try await second.trips().settle()

            first.network.quality = .perfect
            let trips = try await first.trips()
            await trips.reconnect()
            await World.settle(trips)
            #expect(try await world.remote.trip(World.trip, viewer: nil).content.title.text == "important")
            let conflict = try #require(await trips.conflicts().first)
            #expect(conflict.reason == .outdated)
            #expect(conflict.theirs?.content.title.text == "important")
            try await trips.resolve(conflict.id, with: .keepMine)
            await trips.settle()
            #expect(await trips.conflicts() == [])
            let found = try await world.remote.search(World.query()).trips.map(\.content.title.text)
            #expect(found == (edit == .title ? ["three"] : []))
        }
    }

    @Test("edits that wait one after the other are sent, each over the content of the one before")
    func sequence() throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            device.network.quality = .offline
            for title in ["two", "three", "four"] { try await World.setTitle(title, in: trips) }
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts() == [])
            #expect(world.log.versions.map(\.content.title.text) == ["two", "three", "four"])
        }
    }

    enum Look: CaseIterable, Sendable {
        case search, trip, timeline

        /// The request with which a device sees what the remote store has.
        func request() throws -> TripRequest {
            switch self {
            case .search: .search(try TripQuery(TripCriteria(), viewer: World.author))
            case .trip: .trip(World.trip, viewer: World.author)
            case .timeline: .timeline(World.trip, viewer: World.author)
            }
        }
    }

    /// Replaces the trip of the remote store by another state of it.
    private func restore(_ trip: RecordedTrip?, in world: World) async throws {
        try await world.remote.update(World.trip, by: World.author) { _ in nil }
        if let trip { try await world.remote.add([trip]) }
    }

    @Test(
        "an accepted edit that the remote store has lost is a conflict, which can be sent again or dropped",
        arguments: Look.allCases, [TripConflict.Resolution.keepMine, .takeTheirs, .keepCopy])
    func lostEdit(look: Look, resolution: TripConflict.Resolution) throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            let (entry, image) = (try TimelineEntry(seed: 1, image: .init(seed: 1)), try TripImage(seed: 1))
            try await trips.update(World.trip, by: World.author, adding: [image]) { trip throws(TravelError) in
                try trip.saving(entry)
            }
            try await World.setTitle("two", in: trips)
            await World.settle(trips)
            let before = try TripBuilder(seed: 1).build()
            try await restore(before, in: world)

            try await trips.refresh(look.request())
            let conflict = try #require(await trips.conflicts().first)
            #expect((conflict.reason, conflict.theirs) == (.lost, before))
            guard case .update(let wanted, _, let images) = conflict.wanted else {
                Issue.record("not an update: \(conflict.wanted)")
                return
            }
            #expect((wanted.content.title.text, wanted.timeline, images) == ("two", [entry], [image]))
            #expect(try await device.local.trip(World.trip, viewer: nil).title == before.content.title)
            // It is one conflict, however often the device looks, and survives the process.
            for look in Look.allCases { try await trips.refresh(look.request()) }
            await device.kill()
            let reopened = try await device.trips()
            try await reopened.refresh(look.request())
            #expect(await reopened.conflicts() == [conflict])
            try await reopened.resolve(conflict.id, with: resolution)
            await World.settle(reopened)
            let expected: Set<String> =
                switch resolution {
                case .keepMine: ["two"]
                case .takeTheirs: [before.content.title.text]
                default: ["two", before.content.title.text]
                }
            for look in Look.allCases { try await reopened.refresh(look.request()) }
            #expect(await reopened.conflicts() == [])
            let query = try TripQuery(TripCriteria(), viewer: World.author)
            let found = try await world.remote.search(query)
            #expect(Set(found.trips.map(\.title.text)) == expected && found.trips.count == expected.count)
            #expect(try await reopened.search(query) == found)
            if resolution == .keepMine {
                #expect(try await world.remote.image(image.id, viewer: nil) == image)
            }
        }
    }

    @Test(
        "another content under the same number is seen, and the one that is lost is a conflict",
        arguments: [false, true])
    func sameNumber(isTimeline: Bool) throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            let (mine, theirs) = (try TimelineEntry(seed: 1), try TimelineEntry(seed: 2))
            @Sendable func edited(_ trip: RecordedTrip, _ isMine: Bool) throws(TravelError) -> RecordedTrip {
                if isTimeline { return try trip.saving(isMine ? mine : theirs) }
                var content = trip.content
                content.title = try Title(isMine ? "mine" : "theirs")
                return try trip.with(content)
            }
            try await trips.update(World.trip, by: World.author) { trip throws(TravelError) in try edited(trip, true) }
            await World.settle(trips)
            let first = try TripBuilder(seed: 1).build()
            let other = try edited(first, false).revision(of: first)
            try await restore(other, in: world)
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            #expect(await device.local.recorded(World.trip) == other)
            let conflict = try #require(await trips.conflicts().first)
            #expect((conflict.reason, conflict.theirs) == (.lost, other))
            try await trips.resolve(conflict.id, with: .keepMine)
            await World.settle(trips)
            let there = await world.remote.recorded(World.trip)
            let expected = try edited(first, true)
            #expect((there?.content, there?.timeline) == (expected.content, expected.timeline))
            #expect(await trips.conflicts() == [])
        }
    }

    @Test("of an own trip that was only listed, the lost title is a conflict, with the timeline of the remote store")
    func listedOnly() throws {
        try withDevice { world, device, trips in
            try await World.setTitle("two", in: world.remote)
            try await trips.refresh(Look.search.request())
            #expect(try await device.local.knowledge(of: World.trip) == .withoutTimeline)
            let entry = try TimelineEntry(seed: 1)
            let before = try TripBuilder(seed: 1).with { $0.timeline = [entry] }.build()
            try await restore(before, in: world)
            try await trips.refresh(Look.search.request())
            let conflict = try #require(await trips.conflicts().first)
            try await trips.resolve(conflict.id, with: .keepMine)
            await World.settle(trips)
            let there = await world.remote.recorded(World.trip)
            #expect(there?.content.title.text == "two" && there?.timeline == [entry])
        }
    }

    @Test("a vanished trip that is there again in an earlier version is a conflict")
    func vanished() throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            try await World.setTitle("two", in: trips)
            await World.settle(trips)
            try await restore(nil, in: world)
            try await trips.refresh(Look.search.request())
            let vanished = try #require(await trips.vanishedTrips().first)
            let before = try TripBuilder(seed: 1).build()
            try await world.remote.add([before])
            try await trips.refresh(Look.search.request())
            #expect(await trips.vanishedTrips() == [])
            let conflict = try #require(await trips.conflicts().first)
            #expect((conflict.id, conflict.reason, conflict.theirs) == (vanished.number, .lost, before))
            await device.kill()
            let reopened = try await device.trips()
            #expect(await reopened.conflicts() == [conflict])
            #expect(await reopened.status().vanishedTrips == 0)
            try await reopened.resolve(conflict.id, with: .keepMine)
            await World.settle(reopened)
            #expect(try await world.remote.trip(World.trip, viewer: nil).title.text == "two")
        }
    }

    @Test("a trip whose ID someone else has taken since is a conflict, and can be kept as a new one")
    func takenSince() throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            let foreign = try await take(in: world)
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            let conflict = try #require(await trips.conflicts().first)
            #expect((conflict.reason, conflict.theirs) == (.taken, foreign))
            try await trips.resolve(conflict.id, with: .keepMine)
            await World.settle(trips)
            #expect(try await world.remote.search(World.query()).trips.count == 2)
        }
    }

    enum Choice: CaseIterable, Sendable { case keepMine, edited, removal }

    @Test(
        "a decision about an earlier conflict shows the version that the device has received since, before it replaces it",
        arguments: Choice.allCases, [false, true])
    func decidesAboutEarlierConflict(choice: Choice, isLost: Bool) throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            let before = try #require(await device.local.recorded(World.trip))
            let declined = TravelError.unavailable(.init("Pay first.", cause: .requestRefused, canRetry: false))
            device.network.quality.refusedTitles = ["mine": declined, before.content.title.text: declined]
            if choice == .removal {
                try await trips.update(World.trip, by: World.author) { _ in nil }
            } else {
                try await World.setTitle("mine", in: trips)
            }
            await World.settle(trips)
            device.network.quality.refusedTitles = [:]
            try await World.setTitle("newer", in: trips)
            await World.settle(trips)
            if isLost { try await restore(before, in: world) }

            let conflict = try #require(await trips.conflicts().first)
            #expect(conflict.theirs == before)
            var content = before.content
            content.title = try Title("both")
            let entry = try TimelineEntry(seed: 1)
            try await trips.resolve(
                conflict.id, with: choice == .edited ? .edited(content, timeline: [entry]) : .keepMine)
            let shown = try #require(await trips.conflicts().first)
            #expect((shown.id, shown.reason, shown.theirs?.content.title.text) == (conflict.id, .declined, "newer"))
            #expect(try await device.local.trip(World.trip, viewer: nil).title.text == "newer")
            await device.kill()
            let reopened = try await device.trips()
            #expect(await reopened.conflicts() == [shown])
            for _ in 0..<2 {
                for conflict in await reopened.conflicts() { try await reopened.resolve(conflict.id, with: .keepMine) }
                await World.settle(reopened)
            }
            #expect(await reopened.conflicts() == [])
            let there = await world.remote.recorded(World.trip)
            switch choice {
            case .keepMine: #expect((there?.content.title.text, there?.timeline) == ("mine", []))
            case .edited: #expect((there?.content.title.text, there?.timeline) == ("both", [entry]))
            case .removal: #expect(there == nil)
            }
        }
    }

    /// Adds a trip of someone else with the ID of the trip to the remote store, whose backup has never had the ID.
    private func take(in world: World) async throws -> RecordedTrip {
        var lost = FetchedTrips(viewer: nil)
        lost.missingTrips = [World.trip]
        try await world.remote.store(lost)
        let foreign = try TripBuilder(seed: 1, author: User(seed: 2)).with { $0.title = "theirs" }.build()
        try await world.remote.add([foreign])
        return foreign
    }

    @Test(
        "a decision about a trip whose ID someone else has taken since does not touch that one",
        arguments: [false, true], [TripConflict.Resolution.keepMine, .takeTheirs, .keepCopy])
    func takenSinceConflict(isRemoval: Bool, resolution: TripConflict.Resolution) throws {
        try withDevices(2) { world in
            let trips = try await world.devices[0].trips()
            for device in world.devices {
                try await device.trips().refresh(.timeline(World.trip, viewer: World.author))
            }
            world.devices[0].network.quality = .offline
            if isRemoval {
                try await trips.update(World.trip, by: World.author) { _ in nil }
            } else {
                try await World.setTitle("mine", in: trips)
            }
            try await World.setTitle("newer", in: world.devices[1].trips())
            await World.settle(try await world.devices[1].trips())
            world.devices[0].network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            let conflict = try #require(await trips.conflicts().first)
            #expect((conflict.reason, conflict.theirs?.author.id) == (.outdated, World.author))

            let foreign = try await take(in: world)
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            let lost = await trips.conflicts().filter { $0.reason == .taken }
            for conflict in lost { try await trips.resolve(conflict.id, with: .takeTheirs) }
            try await trips.resolve(conflict.id, with: resolution)
            await World.settle(trips)
            #expect(await trips.conflicts() == [])
            let titles = try await world.remote.search(World.query()).trips.map(\.title.text)
            #expect(Set(titles) == (isRemoval || resolution == .takeTheirs ? ["theirs"] : ["mine", "theirs"]))
            #expect(await world.remote.recorded(World.trip) == foreign)
        }
    }

    @Test("trips of others are taken as the remote store has them")
    func others() throws {
        try withDevices(1, users: [2]) { world in
            let trips = try await world.devices[0].trips()
            try await World.setTitle("two", in: world.remote)
            let request = TripRequest.timeline(World.trip, viewer: World.other)
            try await trips.refresh(request)
            let before = try TripBuilder(seed: 1).build()
            try await restore(before, in: world)
            try await trips.refresh(request)
            #expect(await trips.conflicts() == [])
            #expect(await world.devices[0].local.recorded(World.trip) == before)
        }
    }

    @Test("an answer that a later one has overtaken is not taken for that of a restored store")
    func overtaken() throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            device.network.quality.leastDelay = 1_000
            device.network.quality.delay = 1_000
            async let slow: Void = trips.refresh(.timeline(World.trip, viewer: World.author))
            try await world.clock.sleep(for: .milliseconds(1_500))
            // The first request has been answered, and is on its way.
            try await World.setTitle("two", in: world.remote)
            device.network.quality.leastDelay = 1
            device.network.quality.delay = 1
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            try await slow
            await trips.settle()
            #expect(await trips.conflicts() == [])
            #expect(try await device.local.trip(World.trip, viewer: nil).title.text == "two")
        }
    }
}

extension TripRepository where Self: TripCache {
    /// The complete trip; `nil` if the store does not know it.
    fileprivate func recorded(_ id: Trip.ID) async -> RecordedTrip? {
        if case .complete(let trip) = try? await knowledge(of: id) { trip } else { nil }
    }
}
