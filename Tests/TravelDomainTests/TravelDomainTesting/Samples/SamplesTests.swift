import Testing
import TestTurns
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

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
        func travels(seed: UInt64) throws -> [RecordedTravel] {
            var samples = TravelGenerator(seed: seed)
            return try samples.travels(50, by: [samples.person(), samples.person()])
        }
        #expect(try travels(seed: 7) == travels(seed: 7))
        #expect(try travels(seed: 7) != travels(seed: 8))
    }

    @Test("samples contain every value of every filter, and repeated times")
    func samplesAreVaried() throws {
        var samples = TravelGenerator(seed: 1)
        let travels = try samples.travels(1_000, by: [samples.person()])
        #expect(Set(travels.map(\.content.region)) == Set(Region.allCases))
        #expect(Set(travels.flatMap(\.content.themes)) == Set(Theme.allCases))
        #expect(Set(travels.flatMap(\.content.companions)) == Set(Companion.allCases))
        #expect(Set(travels.map(\.content.days.season)) == Set(Season.allCases))
        #expect(Set(travels.map(\.content.days.period)) == Set(Period.allCases))
        #expect(Set(travels.map(\.content.headcount)) == Set(Headcount.allCases + [nil]))
        #expect(Set(travels.map(\.content.budget)) == Set(Budget.allCases + [nil]))
        #expect(Set(travels.map(\.content.transportation)) == Set(Transportation.allCases + [nil]))
        #expect(Set(travels.map(\.createdAt)).count < travels.count)
        #expect(Set(travels.map(\.id)).count == travels.count)
    }

    @Test("a builder builds the trip of its seed with the changed parts")
    func buildersFollowFromTheirSeed() throws {
        let builder = try TravelBuilder(seed: 3)
        let changed = builder.with { $0.region = .jeju }
        #expect(try builder.build() == TravelBuilder(seed: 3).build())
        #expect(try changed.build().content.region == .jeju)
        #expect(try changed.build().id == Travel.ID(seed: 3))
        #expect(throws: TravelError.self) { try builder.with { $0.title = "" }.build() }
    }

    @Test("IDs of different seeds differ and are UUIDs of version 4")
    func identitiesFollowFromTheirSeed() {
        let ids = (0..<1_000).map { Travel.ID(seed: $0) }
        #expect(Set(ids).count == 1_000)
        #expect(ids.allSatisfy { Array($0.description)[14] == "4" && "89ab".contains(Array($0.description)[19]) })
        #expect(ids[7] == Travel.ID(seed: 7))
    }
}

@Suite("Intercepted stores", .takesTurns)
struct InterceptedStoreTests {
    private let user = User.ID(seed: 1)
    private let travel = Travel.ID(seed: 1)
    private let query: TravelQuery

    init() throws {
        query = try TravelQuery(TravelCriteria(), viewer: nil)
    }

    @Test("a failing store throws its error from calls and observations")
    func failing() async throws {
        let store = InterceptedStore.failing(with: .notFound(.travel(travel)))
        await #expect(throws: TravelError.notFound(.travel(travel))) { try await store.search(query) }
        await #expect(throws: TravelError.notFound(.travel(travel))) { try await store.removeUser(user, by: user) }
        await #expect(throws: TravelError.notFound(.travel(travel))) {
            for try await _ in store.observe(query) {}
        }
    }

    @Test("a store that fails twice for one call forwards the others, and then this one")
    func flaky() async throws {
        let store = InterceptedStore.failing(InMemoryTravelRepository(), at: [.search], times: 2)
        _ = try await store.blocked(by: user)
        for _ in 0..<2 {
            await #expect(throws: InterceptedStore.outage) { try await store.search(query) }
        }
        #expect(try await store.search(query).travels.isEmpty)
    }

    @Test("a slow store waits on its clock, and does not forward cancelled calls")
    func slow() async throws {
        let clock = RecordingClock()
        let sound = InMemoryTravelRepository()
        let store = InterceptedStore.slow(sound, by: .seconds(2), clock: clock, at: [.search, .addUser])
        #expect(try await store.search(query).travels.isEmpty)
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

    @Test("an intercepted store fulfils the contract of its base", arguments: TravelRepositoryContract.checks.prefix(5))
    func fulfilsTheContractOfItsBase(check: ContractCheck<any TravelRepository>) async throws {
        try await check.run { InterceptedStore(InMemoryTravelRepository()) { _ in } }
    }

    @Test("an intercepted store forwards observed values")
    func observing() async throws {
        let store = InterceptedStore(InMemoryTravelRepository()) { _ in }
        try await watch(store.observe(query)) { pages in
            #expect(try await pages.next().travels.isEmpty)
            try await store.add([TravelBuilder(seed: 1).build()], images: [])
            #expect(try await pages.next().travels.count == 1)
        }
    }
}
