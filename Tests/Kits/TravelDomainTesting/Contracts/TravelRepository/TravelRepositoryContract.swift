public import TravelDomain

/// The contract of `TravelRepository`, as checks for any implementation.
///
/// ```swift
/// @Test(arguments: TravelRepositoryContract.checks)
/// func fulfilsItsContract(check: ContractCheck<any TravelRepository>) async throws {
///     try await check.run { InMemoryTravelRepository() }
/// }
/// ```
///
/// Each check requires a new, empty repository. `ContractCheck` shows how to run them with XCTest.
public enum TravelRepositoryContract {
    /// All checks: individual ones, and ``generated(seeds:)`` with the seeds 1 to 5.
    public static let checks: [ContractCheck<any TravelRepository>] =
        filters + keywords + orders + pages + people + viewers + additions + likes + timelines + roundTrips
        + cancellations
        + generated(seeds: 1...5)

    /// One check for each seed: a random sequence of operations has the same results, including errors, as a plain
    /// list that is searched linearly.
    ///
    /// A failing check finds a minimal sequence of operations that fails, with a new repository for each attempt, and
    /// reports it as source code.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<any TravelRepository>] {
        seeds.map { seed in
            ContractCheck(
                "generated", "operations of seed \(seed) have the results of a plain list",
                repeating: { make in
                    try await GeneratedHistory.check(seed: seed, count: GeneratedHistory.count(changes: 20)) {
                        HistorySubject(travels: try await make())
                    }
                })
        }
    }

    static func check(
        _ area: String, _ promise: String, _ body: @escaping @Sendable (any TravelRepository) async throws -> Void
    ) -> ContractCheck<any TravelRepository> {
        ContractCheck(area, promise, body)
    }
}
