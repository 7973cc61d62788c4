import TestTurns
import Testing
import TravelDomainTesting
import TravelSamples

@Suite("The gazetteer fulfils the contract of places", .takesTurns)
struct ContractTests {
    @Test(arguments: PlaceRepositoryContract.checks)
    func fulfilsPlaceRepositoryContract(check: ContractCheck<PlaceRepositoryContract.Subject>) async throws {
        try await check.run { { places in Gazetteer(places) } }
    }
}
