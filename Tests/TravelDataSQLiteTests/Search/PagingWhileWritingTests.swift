import Foundation
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Paging in SQLite while others write", .takesTurns)
struct PagingWhileWritingTests {
    /// How many travels are written: `TRAVEL_PAGING`, and a few hundred in every run.
    private static let count = ProcessInfo.processInfo.environment["TRAVEL_PAGING"].flatMap(Int.init) ?? 500

    @Test(arguments: TravelStoreContract.pagingWhileWriting(count))
    func keepsEveryTravel(check: ContractCheck<TravelStore>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }
}
