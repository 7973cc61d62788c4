import Foundation
import Testing
import TestConcurrency
@testable import TravelDataSQLite
import TravelDomain
import TravelDomainTesting

@Suite("The SQLite repositories fulfil their contracts", .limitedConcurrency)
struct ContractTests {
    private static let moreOperations = TripRepositoryContract.generated(seeds: MoreSeeds.range)
    private static let moreHistories = TravelStoreContract.generated(seeds: MoreSeeds.range)

    @Test(arguments: TravelStoreContract.checks + moreHistories)
    func fulfilsTravelStoreContract(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { try await TravelDatabase.copied().trips }
    }

    @Test(arguments: moreOperations)
    func fulfilsTripRepositoryContract(check: ContractCheck<any TripRepository>) async throws {
        try await check.run { try await TravelDatabase.copied().trips }
    }

    @Test(arguments: AccountRepositoryContract.checks)
    func fulfilsAccountRepositoryContract(check: ContractCheck<AccountRepositoryContract.Subject>) async throws {
        try await check.run {
            let database = try await TravelDatabase.copied()
            return AccountRepositoryContract.Subject(accounts: database.accounts, users: database.trips)
        }
    }

    @Test(arguments: ImageContract.smallerPictures)
    func keepsSmallerPictures(check: ContractCheck<ImageContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().trips }
    }

    @Test(arguments: OversightContract.checks)
    func fulfilsOversightContract(check: ContractCheck<OversightContract.Subject>) async throws {
        try await check.run {
            let database = try await TravelDatabase.copied()
            return OversightContract.Subject(store: database.trips, accounts: database.accounts)
        }
    }

    @Test(arguments: TripCacheContract.checks)
    func fulfilsTripCacheContract(check: ContractCheck<TripCacheContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().trips }
    }

    @Test(arguments: SessionRepositoryContract.checks)
    func fulfilsSessionRepositoryContract(check: ContractCheck<SessionRepositoryContract.Subject>) async throws {
        try await check.run { try await TravelDatabase.copied().session }
    }

    @Test(arguments: RecentKeywordRepositoryContract.checks)
    func fulfilsRecentKeywordRepositoryContract(check: ContractCheck<any RecentKeywordRepository>) async throws {
        try await check.run { try await TravelDatabase.copied().recentKeywords }
    }

    @Test("every search strategy has the same results", arguments: searchesByStrategy)
    func searchStrategiesAgree(check: ContractCheck<any TripRepository>, strategy: Strategy) async throws {
        try await check.run {
            try await TravelDatabase.copied(effort: strategy.effort).trips
        }
    }

    @Test(arguments: ReopeningContract.checks)
    func fulfilsReopeningContract(check: ContractCheck<ReopenableStore>) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reopened-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        // A folder that remains in the temporary directory does not affect tests.
        defer { try? FileManager.default.removeItem(at: folder) }
        try await check.run {
            let path = folder.appending(path: "\(UUID().uuidString).db").path
            return ReopenableStore {
                try await TravelDatabase.open(path: path)
            } close: {
                await $0.close()
            } store: {
                $0.trips
            }
        }
    }

    /// Strategies that searches use only in large databases, forced in the small ones of the contract.
    enum Strategy: CaseIterable {
        case sortAll, walkAll, walkThenSort

        var effort: SearchEffort {
            switch self {
            case .sortAll: SearchEffort(patience: 1, sorting: 0)
            case .walkAll: SearchEffort(patience: 1, sorting: 1_000_000)
            case .walkThenSort: SearchEffort(patience: 3, estimates: false, sorting: 0)
            }
        }
    }

    /// Each check with each strategy if `TRAVEL_SEEDS` is set; otherwise with one, in turn.
    private static let searchesByStrategy: [(ContractCheck<any TripRepository>, Strategy)] =
        MoreSeeds.areWanted
        ? searches.flatMap { check in Strategy.allCases.map { (check, $0) } }
        : searches.enumerated().map { ($1, Strategy.allCases[$0 % Strategy.allCases.count]) }
    private static let searches = (TripRepositoryContract.checks + moreOperations).filter {
        ["filters", "keyword", "entries", "order", "paging", "generated"].contains($0.area)
    }
}

@Suite("Paging in SQLite during concurrent writes", .limitedConcurrency)
struct PagingWhileWritingTests {
    /// The number of trips to write: `TRAVEL_PAGING`, by default a few hundred.
    private static let count = ProcessInfo.processInfo.environment["TRAVEL_PAGING"].flatMap(Int.init) ?? 500

    @Test(arguments: TravelStoreContract.pagingWhileWriting(count))
    func keepsEveryTrip(check: ContractCheck<any TravelStore>) async throws {
        try await check.run { try await TravelDatabase.copied().trips }
    }
}
