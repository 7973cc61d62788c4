import Foundation
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

@Suite("Trips that have vanished from the remote store", .limitedConcurrency)
struct VanishedTripTests {
    @Test("a trip of one's own that the server has lost is reported, also after a restart, and can be restored")
    func isReported() throws {
        try withDevices { world in
            let (device, image) = (world.devices[0], try TripImage(seed: 1))
            let entry = try TimelineEntry(seed: 1, image: image.id)
            try await device.trips().update(World.trip, by: World.author, adding: [image]) {
                trip throws(TravelError) in try trip.saving(entry)
            }
            await World.settle(try await device.trips())
            let before = try await device.trips().timeline(of: World.trip, viewer: World.author)
            try await world.remote.update(World.trip, by: World.author) { _ in nil }

            try await device.trips().refresh(.timeline(World.trip, viewer: World.author))
            #expect(try await device.local.knowledge(of: World.trip) == .unknown)
            #expect(try await device.trips().status().vanishedTrips == 1)
            await device.kill()

            let trips = try await device.trips()
            let vanished = try #require(await trips.vanishedTrips().first)
            #expect(vanished.id == World.trip && vanished.trip.timeline == before)
            #expect(await trips.status().pendingWrites == 0)
            try await trips.restore(vanished.id)
            try await trips.restore(vanished.id)
            await World.settle(trips)
            #expect(await trips.status().vanishedTrips == 0)
            #expect(try await world.remote.timeline(of: World.trip, viewer: nil) == before)
            #expect(try await world.remote.image(image.id, viewer: nil) == image)
            // A server accepts it.
            let version = try await world.remote.trip(World.trip, viewer: nil).version.number
            #expect((1 << 20...PublishTrip.largestVersion).contains(version))
        }
    }

    @Test("a trip of the owner of the device that is missing while nobody is signed in is reported")
    func isReportedSignedOut() throws {
        try withDevices { world in
            let device = world.devices[0]
            let request = TripRequest.timeline(World.trip, viewer: nil)
            try await device.trips().refresh(request)
            await device.kill()
            let trips = try await CachedTripRepository.open(
                local: device.local, remote: world.remote, outbox: InMemoryOutbox(), owner: World.author,
                clock: world.clock, now: { World.now })
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await trips.refresh(request)
            #expect(try await device.local.knowledge(of: World.trip) == .unknown)
            #expect(await trips.vanishedTrips().map(\.id) == [World.trip])
        }
    }

    @Test("a trip that is there again, that is forgotten, or that this device removes, is not reported")
    func isNotReported() throws {
        try withDevices(2) { world in
            let (trips, other) = (try await world.devices[0].trips(), try await world.devices[1].trips())
            let request = TripRequest.timeline(World.trip, viewer: World.author)
            try await trips.refresh(request)
            let trip = try await { () -> RecordedTrip? in
                guard case .complete(let trip) = try await world.devices[0].local.knowledge(of: World.trip) else {
                    return nil
                }
                return trip
            }()
            try await other.update(World.trip, by: World.author) { _ in nil }
            await World.settle(other)
            #expect(await other.vanishedTrips() == [])
            try await other.refresh(request)
            #expect(await other.vanishedTrips() == [])

            try await trips.refresh(request)
            #expect(await trips.vanishedTrips().map(\.trip) == [try #require(trip)])
            try await world.remote.add([try #require(trip)])
            try await trips.refresh(request)
            #expect(await trips.vanishedTrips() == [])

            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await trips.refresh(request)
            try await trips.forget(World.trip)
            #expect(await trips.status().vanishedTrips == 0)
            await world.devices[0].kill()
            #expect(try await world.devices[0].trips().vanishedTrips() == [])
        }
    }

    @Test("trips of others, and trips that are in conflict, are not reported as vanished")
    func othersAreNotReported() throws {
        try withDevices(2, users: [2, 1]) { world in
            let (reader, author) = (try await world.devices[0].trips(), try await world.devices[1].trips())
            let request = TripRequest.timeline(World.trip, viewer: World.other)
            try await reader.refresh(request)
            _ = try await author.timeline(of: World.trip, viewer: World.author)
            world.devices[1].network.quality = .offline
            try await World.setTitle("mine", in: author)
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await reader.refresh(request)
            #expect(try await world.devices[0].local.knowledge(of: World.trip) == .unknown)
            #expect(await reader.vanishedTrips() == [])
            world.devices[1].network.quality = .perfect
            await author.reconnect()
            await World.settle(author)
            #expect(await author.status().conflicts == 1)
            #expect(await author.vanishedTrips() == [])
        }
    }

    @Test("a vanished trip that is restored after another device has restored an earlier one is a conflict")
    func isRestoredTwice() throws {
        try withDevices(2) { world in
            let (trips, other) = (try await world.devices[0].trips(), try await world.devices[1].trips())
            let request = TripRequest.timeline(World.trip, viewer: World.author)
            for trips in [trips, other] { try await trips.refresh(request) }
            world.devices[1].network.quality = .offline
            try await World.setTitle("two", in: trips)
            await World.settle(trips)
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            world.devices[1].network.quality = .perfect
            for trips in [trips, other] { try await trips.refresh(request) }
            try await other.restore(World.trip)
            await World.settle(other)
            let earlier = try await world.remote.trip(World.trip, viewer: nil)
            #expect(earlier.title.text != "two")
            try await trips.restore(World.trip)
            await World.settle(trips)
            #expect(try await world.remote.trip(World.trip, viewer: nil) == earlier)
            let conflict = try #require(await trips.conflicts().first)
            #expect((conflict.reason, conflict.theirs?.version) == (.taken, earlier.version))
            try await trips.resolve(conflict.id, with: .keepMine)
            await World.settle(trips)
            #expect(try await world.remote.trip(World.trip, viewer: nil).title.text == "two")
        }
    }

    @Test("a trip that was changed after another change of it was refused is reported when it has vanished")
    func isReportedBesideConflict() throws {
        try withDevice { world, device, trips in
            let request = TripRequest.timeline(World.trip, viewer: World.author)
            try await trips.refresh(request)
            let outage = TravelError.Outage("Pay first.", cause: .requestRefused, canRetry: false)
            device.network.quality.refusedTitles = ["refused": .unavailable(outage)]
            try await World.setTitle("refused", in: trips)
            await World.settle(trips)
            try await World.setTitle("accepted", in: trips)
            await World.settle(trips)
            #expect(await trips.conflicts().count == 1)
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await trips.refresh(request)
            #expect(await trips.vanishedTrips().map(\.trip.content.title.text) == ["accepted"])
        }
    }

    @Test("all trips of a person whose account the server has lost are reported")
    func usersVanish() throws {
        try withDevices { world in
            let trips = try await world.devices[0].trips()
            try await world.remote.add(
                (10..<160).map {
                    try TripBuilder(seed: $0, author: User(seed: 1)).build()
                })
            for seed in [1] + Array(UInt64(10)..<160) {
                _ = try await trips.timeline(of: Trip.ID(seed: seed), viewer: World.author)
            }
            try await world.remote.removeUser(World.author, by: World.author)
            try await trips.refresh(.user(World.author))
            #expect(await trips.vanishedTrips().count == 151)
            #expect(try await world.devices[0].local.knowledge(of: World.trip) == .unknown)
        }
    }
}
