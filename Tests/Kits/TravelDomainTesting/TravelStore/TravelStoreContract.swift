import TravelDomain

/// What holds of a store as a whole, whatever the order of what is done to it: checks for any implementation of all its
/// protocols.
///
/// Each check wants a new, empty store. ``ContractCheck`` shows how to run them.
public enum TravelStoreContract {
    /// All checks: those written out, and ``generated(seeds:)`` with the seeds 1 to 5.
    public static let checks: [ContractCheck<TravelStore>] = written + generated(seeds: 1...5)

    private static let written: [ContractCheck<TravelStore>] = [
        ContractCheck("store", "an edit sees the author by the nickname of now") { store in
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

    /// One check for each seed: a random sequence of additions, edits, entries, images, deletions, likes, reports,
    /// blocks, nicknames and withdrawals that follows from it, and of looks in between, gives the same answers, errors
    /// included, as plain lists that are searched from end to end.
    ///
    /// A check that fails looks for the fewest steps that fail, each time in a new store, and tells them as they are
    /// written in source.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<TravelStore>] {
        seeds.map { seed in
            ContractCheck(
                "store", "everything that seed \(seed) does gives the answers of plain lists",
                repeating: { make in try await GeneratedHistory.check(seed: seed, count: steps, on: make) })
        }
    }

    /// How often the histories of these seeds come to each kind of operation with each kind of outcome, by names such as
    /// `"an edit: forbidden travel"`: what a generated check would miss is not there.
    package static func coverage(
        seeds: some Sequence<UInt64>, _ make: () async throws -> TravelStore
    ) async throws -> [String: Int] {
        var coverage: [String: Int] = [:]
        for seed in seeds {
            var sequence = GeneratedHistory(seed: seed)
            let store = try await make()
            for step in 0..<steps { try await sequence.perform(step, on: store) }
            try await sequence.finish(on: store)
            coverage.merge(sequence.coverage, uniquingKeysWith: +)
        }
        return coverage
    }

    private static let steps = GeneratedHistory.count(changes: 80)
}
