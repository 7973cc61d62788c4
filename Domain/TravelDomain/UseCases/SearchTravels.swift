/// Finds travels by keyword and filters, one page at a time.
///
/// ```swift
/// let search = SearchTravels(travels: repository, session: session)
/// let first = try await search(TravelCriteria(regions: [.busan]))
/// let second = try await search(TravelCriteria(regions: [.busan]), after: first.next)
/// ```
///
/// ``WatchTravels`` observes a page instead.
public struct SearchTravels: Sendable {
    /// The number of travels on a page.
    public static let pageSize = 20

    private let travels: any TravelRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the viewer.
    public init(travels: any TravelRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Returns the page that begins after `cursor`, as the signed-in person sees it; without a cursor, the first page.
    ///
    /// When nobody is signed in, it contains the travels that everyone sees.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for a cursor from a search in another order; other errors of the
    ///   repositories; `CancellationError`.
    public func callAsFunction(
        _ criteria: TravelCriteria, after cursor: TravelCursor? = nil
    ) async throws -> TravelPage {
        let viewer = try await session.session()?.user
        return try await travels.search(
            TravelQuery(criteria, viewer: viewer, after: cursor, limit: Self.pageSize))
    }
}
