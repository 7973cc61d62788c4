import Testing
import TravelDataSQLite
import TravelDomain
import TravelDomainTesting

@Suite("Travels in SQLite keep the contract", .timeLimit(.minutes(2)))
struct ContractTests {
    @Test(arguments: TravelRepositoryContract.checks)
    func keepsItsPromises(check: ContractCheck<any TravelRepository>) async throws {
        try await check.run { try await TravelDatabase.temporary().travels }
    }

    @Test("whichever way a search goes, its answers are the same", arguments: searches, ways)
    func everyWayLeadsThere(check: ContractCheck<any TravelRepository>, way: Way) async throws {
        try await check.run { try await TravelDatabase.temporary(effort: way.effort).travels }
    }

    /// Small stores make every search look for candidates at once, and take them or not.
    enum Way: CaseIterable {
        case amongCandidates, oneByOne, candidatesWhereTwoAreLeft

        var effort: SearchEffort {
            var effort = SearchEffort()
            effort.patience = 1
            switch self {
            case .amongCandidates: break
            case .oneByOne: (effort.keywordCandidates, effort.kindCandidates) = (-1, -1)
            case .candidatesWhereTwoAreLeft:
                effort.patience = 3
                (effort.keywordCandidates, effort.kindCandidates) = (2, 2)
            }
            return effort
        }
    }

    private static let ways = Way.allCases
    private static let searches = TravelRepositoryContract.checks.filter {
        ["filters", "keyword", "order", "paging", "generated"].contains($0.area)
    }
}
