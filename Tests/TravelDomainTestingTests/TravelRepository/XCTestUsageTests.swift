import TravelDataInMemory
import TravelDomainTesting
import XCTest

/// The contract from XCTest, as the documentation of `ContractCheck` shows it.
final class XCTestUsageTests: XCTestCase {
    func testInMemoryTravelsKeepTheContract() async throws {
        for check in TravelRepositoryContract.checks where check.area != "generated" {
            try await check.run { InMemoryTravelRepository() }
        }
    }
}
