import Testing
import TravelDataSQLite
import TravelDomain
import TravelDomainTesting

@Suite("Paging in SQLite while others write", .timeLimit(.minutes(5)))
struct PagingWhileWritingTests {
    @Test(arguments: TravelStoreContract.pagingWhileWriting(10_000))
    func keepsEveryTravel(check: ContractCheck<TravelStore>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }
}
