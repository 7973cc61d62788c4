import StreamsTesting
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomainTesting

@testable import TravelDataCached

@Suite("Writes that the remote store refuses for good", .limitedConcurrency)
struct RefusalTests {
    private static let tooLarge = TravelError.unavailable(
        .init("The body may have at most 16 bytes.", cause: .requestTooLarge, canRetry: false))
    private static let declined = TravelError.unavailable(
        .init("Pay first.", cause: .requestRefused, canRetry: false))

    private static func new(_ seed: UInt64, _ title: String) throws -> RecordedTrip {
        try TripBuilder(seed: seed, author: User(seed: 1)).with { $0.title = title }.build()
    }

    @Test(
        "a write that is refused for good steps aside with its reason, and the others are sent",
        arguments: [
            (tooLarge, TripConflict.Reason.tooLarge), (declined, .declined), (.wrongCredentials, .forbidden),
            (.forbidden(.trip(World.trip)), .forbidden),
        ], [false, true])
    func stepsAside(refusal: (error: TravelError, reason: TripConflict.Reason), refusesReads: Bool) throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            device.network.quality.refusedTitles = ["large": refusal.error]
            device.network.quality.refusesReads = refusesReads
            try await World.setTitle("large", in: trips)
            try await trips.add([Self.new(7, "large"), Self.new(8, "large too")])
            try await trips.add([Self.new(9, "small")])
            await trips.settle()
            let status = await trips.status()
            #expect((status.connection, status.pendingWrites, status.conflicts) == (.online, 0, 2))
            #expect(await trips.conflicts().map(\.reason) == [refusal.reason, refusal.reason])
            #expect(try await world.remote.trip(Trip.ID(seed: 9), viewer: nil).content.title.text == "small")
        }
    }

    @Test("a removal that is refused without a reason can be sent again")
    func removal() throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            let title = try await trips.trip(World.trip, viewer: nil).title.text
            device.network.quality.refusedTitles = [title: Self.declined]
            device.network.quality.refusesReads = true
            try await trips.update(World.trip, by: World.author) { _ in nil }
            await trips.settle()
            let conflict = try #require(await trips.conflicts().first)
            #expect(conflict.theirs == nil)
            device.network.quality = .perfect
            try await trips.resolve(conflict.id, with: .keepMine)
            await trips.settle()
            #expect(await trips.conflicts() == [])
            #expect(try await world.remote.search(World.query()).trips == [])
        }
    }

    @Test("an edit that is refused without a reason can be sent again")
    func edit() throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            device.network.quality.refusedTitles = ["mine": Self.declined]
            device.network.quality.refusesReads = true
            try await World.setTitle("mine", in: trips)
            await trips.settle()
            #expect(await trips.conflicts().map(\.theirs) == [nil])
            device.network.quality = .perfect
            for _ in 0..<2 {
                for conflict in await trips.conflicts() { try await trips.resolve(conflict.id, with: .keepMine) }
                await trips.settle()
            }
            #expect(await trips.conflicts() == [])
            #expect(try await world.remote.trip(World.trip, viewer: nil).title.text == "mine")
        }
    }

    @Test("a refused trip can be sent again, changed, dropped, or kept as a new trip")
    func choices() throws {
        for choice in 0..<4 {
            try withDevice { world, device, trips in
                device.network.quality.refusedTitles = ["large": Self.tooLarge]
                let image = try TripImage(seed: 1)
                let entry = try TimelineEntry(
                    id: .init(seed: 70), day: 1, time: TimeOfDay("09:00"), title: Title("Stop"),
                    text: EntryText("text"), pictures: [Picture(image.id)])
                let new = try TripBuilder(seed: 7, author: User(seed: 1)).with {
                    $0.title = "large"
                    $0.timeline = [entry]
                }.build()
                try await trips.add([new], images: [image])
                await trips.settle()
                let conflict = try #require(await trips.conflicts().first)
                device.network.quality.refusedTitles = [:]
                var content = new.content
                content.title = try Title("changed")
                let resolutions: [TripConflict.Resolution] = [
                    .keepMine, .edited(content, timeline: new.timeline), .takeTheirs, .keepCopy,
                ]
                try await trips.resolve(conflict.id, with: resolutions[choice])
                await trips.settle()
                #expect(await trips.status().pendingWrites == 0)
                #expect(await trips.conflicts() == [])
                let query = try TripQuery(TripCriteria(), viewer: World.author)
                let added = try await world.remote.search(query).trips.filter { $0.id != World.trip }
                #expect(added.map(\.content.title.text) == [["large"], ["changed"], [], ["large"]][choice])
                #expect(added.allSatisfy { ($0.id == new.id) == (choice != 3) && $0.author.id == World.author })
                for trip in added {
                    let timeline = try await world.remote.timeline(of: trip.id, viewer: nil)
                    let shown = try #require(timeline.first?.image)
                    #expect(try await world.remote.image(shown, viewer: nil).bytes == image.bytes)
                    #expect(try await trips.timeline(of: trip.id, viewer: World.author) == timeline)
                }
            }
        }
    }

    @Test(
        "a trip whose ID someone else has taken becomes a new trip, and what follows is sent",
        arguments: [TripConflict.Resolution.keepMine, .keepCopy, .takeTheirs])
    func takenIdentity(choice: TripConflict.Resolution) throws {
        try withDevices(users: [1]) { world in
            let trips = try await world.devices[0].trips()
            try await world.remote.add([
                TripBuilder(seed: 7, author: User(seed: 2)).with { $0.title = "theirs" }.build()
            ])
            try await trips.add([Self.new(7, "mine")])
            await trips.settle()
            let conflict = try #require(await trips.conflicts().first)
            #expect(conflict.theirs?.author.id == World.other)
            try await trips.resolve(conflict.id, with: choice)
            try await trips.add([Self.new(9, "later")])
            await trips.settle()
            let status = await trips.status()
            #expect((status.connection, status.pendingWrites, status.conflicts) == (.online, 0, 0))
            let query = try TripQuery(TripCriteria(), viewer: World.author)
            let found = try await world.remote.search(query).trips.filter { $0.id != World.trip }
            let expected = ["later", "theirs"] + (choice == .takeTheirs ? [] : ["mine"])
            #expect(Set(found.map(\.content.title.text)) == Set(expected) && found.count == expected.count)
            #expect(try await trips.search(query) == world.remote.search(query))
        }
    }

    @Test("a trip that was removed before it was sent, and whose ID someone else has taken, leaves nothing to decide")
    func removedWithTakenIdentity() throws {
        try withDevices(users: [1]) { world in
            let device = world.devices[0]
            let trips = try await device.trips()
            device.network.quality = .offline
            try await trips.add([Self.new(7, "mine")])
            try await World.setTitle("mine 2", of: Trip.ID(seed: 7), in: trips)
            try await trips.update(Trip.ID(seed: 7), by: World.author) { _ in nil }
            try await trips.add([Self.new(9, "later")])
            let foreign = try TripBuilder(seed: 7, author: User(seed: 2)).with { $0.title = "theirs" }.build()
            try await world.remote.add([foreign])

            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts() == [])
            #expect(try await device.outbox.items() == [])
            #expect(try await device.local.knowledge(of: foreign.id) == .complete(foreign))
            #expect(try await world.remote.knowledge(of: foreign.id) == .complete(foreign))
            #expect(try await world.remote.trip(Trip.ID(seed: 9), viewer: nil).title.text == "later")
        }
    }

    @Test("a trip that is refused for good and was removed before it was sent leaves nothing to decide")
    func removedWhileRefused() throws {
        try withDevices(users: [1]) { world in
            let device = world.devices[0]
            let trips = try await device.trips()
            device.network.quality = .offline
            try await trips.add([Self.new(7, "large")])
            try await trips.update(Trip.ID(seed: 7), by: World.author) { _ in nil }
            device.network.quality = .perfect
            device.network.quality.refusedTitles = ["large": Self.tooLarge]
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts() == [])
            #expect(try await device.outbox.items() == [])
        }
    }

    @Test("a stored conflict about a removal does not remove the trip that someone else has under its ID")
    func storedRemovalWithTakenIdentity() throws {
        let foreign = try TripBuilder(seed: 7, author: User(seed: 2)).with { $0.title = "theirs" }.build()
        var content = foreign.content
        content.title = try Title("changed")
        let edited = TripConflict.Resolution.edited(content, timeline: [])
        for resolution in [.keepMine, .takeTheirs, .keepCopy, edited] {
            try withDevices(users: [1]) { world in
                let device = world.devices[0]
                try await world.remote.add([foreign])
                let write = TripWrite.remove(foreign.id, replacing: .first, by: World.author)
                let conflict = TripConflict(id: 1, wanted: write, reason: .taken, theirs: foreign)
                try await device.outbox.save(QueuedWrite(number: 1, write: write, conflict: conflict).item())
                let trips = try await device.trips()
                try await trips.refresh(.timeline(foreign.id, viewer: World.author))
                try await trips.refresh(.timeline(World.trip, viewer: World.author))
                try await trips.resolve(conflict.id, with: resolution)
                await World.settle(trips)
                #expect(await trips.conflicts() == [])
                #expect(try await device.outbox.items() == [])
                let query = try TripQuery(TripCriteria(), viewer: World.author)
                let found = try await world.remote.search(query).trips.filter { $0.id != World.trip }
                let (own, others) = (found.filter(\.isMine), found.filter { !$0.isMine })
                #expect(others.map(\.title.text) == ["theirs"])
                #expect(own.map(\.title.text) == (resolution == edited ? ["changed"] : []))
                #expect(try await trips.search(query) == world.remote.search(query))
            }
        }
    }

    @Test("a change of someone else's trip that an earlier version has stored steps aside")
    func foreignTripInOutbox() throws {
        try withDevices(users: [1]) { world in
            let device = world.devices[0]
            let foreign = try TripBuilder(seed: 7, author: User(seed: 2)).build()
            try await world.remote.add([foreign])
            device.network.quality.refusesReads = true
            device.network.quality.refusedTitles = [foreign.content.title.text: .forbidden(.user(World.other))]
            let write = TripWrite.update(foreign, replacing: .first, images: [])
            try await device.outbox.save(OutboxItem(1, StoredWrite(QueuedWrite(number: 1, write: write))))
            let trips = try await device.trips()
            try await trips.add([Self.new(9, "later")])
            await trips.settle()
            #expect(await trips.conflicts().map(\.reason) == [.forbidden])
            #expect(try await world.remote.trip(Trip.ID(seed: 9), viewer: nil).content.title.text == "later")
            device.network.quality.refusesReads = false
            device.network.quality.refusedTitles = [:]
            try await trips.resolve(1, with: .takeTheirs)
            #expect(await trips.conflicts() == [])
        }
    }

    @Test(
        "waiting until everything is sent ends with the first write that cannot be sent, also while reads are answered")
    func settlingEnds() throws {
        try withDevice { world, device, trips in
            device.network.quality.refusedTitles = [
                "later": .unavailable(.init("Too much to do.", cause: .serverBusy, canRetry: true))
            ]
            try await trips.add([Self.new(9, "later")])
            for _ in 0..<3 {
                async let answer: Void = trips.refresh(.blocked(by: World.author))
                await trips.settle()
                try await answer
            }
            #expect(await trips.status().pendingWrites == 1)
            device.network.quality.refusedTitles = [:]
            await World.settle(trips)
        }
    }
}
