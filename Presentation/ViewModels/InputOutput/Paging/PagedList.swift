/// What a list that is loaded page by page shows: the items that are there, and what is going on.
public struct PagedList<Item: Sendable, Failure: Sendable>: Sendable {
    /// What is asked for.
    public enum Load: Hashable, Sendable {
        /// The first page, while there is nothing to show: skeleton rows.
        case first
        /// The page after those that are there: a spinner below them.
        case next
        /// The first page once more, while the items stay: a spinner above them.
        case refresh
    }

    /// What is going on.
    public enum Phase: Sendable {
        /// A page is on its way.
        case loading(Load)
        /// The last page asked for is there.
        case loaded
        /// The last page asked for did not come.
        case failed(Load, Failure)
    }

    /// The items that are there, none twice.
    public var items: [Item]
    /// What is going on.
    public var phase: Phase
    /// Whether more items follow those that are there.
    public var hasMore: Bool

    /// A list at rest, unless another phase is given.
    public init(_ items: [Item] = [], phase: Phase = .loaded, hasMore: Bool = false) {
        self.items = items
        self.phase = phase
        self.hasMore = hasMore
    }

    /// Whether all was loaded and there is nothing.
    public var isEmpty: Bool {
        if case .loaded = phase { items.isEmpty && !hasMore } else { false }
    }

    /// What is on its way.
    public var loading: Load? {
        if case .loading(let load) = phase { load } else { nil }
    }

    /// Why the last page asked for did not come.
    public var failure: Failure? {
        if case .failed(_, let failure) = phase { failure } else { nil }
    }
}

extension PagedList.Phase: Equatable where Failure: Equatable {}
extension PagedList.Phase: Hashable where Failure: Hashable {}
extension PagedList: Equatable where Item: Equatable, Failure: Equatable {}
extension PagedList: Hashable where Item: Hashable, Failure: Hashable {}
