import TravelDomain

/// What holds of a store as a whole, whatever the order of what is done to it: checks for any implementation of all its
/// protocols.
///
/// Each check wants a new, empty store. ``ContractCheck`` shows how to run them.
public enum TravelStoreContract {
    /// All checks: ``generated(seeds:)`` with the seeds 1 to 150.
    public static let checks: [ContractCheck<TravelStore>] = generated(seeds: 1...150)

    /// One check for each seed: a random sequence of additions, edits, entries, images, deletions, likes, reports,
    /// blocks, nicknames and withdrawals that follows from it, and of looks in between, gives the same answers, errors
    /// included, as plain lists that are searched from end to end.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<TravelStore>] {
        seeds.map { seed in
            ContractCheck("store", "everything that seed \(seed) does gives the answers of plain lists") { store in
                var sequence = try GeneratedHistory(seed: seed)
                try await sequence.compare(store, steps: 80)
            }
        }
    }
}
