import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The in-memory repositories fulfil their contracts", .takesTurns)
struct ContractTests {
    @Test(arguments: TravelRepositoryContract.checks)
    func keepsItsPromises(check: ContractCheck<any TravelRepository>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: TitleRepositoryContract.checks)
    func findsTitles(check: ContractCheck<TitleRepositoryContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: TravelEditingContract.checks)
    func editsTravels(check: ContractCheck<TravelEditingContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: ModerationContract.checks)
    func hidesTravels(check: ContractCheck<ModerationContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: UserRepositoryContract.checks)
    func keepsPeople(check: ContractCheck<UserRepositoryContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: TravelObservingContract.checks)
    func tellsOfChanges(check: ContractCheck<TravelObservingContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: ImageContract.checks)
    func keepsImages(check: ContractCheck<ImageContract.Subject>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: TravelStoreContract.checks)
    func livesThroughHistories(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }

    @Test(arguments: SessionRepositoryContract.checks)
    func keepsTheSession(check: ContractCheck<SessionRepositoryContract.Subject>) async throws {
        try await check.run { InMemorySession() }
    }

    @Test(arguments: RecentKeywordRepositoryContract.checks)
    func remembersKeywords(check: ContractCheck<any RecentKeywordRepository>) async throws {
        try await check.run { InMemoryRecentKeywordRepository() }
    }

    @Test(arguments: PlaceRepositoryContract.checks)
    func findsPlaces(check: ContractCheck<PlaceRepositoryContract.Subject>) async throws {
        try await check.run { { places in Gazetteer(places) } }
    }
}
