import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("The SQLite repositories fulfil their contracts", .takesTurns)
struct ContractTests {
    private static let moreOperations = TravelRepositoryContract.generated(seeds: MoreSeeds.range)
    private static let moreHistories = TravelStoreContract.generated(seeds: MoreSeeds.range)

    @Test(arguments: TravelRepositoryContract.checks + moreOperations)
    func keepsItsPromises(check: ContractCheck<any TravelRepository>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }

    @Test(arguments: TitleRepositoryContract.checks)
    func findsTitles(check: ContractCheck<TitleRepositoryContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }

    @Test(arguments: TravelEditingContract.checks)
    func editsTravels(check: ContractCheck<TravelEditingContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }

    @Test(arguments: ModerationContract.checks)
    func hidesTravels(check: ContractCheck<ModerationContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }

    @Test(arguments: UserRepositoryContract.checks)
    func keepsPeople(check: ContractCheck<UserRepositoryContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }

    @Test(arguments: TravelObservingContract.checks)
    func tellsOfChanges(check: ContractCheck<TravelObservingContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }

    @Test(arguments: ImageContract.checks)
    func keepsImages(check: ContractCheck<ImageContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }

    @Test(arguments: TravelStoreContract.checks + moreHistories)
    func livesThroughHistories(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { try await TravelDatabase.copied().travels }
    }

    @Test(arguments: SessionRepositoryContract.checks)
    func keepsTheSession(check: ContractCheck<SessionRepositoryContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().session }
    }

    @Test(arguments: RecentKeywordRepositoryContract.checks)
    func remembersKeywords(check: ContractCheck<any RecentKeywordRepository>) async throws {
        try await check.run { try await TravelDatabase.copied().recentKeywords }
    }

    @Test("every search strategy has the same results", arguments: searchesByStrategy)
    func searchStrategiesAgree(check: ContractCheck<any TravelRepository>, strategy: Strategy) async throws {
        try await check.run {
            let database = try await TravelDatabase.copied(costs: strategy.costs)
            return strategy == .mapped ? MappedTravels(database) : database.travels
        }
    }

    /// Strategies that searches use only in large databases, forced in the small ones of the contract.
    enum Strategy: CaseIterable {
        case amongCandidates, mapped, oneByOne, lateAmongCandidates

        var costs: SearchCostModel {
            var costs = SearchCostModel()
            (costs.initialVisits, costs.sampleStride, costs.lookupCost) = (1, 1, 0)
            switch self {
            case .amongCandidates, .mapped: costs.candidateCost = 1
            case .oneByOne: costs.candidateCost = 1_000_000
            case .lateAmongCandidates: costs.initialVisits = 3
            }
            return costs
        }
    }

    /// Each check with each strategy if `TRAVEL_SEEDS` is set; otherwise every third check, with alternating
    /// strategies.
    private static let searchesByStrategy: [(ContractCheck<any TravelRepository>, Strategy)] =
        MoreSeeds.areWanted
        ? searches.flatMap { check in Strategy.allCases.map { (check, $0) } }
        : searches.enumerated().filter { $0.offset % 3 == 0 }
            .map { ($1, Strategy.allCases[$0 / 3 % Strategy.allCases.count]) }
    private static let searches = (TravelRepositoryContract.checks + moreOperations).filter {
        ["filters", "keyword", "order", "paging", "generated"].contains($0.area)
    }
}
