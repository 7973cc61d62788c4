import Testing
import TravelDataSQLite
import TravelDomain
import TravelDomainTesting

@Suite("The stores in SQLite keep the contracts", .timeLimit(.minutes(5)))
struct ContractTests {
    @Test(arguments: TravelRepositoryContract.checks)
    func keepsItsPromises(check: ContractCheck<any TravelRepository>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test(arguments: TitleRepositoryContract.checks)
    func findsTitles(check: ContractCheck<TitleRepositoryContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test(arguments: TravelEditingContract.checks)
    func editsTravels(check: ContractCheck<TravelEditingContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test(arguments: ModerationContract.checks)
    func hidesTravels(check: ContractCheck<ModerationContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test(arguments: UserRepositoryContract.checks)
    func keepsPeople(check: ContractCheck<UserRepositoryContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test(arguments: TravelObservingContract.checks)
    func tellsOfChanges(check: ContractCheck<TravelObservingContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test(arguments: ImageContract.checks)
    func keepsImages(check: ContractCheck<ImageContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test(arguments: TravelStoreContract.checks)
    func livesThroughHistories(check: ContractCheck<TravelStore>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test(arguments: SessionRepositoryContract.checks)
    func keepsTheSession(check: ContractCheck<SessionRepositoryContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.temporary().session }
    }

    @Test(arguments: RecentKeywordRepositoryContract.checks)
    func remembersKeywords(check: ContractCheck<any RecentKeywordRepository>) async throws {
        try await check.run { try await TravelDatabase.temporary().recentKeywords }
    }

    @Test("whichever way a search goes, its answers are the same", arguments: searches, ways)
    func everyWayLeadsThere(check: ContractCheck<any TravelRepository>, way: Way) async throws {
        try await check.run {
            let database = try await TravelDatabase.temporary(effort: way.effort)
            return way == .mapped ? MappedTravels(database) : database.travels
        }
    }

    /// Ways that a search would take in large databases only, taken in the small ones of the contract.
    enum Way: CaseIterable {
        case amongCandidates, mapped, oneByOne, lateAmongCandidates

        var effort: SearchEffort {
            var effort = SearchEffort()
            (effort.patience, effort.stride, effort.costOfLook) = (1, 1, 0)
            switch self {
            case .amongCandidates, .mapped: effort.costOfCandidate = 1
            case .oneByOne: effort.costOfCandidate = 1_000_000
            case .lateAmongCandidates: effort.patience = 3
            }
            return effort
        }
    }

    private static let ways = Way.allCases
    private static let searches = TravelRepositoryContract.checks.filter {
        ["filters", "keyword", "order", "paging", "generated"].contains($0.area)
    }
}
