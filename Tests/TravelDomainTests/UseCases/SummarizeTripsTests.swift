import Foundation
import StreamsTesting
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Summing up what a user has recorded", .inVirtualTime)
struct SummarizeTripsTests {
    let trips = InMemoryTripRepository()
    let author = User.ID(seed: 1)

    private func summary(_ store: (any TravelStore)? = nil, of user: User.ID? = nil) async throws -> TravelSummary {
        let session = InMemorySession(signedIn: user ?? author)
        var values = SummarizeTrips(trips: store ?? trips, session: session)().makeAsyncIterator()
        return try #require(try await values.next(isolation: nil))
    }

    private func day(_ text: String) throws -> CalendarDay { try CalendarDay(text) }

    @Test(
        "the sums of generated trips are those of a plain loop",
        arguments: zip(1...6 as ClosedRange<UInt64>, [0, 1, 19, 100, 101, 230]))
    func generated(seed: UInt64, count: Int) async throws {
        var samples = TripGenerator(seed: seed)
        let people = [try samples.user(), try samples.user()]
        let all = try samples.trips(count, by: people)
        for person in people { try await trips.add(person) }
        try await trips.add(all)
        for person in people {
            let own = all.filter { $0.author.id == person.id }
            var (dates, metres, regions) = (Set<CalendarDay>(), 0.0, [Region: Int]())
            for trip in own {
                for offset in 0..<trip.content.days.count { dates.insert(trip.content.days.first.adding(days: offset)) }
                metres += trip.track?.length ?? 0
                regions[trip.content.region, default: 0] += 1
            }
            let summary = try await summary(of: person.id)
            #expect(Set(summary.trips.map(\.id)) == Set(own.map(\.id)))
            #expect(summary.trips.count == own.count)
            #expect(summary.days == dates.count)
            #expect(abs(summary.length - metres) <= metres * 1e-12)
            #expect(Set(summary.regions) == Set(regions.keys))
            let numbers = summary.regions.map { regions[$0] ?? 0 }
            #expect(numbers == numbers.sorted(by: >))
            for part in summary.trips {
                let trip = try #require(own.first { $0.id == part.id })
                let positions = trip.track.map { $0.segments.flatMap(\.self) } ?? trip.timeline.compactMap(\.coordinate)
                #expect(part.route.first == positions.first && part.route.last == positions.last)
                #expect(part.route.count == min(positions.count, TravelSummary.Part.longestRoute))
                #expect(part.route.allSatisfy(positions.contains))
                #expect((part.destination == nil) == positions.isEmpty)
            }
        }
    }

    @Test("a day that two trips have counts once")
    func overlappingDays() async throws {
        for (seed, first, days) in [
            (1, "2024-05-01", 5), (2, "2024-05-03", 1), (3, "2024-05-05", 3), (4, "2024-06-01", 1),
        ] {
            try await trips.add([
                TripBuilder(seed: UInt64(seed), author: User(seed: 1)).with {
                    ($0.firstDay, $0.numberOfDays) = (first, days)
                }
                .build()
            ])
        }
        #expect(try await summary().days == 7 + 1)
    }

    @Test("the marker of a trip is where it was farthest from its beginning")
    func destination() async throws {
        let places = [(37.55, 126.97), (35.16, 129.16), (36.0, 128.0), (37.55, 126.97)]
        try await trips.add([
            TripBuilder(seed: 1, author: User(seed: 1)).with {
                $0.timeline = try places.enumerated().map { index, place in
                    try TimelineEntry(
                        id: .init(seed: UInt64(index)), day: 1, time: TimeOfDay(hour: 9 + index), title: Title("Stop"),
                        text: EntryText("Here"),
                        place: Place(
                            name: "Place", coordinate: Coordinate(latitude: place.0, longitude: place.1)))
                }
            }.build()
        ])
        let part = try #require(try await summary().trips.first)
        #expect(part.destination == (try Coordinate(latitude: 35.16, longitude: 129.16)))
        #expect(part.route.count == 4)
        #expect(part.length == nil)
    }

    @Test("a summary follows changes, and reads only the trips that have changed")
    func watching() async throws {
        try await trips.add((1...3).map { try TripBuilder(seed: $0, author: User(seed: 1)).build() })
        let calls = Calls()
        let store = InterceptedStore(trips) { await calls.add($0) }
        let session = InMemorySession(signedIn: author)
        try await watch(SummarizeTrips(trips: store, session: session)()) { inbox in
            #expect(try await inbox.next().trips.count == 3)
            let before = await calls.count(of: .timeline)
            #expect(before == 3)
            try await trips.update(Trip.ID(seed: 2), by: author) { trip throws(TravelError) in
                var content = trip.content
                content.region = .jeju
                return try trip.with(content, at: trip.createdAt)
            }
            #expect(try await inbox.next().regions == [.seoul, .jeju])
            #expect(await calls.count(of: .timeline) == before + 1)
            try await trips.update(Trip.ID(seed: 2), by: author) { _ in nil }
            #expect(try await inbox.next().trips.map(\.id) == [3, 1].map { Trip.ID(seed: $0) })
            #expect(await calls.count(of: .timeline) == before + 1)
        }
    }

    @Test("a trip that only likes have changed causes no value")
    func likes() async throws {
        try await trips.add((1...2).map { try TripBuilder(seed: $0, author: User(seed: 1)).build() })
        let session = InMemorySession(signedIn: author)
        try await watch(SummarizeTrips(trips: trips, session: session)()) { inbox in
            #expect(try await inbox.next().trips.count == 2)
            try await trips.setLiked(true, trip: Trip.ID(seed: 1), by: author)
            try await trips.update(Trip.ID(seed: 1), by: author) { _ in nil }
            #expect(try await inbox.next().trips.count == 1)
        }
    }

    @Test("nobody has a summary without signing in")
    func signedOut() async throws {
        var values = SummarizeTrips(trips: trips, session: .signedOut)().makeAsyncIterator()
        await #expect(throws: TravelError.signedOut) { try await values.next(isolation: nil) }
    }
}

/// The calls of a store.
private actor Calls {
    private var all: [InterceptedStore.Call] = []

    func add(_ call: InterceptedStore.Call) { all.append(call) }
    func count(of call: InterceptedStore.Call) -> Int { all.count { $0 == call } }
}
