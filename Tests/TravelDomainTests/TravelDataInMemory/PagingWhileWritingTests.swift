import Foundation
import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Paging in memory during concurrent writes", .takesTurns)
struct PagingWhileWritingTests {
    /// The number of travels to write: `TRAVEL_PAGING`, by default a few hundred.
    private static let count = ProcessInfo.processInfo.environment["TRAVEL_PAGING"].flatMap(Int.init) ?? 500

    @Test(arguments: TravelStoreContract.pagingWhileWriting(count))
    func keepsEveryTravel(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }
}
