import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("In-memory travels keep the contract", .timeLimit(.minutes(1)))
struct ContractTests {
    @Test(arguments: TravelRepositoryContract.checks)
    func keepsItsPromises(check: ContractCheck<any TravelRepository>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }
}
