/// What the list of travels shows.
public struct HomeContent: Hashable, Sendable {
    /// What is going on.
    public enum Phase: Hashable, Sendable {
        /// A page is on its way: skeleton rows in place of the first, a spinner below those that follow.
        case loading
        /// The last page asked for is there.
        case loaded
        /// The last page asked for did not come.
        case failed(ErrorMessage)
    }

    /// The rows that are there.
    public var rows: [TravelRow]
    /// What is going on.
    public var phase: Phase
    /// Whether more rows follow those that are there.
    public var hasMore: Bool

    /// What the list shows; by default, what it shows before the first page is there.
    public init(rows: [TravelRow] = [], phase: Phase = .loading, hasMore: Bool = false) {
        self.rows = rows
        self.phase = phase
        self.hasMore = hasMore
    }

    /// Whether the search is over and found nothing.
    public var isEmpty: Bool { phase == .loaded && rows.isEmpty }
}
