import Foundation
import Testing
import TestConcurrency
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The in-memory repositories fulfil their contracts", .limitedConcurrency)
struct InMemoryContractTests {
    @Test(arguments: TravelStoreContract.checks)
    func fulfilsTravelStoreContract(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { InMemoryTripRepository() }
    }

    @Test(arguments: AccountRepositoryContract.checks)
    func fulfilsAccountRepositoryContract(check: ContractCheck<AccountRepositoryContract.Subject>) async throws {
        try await check.run {
            let store = InMemoryTripRepository()
            return AccountRepositoryContract.Subject(accounts: store, users: store)
        }
    }

    @Test(arguments: ImageContract.smallerPictures)
    func keepsSmallerPictures(check: ContractCheck<ImageContract.Subject>) async throws {
        try await check.run { InMemoryTripRepository() }
    }

    @Test(arguments: OversightContract.checks)
    func fulfilsOversightContract(check: ContractCheck<OversightContract.Subject>) async throws {
        try await check.run {
            let store = InMemoryTripRepository()
            return OversightContract.Subject(store: store, accounts: store)
        }
    }

    @Test(arguments: TripCacheContract.checks)
    func fulfilsTripCacheContract(check: ContractCheck<TripCacheContract.Subject>) async throws {
        try await check.run { InMemoryTripRepository() }
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

@Suite("Paging in memory during concurrent writes", .limitedConcurrency)
struct PagingWhileWritingTests {
    /// The number of trips to write: `TRAVEL_PAGING`, by default a few hundred.
    private static let count = ProcessInfo.processInfo.environment["TRAVEL_PAGING"].flatMap(Int.init) ?? 500

    @Test(arguments: TravelStoreContract.pagingWhileWriting(count))
    func keepsEveryTrip(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { InMemoryTripRepository() }
    }
}
