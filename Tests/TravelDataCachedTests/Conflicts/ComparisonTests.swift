import StreamsTesting
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

@Suite("A comparison of one's own trips with the remote store", .limitedConcurrency)
struct ComparisonTests {
    @Test("a trip that the remote store has lost is found, on whichever page, and can be sent again")
    func findsLostTrips() throws {
        try withDevice { world, device, trips in
            let added = try (10..<240 as Range<UInt64>).map { try TripBuilder(seed: $0, author: User(seed: 1)).build() }
            try await trips.add(added)
            await trips.settle()
            let lost = [added[0], added[115], added[229]]
            for trip in lost { try await world.remote.update(trip.id, by: World.author) { _ in nil } }
            #expect(await trips.status().vanishedTrips == 0)
            try await trips.compareTrips(of: World.author)
            #expect(Set(await trips.vanishedTrips().map(\.id)) == Set(lost.map(\.id)))
            for trip in lost { try await trips.restore(trip.id) }
            await trips.settle()
            try await trips.compareTrips(of: World.author)
            #expect(await trips.vanishedTrips() == [])
            for trip in lost {
                #expect(try await world.remote.trip(trip.id, viewer: nil).content == trip.content)
            }
        }
    }

    @Test("a trip whose addition waits is not missing, and without an answer nothing is")
    func waitsForWrites() throws {
        try withDevice { world, device, trips in
            device.network.quality = .offline
            try await trips.add([TripBuilder(seed: 10, author: User(seed: 1)).build()])
            await #expect(throws: TravelError.self) { try await trips.compareTrips(of: World.author) }
            #expect(await trips.vanishedTrips() == [])
            device.network.quality = .perfect
            await trips.reconnect()
            try await trips.compareTrips(of: World.author)
            await World.settle(trips)
            try await trips.compareTrips(of: World.author)
            #expect(await trips.vanishedTrips() == [])
        }
    }

    @Test("reads that the remote store does not answer in time are counted, until it answers")
    func countsUnansweredReads() throws {
        try withDevices(users: [1], remoteTimeout: .seconds(3)) { world in
            let (device, other) = (world.devices[0], Trip.ID(seed: 9))
            try await world.remote.add([TripBuilder(seed: 9, author: User(seed: 2)).build()])
            let trips = try await device.trips()
            for id in [World.trip, other] { _ = try await trips.trip(id, viewer: World.author) }
            for id in [World.trip, other] { _ = try await trips.trip(id, viewer: World.author) }
            #expect(await trips.unansweredReads().trips == 0)
            device.network.quality = .offline
            _ = try await trips.trip(other, viewer: World.author)
            let reads = await trips.unansweredReads()
            #expect((reads.trips, reads.allTrips, reads.includesSearch) == (1, 2, false))
            device.network.quality = .perfect
            await trips.reconnect()
            try await trips.refresh(.trip(other, viewer: World.author))
            _ = try await trips.trip(other, viewer: World.author)
            #expect(await trips.unansweredReads().trips == 0)
        }
    }
}
