/// A search as a store sees it: what must hold, for whom, in which order, and which part of the answer.
public struct TravelQuery: Hashable, Sendable {
    /// What must hold of every travel found.
    public let criteria: TravelCriteria
    /// Who looks: decides what is liked and what is mine.
    public let viewer: User.ID?
    /// Where the page begins: after this travel; `nil` for the first page.
    public let cursor: TravelCursor?
    /// How many travels the page has at most.
    public let limit: Int

    /// How many travels a page may be asked to have.
    public static let limits = 1...100

    /// A search for one page.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `limit` is not in ``limits``, or when `cursor` comes from a
    ///   search in another order.
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

/// One page of a search, and where the next one begins.
public struct TravelPage: Hashable, Sendable {
    /// The travels, in the order asked for.
    public let travels: [Travel]
    /// Where the next page begins; `nil` when this is the last.
    public let next: TravelCursor?

    /// A page of these travels.
    public init(travels: [Travel], next: TravelCursor?) {
        self.travels = travels
        self.next = next
    }
}
