import TravelDataInMemory
import TravelDomainTesting
import XCTest

/// Runs the contract in XCTest, as the documentation of `ContractCheck` shows.
final class XCTestUsageTests: XCTestCase {
    func testInMemoryTravelsKeepTheContract() async throws {
        for check in TravelRepositoryContract.checks where check.area != "generated" {
            try await check.run { InMemoryTravelRepository() }
        }
    }
}
