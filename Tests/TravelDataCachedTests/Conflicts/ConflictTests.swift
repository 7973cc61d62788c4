import StreamsTesting
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting
import TravelHistories

@Suite("Conflicts of a cached repository", .limitedConcurrency)
struct ConflictTests {
    enum Decision: CaseIterable {
        case mine, theirs, edited
    }

    @Test("an edit of an outdated version becomes a conflict, which the person decides", arguments: Decision.allCases)
    func decides(_ decision: Decision) throws {
        try withDevices(2) { world in
            let (conflict, mine) = try await conflict(in: world)
            let trips = try await world.devices[0].trips()
            #expect(conflict.reason == .outdated && conflict.theirs?.content.title.text == "theirs")
            guard case .update(let wanted, _, _) = conflict.wanted else {
                Issue.record("not an update: \(conflict.wanted)")
                return
            }
            #expect(wanted.content.title.text == "mine 2" && wanted.timeline == [mine])
            #expect(try await trips.trip(World.trip, viewer: nil).title.text == "theirs")

            switch decision {
            case .mine: try await trips.resolve(conflict.id, with: .keepMine)
            case .theirs: try await trips.resolve(conflict.id, with: .takeTheirs)
            case .edited:
                var content = wanted.content
                content.title = try Title("both")
                try await trips.resolve(conflict.id, with: .edited(content, timeline: [mine]))
            }
            try await trips.resolve(conflict.id, with: .keepMine)
            await World.settle(trips)
            #expect(await trips.status().conflicts == 0)
            let (title, timeline) =
                switch decision {
                case .mine: ("mine 2", [mine])
                case .theirs: ("theirs", [])
                case .edited: ("both", [mine])
                }
            for store in [world.remote, world.devices[0].local] as [any TravelStore] {
                #expect(try await store.trip(World.trip, viewer: nil).title.text == title)
                #expect(try await store.timeline(of: World.trip, viewer: nil) == timeline)
                // By the clock of the device, the edits were made in the future.
                let isNow = try await store.trip(World.trip, viewer: nil).updatedAt == World.now
                #expect(isNow == (decision != .theirs))
            }
        }
    }

    @Test("a conflict and the refused write survive the end of the process")
    func survives() throws {
        try withDevices(2) { world in
            let (conflict, _) = try await conflict(in: world)
            await world.devices[0].kill()
            let trips = try await world.devices[0].trips()
            #expect(await trips.conflicts() == [conflict])
            #expect(await trips.status().conflicts == 1)
            try await trips.resolve(conflict.id, with: .keepMine)
            await World.settle(trips)
            #expect(try await world.remote.trip(World.trip, viewer: nil).title.text == "mine 2")
        }
    }

    @Test("a trip that was removed elsewhere can be written again with its images")
    func writesAgain() throws {
        try withDevices(2) { world in
            let (a, b) = (try await world.devices[0].trips(), try await world.devices[1].trips())
            let image = try TripImage(seed: 1)
            let entry = try entry(1, image: image.id)
            try await a.update(World.trip, by: World.author, adding: [image]) { trip throws(TravelError) in
                try trip.saving(entry)
            }
            await World.settle(a)
            world.devices[0].network.quality = .offline
            try await World.setTitle("mine", in: a)
            try await b.update(World.trip, by: World.author) { _ in nil }
            await World.settle(b)
            world.devices[0].network.quality = .perfect
            await a.reconnect()
            await World.settle(a)
            let conflict = try #require(await a.conflicts().first)
            #expect(conflict.reason == .notFound && conflict.theirs == nil)
            try await a.resolve(conflict.id, with: .keepMine)
            await World.settle(a)
            let again = try await world.remote.trip(World.trip, viewer: nil)
            #expect(again.title.text == "mine" && again.createdAt == World.now)
            #expect(try await world.remote.image(image.id, viewer: nil) == image)
        }
    }

