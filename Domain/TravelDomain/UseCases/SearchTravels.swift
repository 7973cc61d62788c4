/// Finds travels by keyword and filters, one page at a time.
///
/// ```swift
/// let search = SearchTravels(travels: repository)
/// let first = try await search(TravelCriteria(regions: [.busan]), viewer: nil)
/// let second = try await search(TravelCriteria(regions: [.busan]), viewer: nil, after: first.next)
/// ```
public struct SearchTravels: Sendable {
    /// The number of travels on a page.
    public static let pageSize = 20

    private let travels: any TravelRepository

    /// Creates the use case.
    public init(travels: any TravelRepository) {
        self.travels = travels
    }

    /// Returns the page that begins after `cursor`; without a cursor, the first page.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for a cursor from a search in another order; other errors of the
    ///   repository; `CancellationError`.
    public func callAsFunction(
        _ criteria: TravelCriteria, viewer: User.ID?, after cursor: TravelCursor? = nil
    ) async throws -> TravelPage {
        try await travels.search(
            TravelQuery(criteria, viewer: viewer, after: cursor, limit: Self.pageSize))
    }
}
