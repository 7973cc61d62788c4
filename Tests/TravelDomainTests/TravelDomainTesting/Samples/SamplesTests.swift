import Testing
import TestConcurrency
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelSamples

@Suite("Sample values")
struct SamplesTests {
    @Test("the random numbers of a seed are those of SplitMix64")
    func knownNumbers() {
        var random = SeededGenerator(seed: 1_234_567)
        let known: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        for number in known { #expect(random.next() == number) }
    }

    @Test("the same seed gives the same samples, and another seed different ones")
    func samplesFollowFromTheirSeed() throws {
        func trips(seed: UInt64) throws -> [RecordedTrip] {
            var samples = TripGenerator(seed: seed)
            return try samples.trips(50, by: [samples.user(), samples.user()])
        }
        #expect(try trips(seed: 7) == trips(seed: 7))
        #expect(try trips(seed: 7) != trips(seed: 8))
    }

    @Test("samples contain every value of every filter, and repeated times")
    func samplesAreVaried() throws {
        var samples = TripGenerator(seed: 1)
        let trips = try samples.trips(1_000, by: [samples.user()])
        #expect(Set(trips.map(\.content.region)) == Set(Region.allCases))
        #expect(Set(trips.flatMap(\.content.themes)) == Set(Theme.allCases))
        #expect(Set(trips.flatMap(\.content.companions)) == Set(Companion.allCases))
        #expect(Set(trips.map(\.content.days.season)) == Set(Season.allCases))
        #expect(Set(trips.map(\.content.days.period)) == Set(Period.allCases))
        #expect(Set(trips.map(\.content.headcount)) == Set(Headcount.allCases + [nil]))
        #expect(Set(trips.map(\.content.budget)) == Set(Budget.allCases + [nil]))
        #expect(Set(trips.map(\.content.transportation)) == Set(Transportation.allCases + [nil]))
        #expect(Set(trips.map(\.createdAt)).count < trips.count)
        #expect(Set(trips.map(\.id)).count == trips.count)
    }

    @Test("a builder builds the trip of its seed with the changed parts")
    func buildersFollowFromTheirSeed() throws {
        let builder = try TripBuilder(seed: 3)
        let changed = builder.with { $0.region = .jeju }
        #expect(try builder.build() == TripBuilder(seed: 3).build())
        #expect(try changed.build().content.region == .jeju)
        #expect(try changed.build().id == Trip.ID(seed: 3))
        #expect(throws: TravelError.self) { try builder.with { $0.title = "" }.build() }
    }

    @Test("IDs of different seeds differ and are UUIDs of version 4")
    func identitiesFollowFromTheirSeed() {
        let ids = (0..<1_000).map { Trip.ID(seed: $0) }
        #expect(Set(ids).count == 1_000)
        #expect(ids.allSatisfy { Array($0.description)[14] == "4" && "89ab".contains(Array($0.description)[19]) })
        #expect(ids[7] == Trip.ID(seed: 7))
    }
}

/// A part that a trip gets, and that samples or stores do not know, would be lost without a failing test: all samples would
/// have its default value.
@Suite("Parts of sample trips")
struct SamplePartsTests {
    @Test("every part of a trip differs between generated trips, except for audiences, images and what stores change")
    func generatedTrips() throws {
        var samples = TripGenerator(seed: 1)
        let trips = try samples.trips(300, by: [samples.user(), samples.user()])
        #expect(
            Parts(of: trips).constant == [
                "author.avatar", "content.audience", "content.thumbnail", "timeline.pictures", "version.number",
            ])
    }

    @Test("every criterion differs between generated criteria, except for the people")
    func generatedCriteria() {
        var samples = TripGenerator(seed: 1)
        let criteria = (0..<300).map { _ in samples.criteria() }
        #expect(Parts(of: criteria).constant == ["author", "likedBy"])
    }

