public import TravelDomain

/// Every promise of `TravelRepository`, as checks for any implementation.
///
/// ```swift
/// @Test(arguments: TravelRepositoryContract.checks)
/// func keepsItsPromises(check: ContractCheck<any TravelRepository>) async throws {
///     try await check.run { InMemoryTravelRepository() }
/// }
/// ```
///
/// Each check wants a new, empty repository. ``ContractCheck`` shows the same with XCTest.
public enum TravelRepositoryContract {
    /// All checks: those written out, and ``generated(seeds:)`` with the seeds 1 to 5.
    public static let checks: [ContractCheck<any TravelRepository>] =
        filters + keywords + orders + pages + viewers + additions + likes + timelines + roundTrips + cancellations
        + generated(seeds: 1...5)

    /// One check for each seed: a random sequence of operations that follows from it gives the same answers, errors
    /// included, as a plain list that is searched from end to end.
    ///
    /// A check that fails looks for the fewest operations that fail, each time in a new repository, and tells them as
    /// they are written in source.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<any TravelRepository>] {
        seeds.map { seed in
            ContractCheck(
                "generated", "operations of seed \(seed) give the answers of a plain list",
                repeating: { make in try await GeneratedOperations.check(seed: seed, count: 40, on: make) })
        }
    }

    static func check(
        _ area: String, _ promise: String, _ body: @escaping @Sendable (any TravelRepository) async throws -> Void
    ) -> ContractCheck<any TravelRepository> {
        ContractCheck(area, promise, body)
    }
}
