import Foundation
import Testing
import TestTurns
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The in-memory repositories fulfil their contracts", .takesTurns)
struct InMemoryContractTests {
    @Test(arguments: TravelRepositoryContract.checks)
    func fulfilsTravelRepositoryContract(check: ContractCheck<any TravelRepository>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: TitleRepositoryContract.checks)
    func fulfilsTitleRepositoryContract(check: ContractCheck<TitleRepositoryContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: TravelEditingContract.checks)
    func fulfilsTravelEditingContract(check: ContractCheck<TravelEditingContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: ModerationContract.checks)
    func fulfilsModerationContract(check: ContractCheck<ModerationContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: UserRepositoryContract.checks)
    func fulfilsUserRepositoryContract(check: ContractCheck<UserRepositoryContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: AccountRepositoryContract.checks)
    func fulfilsAccountRepositoryContract(check: ContractCheck<AccountRepositoryContract.Subject>) async throws {
        try await check.run {
            let store = InMemoryTravelRepository()
            return AccountRepositoryContract.Subject(accounts: store, people: store)
        }
    }

    @Test(arguments: TravelObservingContract.checks)
    func fulfilsTravelObservingContract(check: ContractCheck<TravelObservingContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: ImageContract.checks)
    func fulfilsImageContract(check: ContractCheck<ImageContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: TravelStoreContract.checks)
    func fulfilsTravelStoreContract(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: TravelCacheContract.checks)
    func fulfilsTravelCacheContract(check: ContractCheck<TravelCacheContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: SessionRepositoryContract.checks)
    func fulfilsSessionRepositoryContract(check: ContractCheck<SessionRepositoryContract.Subject>) async throws {
        try await check.run { InMemorySession() }
    }

    @Test(arguments: RecentKeywordRepositoryContract.checks)
    func fulfilsRecentKeywordRepositoryContract(check: ContractCheck<any RecentKeywordRepository>) async throws {
        try await check.run { InMemoryRecentKeywordRepository() }
    }
}

@Suite("Paging in memory during concurrent writes", .takesTurns)
struct PagingWhileWritingTests {
    /// The number of travels to write: `TRAVEL_PAGING`, by default a few hundred.
    private static let count = ProcessInfo.processInfo.environment["TRAVEL_PAGING"].flatMap(Int.init) ?? 500

    @Test(arguments: TravelStoreContract.pagingWhileWriting(count))
    func keepsEveryTravel(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }
}
