/// Finds travels by keyword and filters, a page at a time.
///
/// ```swift
/// let search = SearchTravels(travels: repository)
/// let first = try await search(TravelCriteria(regions: [.busan]), viewer: nil)
/// let second = try await search(TravelCriteria(regions: [.busan]), viewer: nil, after: first.next)
/// ```
public struct SearchTravels: Sendable {
    /// How many travels a page has.
    public static let pageSize = 20

    private let travels: any TravelRepository

    /// Searches in `travels`.
    public init(travels: any TravelRepository) {
        self.travels = travels
    }

    /// The page of travels that begins at `cursor`; the first without one.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for a cursor from a search in another order, what the repository
    ///   throws, or `CancellationError`.
    public func callAsFunction(
        _ criteria: TravelCriteria, viewer: User.ID?, after cursor: TravelCursor? = nil
    ) async throws -> TravelPage {
        try await travels.search(
            TravelQuery(criteria, viewer: viewer, after: cursor, limit: Self.pageSize))
    }
}
