import TestTurns
import Testing
import TravelDataInMemory
import TravelDomainTesting

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
