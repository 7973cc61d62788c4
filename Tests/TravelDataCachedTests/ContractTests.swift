import Foundation
import TestTurns
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

@Suite("A cached repository fulfils the contracts of a store", .takesTurns)
struct ContractTests {
    @Test(arguments: LocalStore.some(TravelRepositoryContract.checks))
    func fulfilsTravelRepositoryContract(local: LocalStore, check: ContractCheck<any TravelRepository>) async throws {
        try await run(check, over: local) { $0 }
    }

    @Test(arguments: LocalStore.some(TitleRepositoryContract.checks))
    func fulfilsTitleRepositoryContract(local: LocalStore, check: ContractCheck<TitleRepositoryContract.Subject>)
        async throws
    {
        try await run(check, over: local) { $0 }
    }

    @Test(arguments: LocalStore.each(TravelEditingContract.checks))
    func fulfilsTravelEditingContract(local: LocalStore, check: ContractCheck<TravelEditingContract.Subject>)
        async throws
    {
        try await run(check, over: local) { $0 }
    }

    @Test(arguments: LocalStore.each(ModerationContract.checks))
    func fulfilsModerationContract(local: LocalStore, check: ContractCheck<ModerationContract.Subject>) async throws {
        try await run(check, over: local) { $0 }
    }

    @Test(arguments: LocalStore.each(UserRepositoryContract.checks))
    func fulfilsUserRepositoryContract(local: LocalStore, check: ContractCheck<UserRepositoryContract.Subject>)
        async throws
    {
        try await run(check, over: local) { $0 }
    }

    @Test(arguments: LocalStore.each(TravelObservingContract.checks))
    func fulfilsTravelObservingContract(local: LocalStore, check: ContractCheck<TravelObservingContract.Subject>)
        async throws
    {
        try await run(check, over: local) { $0 }
    }

    @Test(arguments: LocalStore.each(ImageContract.checks))
    func fulfilsImageContract(local: LocalStore, check: ContractCheck<ImageContract.Subject>) async throws {
        try await run(check, over: local) { $0 }
    }

    @Test(arguments: LocalStore.each(TravelStoreContract.checks))
    func fulfilsTravelStoreContract(local: LocalStore, check: ContractCheck<any TravelStore>) async throws {
        try await run(check, over: local) { $0 }
    }

    /// Runs a check on a cached repository that sends and asks in the background. Its remote store is in memory.
    private func run<Subject>(
        _ check: ContractCheck<Subject>, over local: LocalStore,
        as subject: @Sendable (CachedTravelRepository) -> Subject
    ) async throws {
        let (stores, opened) = AsyncStream<CachedTravelRepository>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await withTaskGroup { group in
                    for await store in stores { group.addTask { await store.run() } }
                }
            }
            try await check.run {
                let store = try await CachedTravelRepository.open(
                    local: local.make(), remote: InMemoryTravelRepository(), outbox: InMemoryOutbox(), now: { Date() })
                opened.yield(store)
                return subject(store)
            }
            group.cancelAll()
        }
    }
}
