import Foundation
import TestTurns
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

@Suite("Travels that have vanished from the remote store", .takesTurns)
struct VanishedTravelTests {
    @Test("a trip of one's own that the server has lost is reported, also after a restart, and can be restored")
    func isReported() throws {
        try withDevices { world in
            let (device, image) = (world.devices[0], try TravelImage(seed: 1))
            let entry = try TimelineEntry(
                id: TimelineEntry.ID(seed: 1), day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"),
                text: EntryText("Text"), image: image.id)
            try await device.travels().update(World.trip, by: World.author, adding: [image]) {
                travel throws(TravelError) in try travel.saving(entry)
            }
            await World.settle(try await device.travels())
            let before = try await device.travels().timeline(of: World.trip, viewer: World.author)
            try await world.remote.update(World.trip, by: World.author) { _ in nil }

            try await device.travels().refresh(.timeline(World.trip, viewer: World.author))
            #expect(try await device.local.knowledge(of: World.trip) == .unknown)
            #expect(try await device.travels().status().vanishedTravels == 1)
            await device.kill()

            let travels = try await device.travels()
            let vanished = try #require(await travels.vanishedTravels().first)
            #expect(vanished.id == World.trip && vanished.travel.timeline == before)
            #expect(await travels.status().pendingWrites == 0)
            try await travels.restore(vanished.id)
            try await travels.restore(vanished.id)
            await World.settle(travels)
            #expect(await travels.status().vanishedTravels == 0)
            #expect(try await world.remote.timeline(of: World.trip, viewer: nil) == before)
            #expect(try await world.remote.image(image.id, viewer: nil) == image)
            // A server accepts it.
            let version = try await world.remote.travel(World.trip, viewer: nil).version.number
            #expect((1 << 20...PublishTravel.largestVersion).contains(version))
        }
    }

    @Test("a trip of the owner of the device that is missing while nobody is signed in is reported")
    func isReportedSignedOut() throws {
        try withDevices { world in
            let device = world.devices[0]
            let request = TravelRequest.timeline(World.trip, viewer: nil)
            try await device.travels().refresh(request)
            await device.kill()
            let travels = try await CachedTravelRepository.open(
                local: device.local, remote: world.remote, outbox: InMemoryOutbox(), owner: World.author,
                clock: world.clock, now: { World.now })
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await travels.refresh(request)
            #expect(try await device.local.knowledge(of: World.trip) == .unknown)
            #expect(await travels.vanishedTravels().map(\.id) == [World.trip])
        }
    }

    @Test("a trip that is there again, that is forgotten, or that this device removes, is not reported")
    func isNotReported() throws {
        try withDevices(2) { world in
            let (travels, other) = (try await world.devices[0].travels(), try await world.devices[1].travels())
            let request = TravelRequest.timeline(World.trip, viewer: World.author)
            try await travels.refresh(request)
            let trip = try await { () -> RecordedTravel? in
                guard case .complete(let trip) = try await world.devices[0].local.knowledge(of: World.trip) else {
                    return nil
                }
                return trip
            }()
            try await other.update(World.trip, by: World.author) { _ in nil }
            await World.settle(other)
            #expect(await other.vanishedTravels() == [])
            try await other.refresh(request)
            #expect(await other.vanishedTravels() == [])

            try await travels.refresh(request)
            #expect(await travels.vanishedTravels().map(\.travel) == [try #require(trip)])
            try await world.remote.add([try #require(trip)])
            try await travels.refresh(request)
            #expect(await travels.vanishedTravels() == [])

            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await travels.refresh(request)
            try await travels.forget(World.trip)
            #expect(await travels.status().vanishedTravels == 0)
            await world.devices[0].kill()
            #expect(try await world.devices[0].travels().vanishedTravels() == [])
        }
    }

    @Test("trips of others, and trips that are in conflict, are not reported as vanished")
    func othersAreNotReported() throws {
        try withDevices(2, people: [2, 1]) { world in
            let (reader, author) = (try await world.devices[0].travels(), try await world.devices[1].travels())
            let request = TravelRequest.timeline(World.trip, viewer: World.other)
            try await reader.refresh(request)
            _ = try await author.timeline(of: World.trip, viewer: World.author)
            world.devices[1].network.quality = .offline
            try await World.setTitle("mine", in: author)
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await reader.refresh(request)
            #expect(try await world.devices[0].local.knowledge(of: World.trip) == .unknown)
            #expect(await reader.vanishedTravels() == [])
            world.devices[1].network.quality = .perfect
            await author.reconnect()
            await World.settle(author)
            #expect(await author.status().conflicts == 1)
            #expect(await author.vanishedTravels() == [])
        }
    }

    @Test("all trips of a person whose account the server has lost are reported")
    func peopleVanish() throws {
        try withDevices { world in
            let travels = try await world.devices[0].travels()
            try await world.remote.add(
                (10..<160).map {
                    try TravelBuilder(seed: $0, author: User(seed: 1)).build()
                })
            for seed in [1] + Array(UInt64(10)..<160) {
                _ = try await travels.timeline(of: Travel.ID(seed: seed), viewer: World.author)
            }
            try await world.remote.removeUser(World.author, by: World.author)
            try await travels.refresh(.user(World.author))
            #expect(await travels.vanishedTravels().count == 151)
            #expect(try await world.devices[0].local.knowledge(of: World.trip) == .unknown)
        }
    }
}
