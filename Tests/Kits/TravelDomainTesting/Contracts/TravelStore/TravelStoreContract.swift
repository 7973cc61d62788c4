import TravelDomain

/// The contract of a whole store, across all its protocols, as checks for any implementation.
///
/// Each check requires a new, empty store. `ContractCheck` shows how to run them.
///
/// ```swift
/// @Test(arguments: TravelStoreContract.checks)
/// func fulfilsItsContract(check: ContractCheck<any TravelStore>) async throws {
///     try await check.run { InMemoryTravelRepository() }
/// }
/// ```
public enum TravelStoreContract {
    /// All checks: individual ones, and ``generated(seeds:)`` with the seeds 1 to 5.
    public static let checks: [ContractCheck<any TravelStore>] = written + generated(seeds: 1...5)

    private static let written: [ContractCheck<any TravelStore>] = [
        ContractCheck("store", "an edit receives the current nickname of the author") { store in
            let travel = try TravelBuilder(seed: 1, author: User(seed: 1, nickname: "Mina")).build()
            try await store.add([travel])
            let nickname = try Nickname("Sora")
            try await store.rename(travel.author.id, to: nickname, by: travel.author.id)
            try await store.update(travel.id, by: travel.author.id) { travel throws(TravelError) in
                guard travel.author.nickname == nickname else { throw .forbidden(.user(travel.author.id)) }
                return travel
            }
        }
    ]

    /// One check for each seed: a random sequence of additions, edits, deletions, likes, reports, blocks, nicknames and
    /// withdrawals, and of lookups in between, has the same results, including errors, as plain lists that are searched
    /// linearly.
    ///
    /// A failing check finds a minimal sequence of steps that fails, with a new store for each attempt, and reports
    /// it as source code.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<any TravelStore>] {
        seeds.map { seed in
            ContractCheck(
                "store", "operations of seed \(seed) have the results of plain lists",
                repeating: { make in
                    try await GeneratedHistory.check(seed: seed, count: steps) {
                        HistorySubject(whole: try await make())
                    }
                })
        }
    }

    /// The number of times that the histories of these seeds reach each outcome of each operation, such as
    /// `"an edit: forbidden travel"`. An outcome that is missing is not covered by the generated checks.
    package static func coverage(
        seeds: some Sequence<UInt64>, _ make: () async throws -> any TravelStore
    ) async throws -> [String: Int] {
        var coverage: [String: Int] = [:]
        for seed in seeds {
            var sequence = GeneratedHistory(seed: seed)
            let store = HistorySubject(whole: try await make())
            for step in 0..<steps { try await sequence.perform(step, on: store) }
            try await sequence.finish(on: store)
            coverage.merge(sequence.coverage, uniquingKeysWith: +)
        }
        return coverage
    }

    private static let steps = GeneratedHistory.count(changes: 80)
}
