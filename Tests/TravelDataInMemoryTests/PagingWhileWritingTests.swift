import Foundation
import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Paging in memory while others write", .takesTurns)
struct PagingWhileWritingTests {
    /// How many travels are written: `TRAVEL_PAGING`, and a few hundred in every run.
    private static let count = ProcessInfo.processInfo.environment["TRAVEL_PAGING"].flatMap(Int.init) ?? 500

    @Test(arguments: TravelStoreContract.pagingWhileWriting(count))
    func keepsEveryTravel(check: ContractCheck<TravelStore>) async throws {
        try await check.run { InMemoryTravelRepository() }
    }
}