    @Test("a trip that is added again has a version that no other device has stored with another content")
    func versionsAreUnique() throws {
        try withDevices(3, users: [1, 1, 1]) { world in
            let (phone, tablet) = (try await world.devices[0].trips(), try await world.devices[1].trips())
            let third = try await world.devices[2].trips()
            _ = try await tablet.timeline(of: World.trip, viewer: World.author)
            world.devices[1].network.quality = .offline
            try await World.setTitle("tablet", in: tablet)
            try await World.setTitle("phone", in: phone)
            await World.settle(phone)
            _ = try await third.timeline(of: World.trip, viewer: World.author)
            try await phone.update(World.trip, by: World.author) { _ in nil }
            await World.settle(phone)
            world.devices[1].network.quality = .perfect
            await tablet.reconnect()
            await World.settle(tablet)
            try await tablet.resolve(try #require(await tablet.conflicts().first).id, with: .keepMine)
            await World.settle(tablet)

            let versions = Dictionary(grouping: world.log.versions, by: \.version).mapValues { Set($0.map(\.content)) }
            #expect(versions.values.allSatisfy { $0.count == 1 }, "one version has several contents")
            try await third.refresh(.timeline(World.trip, viewer: World.author))
            #expect(try await third.trip(World.trip, viewer: World.author).title.text == "tablet")
        }
    }

    @Test(
        "of two conflicts of a trip that was removed elsewhere, either can be decided for after the other",
        arguments: [true, false])
    func decidesTwice(isOffline: Bool) throws {
        try withDevice { world, device, trips in
            for title in ["first", "second"] {
                try await trips.refresh(.timeline(World.trip, viewer: World.author))
                device.network.quality = .offline
                try await World.setTitle(title, in: trips)
                try await world.remote.update(World.trip, by: World.author) { _ in nil }
                device.network.quality = .perfect
                await trips.reconnect()
                await World.settle(trips)
                if title == "first" { try await world.remote.add([TripBuilder(seed: 1).build()]) }
            }
            let conflicts = await trips.conflicts()
            #expect(conflicts.count == 2 && conflicts.allSatisfy { $0.theirs == nil })
            if isOffline { device.network.quality = .offline }
            for conflict in conflicts {
                try await trips.resolve(conflict.id, with: .keepMine)
                if !isOffline { await World.settle(trips) }
            }
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            // What this device has added in between is on the server: its user decides about that as well.
            for conflict in await trips.conflicts() { try await trips.resolve(conflict.id, with: .keepMine) }
            await World.settle(trips)
            #expect(await trips.conflicts() == [])
            let found = try await world.remote.search(World.query()).trips
            #expect(found.map(\.content.title.text) == ["second"])
            #expect(try await trips.search(World.query()).trips == found)
        }
    }

    @Test("a trip that another device has added again is not replaced before the user has seen it")
    func returned() throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            device.network.quality = .offline
            try await World.setTitle("mine", in: trips)
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            let there = try TripBuilder(seed: 1).with { $0.title = "again" }.build()
            try await world.remote.add([there])
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            let conflict = try #require(await trips.conflicts().first)
            try await trips.resolve(conflict.id, with: .keepMine)
            await World.settle(trips)
            #expect(try await world.remote.trip(World.trip, viewer: nil).title.text == "again")
            let next = try #require(await trips.conflicts().first)
            #expect((next.id, next.reason, next.theirs) == (conflict.id, .outdated, there))
            await device.kill()
            let reopened = try await device.trips()
            #expect(await reopened.conflicts() == [next])
            try await reopened.resolve(next.id, with: .keepMine)
            await World.settle(reopened)
            #expect(try await world.remote.trip(World.trip, viewer: nil).title.text == "mine")
            #expect(await reopened.conflicts() == [])
        }
    }

    @Test("a nickname that someone else has taken in the meantime becomes a conflict")
    func nicknames() throws {
        try withDevice { world, device, trips in
            _ = try await trips.user(World.author)
            device.network.quality = .offline
            try await trips.rename(World.author, to: Nickname("Mina"), by: World.author)
            #expect(try await trips.user(World.author).nickname.text == "Mina")
            try await world.remote.rename(World.other, to: Nickname("mina"), by: World.other)
            device.network.quality = .perfect
            await World.settle(trips)
            let conflict = try #require(await trips.conflicts().first)
            #expect(conflict.reason == .taken)
            #expect(conflict.wanted == .rename(World.author, try Nickname("Mina")))
            #expect(try await device.local.user(World.author) == User(seed: 1))
            try await trips.resolve(conflict.id, with: .takeTheirs)
            #expect(await trips.conflicts() == [])
        }
    }

    @Test("a newcomer with a nickname that is taken stays until they decide")
    func newcomers() throws {
        try withDevices { world in
            let device = world.devices[0]
            let (trips, user) = (try await device.trips(), try User(seed: 7, nickname: "Mina"))
            device.network.quality = .offline
            try await trips.add(user)
            try await world.remote.rename(World.other, to: Nickname("Mina"), by: World.other)
            device.network.quality = .perfect
            await World.settle(trips)
            let conflict = try #require(await trips.conflicts().first)
            #expect(conflict.reason == .taken && conflict.wanted == .addUser(user))
            #expect(try await device.local.user(user.id) == user)
            try await trips.resolve(conflict.id, with: .takeTheirs)
            try await world.clock.sleep(for: .seconds(1))
            await #expect(throws: TravelError.notFound(.user(user.id))) { try await device.local.user(user.id) }
        }
    }

    @Test("images that the server refuses become conflicts, and the writes after them are sent")
    func refusedImages() throws {
        try withDevice { world, device, trips in
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            device.network.quality = .offline
            let (picture, photo) = (try TripImage(seed: 1), try TripImage(seed: 2))
            try await trips.setAvatar(picture, of: World.author, by: World.author)
            let entry = try entry(1, image: photo.id)
            try await trips.update(World.trip, by: World.author, adding: [photo]) { trip throws(TravelError) in
                try trip.saving(entry)
            }
            try await trips.setLiked(true, trip: World.trip, by: World.author)
            device.network.quality = Network.Quality(refusesImages: true)
            await trips.reconnect()
            await World.settle(trips)

            let conflicts = await trips.conflicts()
            #expect(conflicts.map(\.reason) == [.refused, .refused])
            #expect(conflicts.first?.wanted == .setAvatar(World.author, picture))
            #expect(await trips.status().connection == .online)
            #expect(try await world.remote.trip(World.trip, viewer: nil).likeCount == 1)
            #expect(try await device.local.user(World.author).avatar == nil)
            #expect(try await device.local.timeline(of: World.trip, viewer: nil) == [])
            for conflict in conflicts { try await trips.resolve(conflict.id, with: .takeTheirs) }
            #expect(await trips.status().conflicts == 0)
        }
    }

    @Test("of several added trips, a remote store whose answer was lost after the first one gets the others")
    func sendsTheOthers() throws {
        try withDevice { world, device, trips in
            let added = try (5...7).map { try TripBuilder(seed: $0, author: User(seed: 1)).build() }
            device.network.quality = .offline
            try await trips.add(added)
            // A server adds one after the other.
            try await world.remote.add([added[0]])
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts() == [])
            for trip in added {
                #expect(try await world.remote.trip(trip.id, viewer: nil).title == trip.content.title)
            }
        }
    }

    @Test("a write whose answer was lost is sent again without a second effect or a conflict")
    func lostAnswers() throws {
        try withDevice { world, device, trips in
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            device.network.quality = Network.Quality(lostAnswers: 80)
            try await World.setTitle("바다", in: trips)
            try await trips.setLiked(true, trip: World.trip, by: World.author)
            try await trips.add([TripBuilder(seed: 5, author: User(seed: 1)).build()])
            try await trips.add(User(seed: 8))
            try await trips.block(User.ID(seed: 8), by: World.author)
            try await trips.update(Trip.ID(seed: 5), by: World.author) { _ in nil }
            await World.settle(trips)
            #expect(await trips.conflicts() == [])
            #expect(world.log.versions.map(\.version.number) == [2, 1])
            #expect(try await world.remote.trip(World.trip, viewer: nil).likeCount == 1)
        }
    }

    /// What the remote store has under the ID of a trip that a device adds.
    enum Occupant: CaseIterable {
        case anotherAuthor, anotherTime
    }

    @Test("of several added trips, one whose ID another trip has is a conflict", arguments: Occupant.allCases)
    func takenIDs(occupant: Occupant) throws {
        try withDevice { world, device, trips in
            let added = try (5...6).map { try TripBuilder(seed: $0, author: User(seed: 1)).build() }
            device.network.quality = .offline
            try await trips.add(added)
            let other =
                switch occupant {
                case .anotherAuthor: try TripBuilder(seed: 5, author: User(seed: 2))
                case .anotherTime: try TripBuilder(seed: 5, author: User(seed: 1)).with { $0.createdAt += 60 }
                }
            try await world.remote.add([other.build()])
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts().map(\.reason) == [.taken])
        }
    }

    @Test("an edit is no repeat of another one with an equal content", arguments: [true, false])
    func equalContents(changesTrack: Bool) throws {
        try withDevice { world, device, trips in
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            device.network.quality = .offline
            for (seed, store) in [(1, trips), (2, world.remote)] as [(UInt64, any TripEditingRepository)] {
                let latitude = 30 + Double(seed)
                let track = try TrackGeometry([
                    [Coordinate(latitude: latitude, longitude: 127), Coordinate(latitude: latitude, longitude: 128)]
                ])
                let timeline = changesTrack ? [] : [try entry(seed)]
                try await store.update(World.trip, by: World.author, adding: []) { trip throws(TravelError) in
                    try RecordedTrip(
                        id: trip.id, author: trip.author, createdAt: trip.createdAt, content: trip.content,
                        timeline: timeline, track: changesTrack ? track : nil)
                }
            }
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts().map(\.reason) == [.outdated])
        }
    }

    @Test("a conflict exists once, and alone in the outbox, also if the process ended before it had removed the edits")
    func existsOnce() throws {
        try withDevices { world in
            let (device, trips) = (world.devices[0], try await world.devices[0].trips())
            _ = try await trips.timeline(of: World.trip, viewer: World.author)
            device.network.quality = .offline
            for title in ["a", "b"] { try await World.setTitle(title, in: trips) }
            let edits = try await device.outbox.items()
            try await World.setTitle("theirs", in: world.remote)
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            let conflicts = await trips.conflicts()
            #expect(try await device.outbox.items().map(\.number) == conflicts.map(\.id))
            await device.kill()
            try await device.outbox.save(try #require(edits.last))
            let next = try await device.trips()
            await World.settle(next)
            #expect(await next.conflicts() == conflicts)
            #expect(try await device.outbox.items().map(\.number) == conflicts.map(\.id))
        }
    }

    @Test("a device with a conflict asks for the trip when it starts")
    func asksAtTheStart() throws {
        try withDevices(2) { world in
            _ = try await conflict(in: world)
            let device = world.devices[0]
            await device.kill()
            try await World.setTitle("newer", in: world.remote)
            await (try await device.trips()).settle()
            #expect(try await device.local.trip(World.trip, viewer: nil).title.text == "newer")
        }
    }

    @Test("a newcomer whom the remote store has already gets the nickname that they have there")
    func knownNewcomer() throws {
        try withDevice { world, device, trips in
            device.network.quality = .offline
            try await trips.add(User(seed: 7, nickname: "Mina"))
            try await world.remote.add(User(seed: 7, nickname: "Sora"))
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            await trips.settle()
            #expect(await trips.conflicts() == [])
            #expect(try await device.local.user(User.ID(seed: 7)).nickname.text == "Sora")
        }
    }

    @Test("a block of someone whom the remote store has removed is a conflict, and they are gone here, too")
    func blockOfNobody() throws {
        try withDevice { world, device, trips in
            for user in [World.author, World.other] { _ = try await trips.user(user) }
            device.network.quality = .offline
            try await trips.block(World.other, by: World.author)
            try await world.remote.removeUser(World.other, by: World.other)
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts().map(\.reason) == [.notFound])
            await #expect(throws: TravelError.notFound(.user(World.other))) { try await device.local.user(World.other) }
        }
    }

    /// Edits the trip twice on the first device, while the second has sent another edit.
    private func conflict(in world: World) async throws -> (TripConflict, TimelineEntry) {
        let (a, b) = (try await world.devices[0].trips(), try await world.devices[1].trips())
        for trips in [a, b] { _ = try await trips.timeline(of: World.trip, viewer: World.author) }
        let mine = try entry(1)
        world.devices[0].network.quality = .offline
        try await World.setTitle("mine", in: a)
        try await World.setTitle("mine 2", in: a)
        try await a.update(World.trip, by: World.author) { trip throws(TravelError) in try trip.saving(mine) }
        try await World.setTitle("theirs", in: b)
        await World.settle(b)
        world.devices[0].network.quality = .perfect
        await a.reconnect()
        await World.settle(a)
        #expect(await a.conflicts().count == 1)
        return (try #require(await a.conflicts().first), mine)
    }

    private func entry(_ seed: UInt64, image: TripImage.ID? = nil) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"),
            text: EntryText("Text"), pictures: image.map { [Picture($0)] } ?? [])
    }
}
