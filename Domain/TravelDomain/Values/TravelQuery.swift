/// A query for one page of search results.
///
/// ```swift
/// try TravelQuery(TravelCriteria(regions: [.jeju]), viewer: nil, limit: 50)    // the first page that everyone sees
/// try TravelQuery(TravelCriteria(), viewer: nil, limit: 0)                     // throws TravelError.invalid
/// ```
public struct TravelQuery: Hashable, Sendable {
    /// The criteria that every travel of the result meets.
    public let criteria: TravelCriteria
    /// The viewer, who determines which travels are visible, liked and their own.
    public let viewer: User.ID?
    /// The cursor after which the page begins; `nil` for the first page.
    public let cursor: TravelCursor?
    /// The maximum number of travels on the page.
    public let limit: Int

    /// The allowed values of ``limit``, in travels per page.
    public static let limits = 1...100

    /// Creates a query for one page.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `limit` is not in ``limits``, or when `cursor` comes from a search in
    ///   another order.
    public init(_ criteria: TravelCriteria, viewer: User.ID?, after cursor: TravelCursor? = nil, limit: Int = 20)
        throws(TravelError)
    {
        guard Self.limits.contains(limit) else {
            throw .invalid(.init(.limit, .outOfRange("\(Self.limits.lowerBound)…\(Self.limits.upperBound)")))
        }
        guard cursor == nil || cursor?.sort == criteria.sort else { throw .invalid(.init(.cursor, .foreignCursor)) }
        self.criteria = criteria
        self.viewer = viewer
        self.cursor = cursor
        self.limit = limit
    }
}