    @Test(
        "every part of a trip differs between seeded trips, except for audiences, images, tracks, addresses and what stores change"
    )
    func seededTrips() throws {
        var source = try GeneratedTrips(seed: 1, forCount: 300)
        let trips = try source.next(300).map(\.trip)
        #expect(
            Parts(of: trips).constant
                == [
                    "author.avatar", "content.audience", "content.thumbnail", "timeline.pictures",
                    "timeline.place.address",
                    "timeline.place.coordinate", "track", "version.number",
                ])
    }

    @Test("the contract of a store has trips that differ in every part, except for audiences and images")
    func roundTrips() async throws {
        var trips: [TripDetails] = []
        for check in TripRepositoryContract.checks where check.area == "round trip" {
            let store = InMemoryTripRepository()
            try await check.run { store }
            for trip in try await store.search(TripQuery(TripCriteria(), viewer: nil, limit: 100)).trips {
                trips.append(try await store.details(of: trip.id, viewer: nil))
            }
        }
        let parts = Parts(of: try trips.map { try $0.recorded })
        #expect(parts.constant == ["author.avatar", "content.audience", "content.thumbnail", "timeline.pictures"])
    }

    @Test("a part with one value is found at any depth, and one with two values is not")
    func findsConstantParts() throws {
        let place = try Place(name: "sea", coordinate: Coordinate(latitude: 35, longitude: 129))
        let entries = try (0..<2).map { seed in
            try TimelineEntry(seed: seed, day: Int(seed) + 1, text: "\(seed)", place: seed == 0 ? nil : place)
        }
        #expect(
            Parts(of: entries).constant == [
                "pictures", "place.address", "place.coordinate", "place.coordinate.latitude",
                "place.coordinate.longitude", "place.name", "time.minutes", "title.text",
            ])
    }

    @Test("every part of a picture differs between generated pictures")
    func generatedPictures() throws {
        var samples = TripGenerator(seed: 1)
        let pictures = try (0..<300).map { try samples.picture(.init(seed: $0)) }
        #expect(Parts(of: pictures).constant == [])
    }
}

/// The stored properties of values of the domain, at any depth, with the descriptions of their values.
private struct Parts {
    private var values: [String: Set<String>] = [:]

    init(of values: some Sequence<some Any>) {
        for value in values { add(value, to: []) }
    }

    /// The properties that have the same value everywhere.
    var constant: [String] { values.filter { $0.value.count == 1 }.keys.sorted() }

    private mutating func add(_ value: Any, to path: [String]) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .struct where String(reflecting: mirror.subjectType).hasPrefix("TravelDomain."):
            for child in mirror.children { add(child.value, to: path + [child.label ?? ""]) }
        case .optional:
            insert(mirror.children.isEmpty ? "none" : "some", at: path)
            for child in mirror.children { add(child.value, to: path) }
        case .collection, .set:
            insert("\(mirror.children.count)", at: path)
            for child in mirror.children { add(child.value, to: path) }
        default: insert("\(value)", at: path)
        }
    }

    private mutating func insert(_ value: String, at path: [String]) {
        values[path.joined(separator: "."), default: []].insert(value)
    }
}

@Suite("Intercepted stores", .limitedConcurrency)
struct InterceptedStoreTests {
    private let user = User.ID(seed: 1)
    private let trip = Trip.ID(seed: 1)
    private let query: TripQuery

    init() throws {
        query = try TripQuery(TripCriteria(), viewer: nil)
    }

    @Test("a failing store throws its error from calls and observations")
    func failing() async throws {
        let store = InterceptedStore.failing(with: .notFound(.trip(trip)))
        await #expect(throws: TravelError.notFound(.trip(trip))) { try await store.search(query) }
        await #expect(throws: TravelError.notFound(.trip(trip))) { try await store.removeUser(user, by: user) }
        await #expect(throws: TravelError.notFound(.trip(trip))) {
            for try await _ in store.observe(query) {}
        }
    }

    @Test("a store that fails twice for one call forwards the others, and then this one")
    func flaky() async throws {
        let store = InterceptedStore.failing(InMemoryTripRepository(), at: [.search], times: 2)
        _ = try await store.blocked(by: user)
        for _ in 0..<2 {
            await #expect(throws: InterceptedStore.outage) { try await store.search(query) }
        }
        #expect(try await store.search(query).trips.isEmpty)
    }

    @Test("a slow store waits on its clock, and does not forward cancelled calls")
    func slow() async throws {
        let clock = RecordingClock()
        let sound = InMemoryTripRepository()
        let store = InterceptedStore.slow(sound, by: .seconds(2), clock: clock, at: [.search, .addUser])
        #expect(try await store.search(query).trips.isEmpty)
        _ = try await store.isTaken(Nickname("Mina"), exceptBy: user)
        #expect(clock.sleeps == [.seconds(2)])
        let mina = try User(seed: 1, nickname: "Mina")
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.add(mina)
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await !sound.isTaken(mina.nickname, exceptBy: User.ID(seed: 2)))
    }

    @Test("an intercepted store fulfils the contract of its base", arguments: TripRepositoryContract.checks.prefix(5))
    func fulfilsTheContractOfItsBase(check: ContractCheck<any TripRepository>) async throws {
        try await check.run { InterceptedStore(InMemoryTripRepository()) { _ in } }
    }

    @Test("an intercepted store forwards observed values")
    func observing() async throws {
        let store = InterceptedStore(InMemoryTripRepository()) { _ in }
        try await watch(store.observe(query)) { pages in
            #expect(try await pages.next().trips.isEmpty)
            try await store.add([TripBuilder(seed: 1).build()], images: [])
            #expect(try await pages.next().trips.count == 1)
        }
    }
}
