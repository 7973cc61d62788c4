import TravelDomain

extension TravelRepositoryContract {
    static let cancellations: [ContractCheck<any TravelRepository>] = [
        cancelled("a search") { travels in _ = try await travels.search(TravelQuery(TravelCriteria(), viewer: nil)) },
        cancelled("a search that finds nothing") { travels in
            let criteria = TravelCriteria(keyword: Keyword("없는말"))
            _ = try await travels.search(TravelQuery(criteria, viewer: nil))
        },
        cancelled("the lookup of a travel") { travels in
            _ = try await travels.travel(Travel.ID(seed: 1), viewer: nil)
        },
        cancelled("the lookup of a timeline") { travels in
            _ = try await travels.timeline(of: Travel.ID(seed: 1), viewer: nil)
        },
        cancelled("an addition") { travels in try await travels.add(TravelBuilder(seed: 2)) },
        cancelled("a like") { travels in
            try await travels.setLiked(true, travel: Travel.ID(seed: 1), by: User.ID(seed: 1))
        },
    ]

    /// A check that `operation` in a cancelled task throws `CancellationError` and changes nothing.
    private static func cancelled(
        _ what: String, _ operation: @escaping @Sendable (any TravelRepository) async throws -> Void
    ) -> ContractCheck<any TravelRepository> {
        check("cancellation", "\(what) in a cancelled task throws CancellationError and changes nothing") {
            travels in
            try await travels.add(TravelBuilder(seed: 1))
            let before = try await travels.onlyTravel()
            try await expectCancellation(of: what) { try await operation(travels) }
            try expect(try await travels.onlyTravel(), equals: before, "the existing travel")
        }
    }
}
