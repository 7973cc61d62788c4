/// The state of the list of travels.
///
/// ```swift
/// HomeContent().phase                    // .loading
/// HomeContent(phase: .loaded).isEmpty    // true
/// ```
public struct HomeContent: Hashable, Sendable {
    /// The status of the loading.
    public enum Phase: Hashable, Sendable {
        /// A page is loading: skeleton rows for the first page, a spinner below the rows for the next ones.
        case loading
        /// The last requested page has loaded.
        case loaded
        /// The last requested page failed to load.
        case failed(ErrorMessage)
    }

    /// The loaded rows.
    public var rows: [TravelRow]
    /// The status of the loading.
    public var phase: Phase
    /// Whether more rows follow the loaded ones.
    public var hasMore: Bool

    /// Creates a state; by default, the state before the first page has loaded.
    public init(rows: [TravelRow] = [], phase: Phase = .loading, hasMore: Bool = false) {
        self.rows = rows
        self.phase = phase
        self.hasMore = hasMore
    }

    /// Whether the search has ended without results.
    public var isEmpty: Bool { phase == .loaded && rows.isEmpty }
}
