/// The state of a paged list: the loaded items and the status of the loading.
///
/// ```swift
/// PagedList<City, String>().isEmpty                              // true
/// PagedList<City, String>(phase: .loading(.first)).isEmpty       // false: not known yet
/// PagedList<City, String>(phase: .loading(.first)).loading       // .first
/// PagedList(cities, phase: .failed(.next, "offline")).failure    // "offline", below the loaded cities
/// ```
public struct PagedList<Item: Sendable, Failure: Sendable>: Sendable {
    /// The kind of page that is loading, and how to show it.
    ///
    /// ```swift
    /// PagedList<City, String>(phase: .loading(.first)).loading == .first             // true: show skeleton rows
    /// PagedList<City, String>(cities, phase: .loading(.next)).loading == .next       // true: show a spinner below
    /// ```
    public enum Load: Hashable, Sendable {
        /// The first page, without items to show: skeleton rows.
        case first
        /// The page after the loaded items: a spinner below them.
        case next
        /// The first page again, while the items stay: a spinner above them.
        case refresh
    }

    /// The status of the loading of pages.
    ///
    /// ```swift
    /// switch list.phase {
    /// case .loading(let load): showProgress(of: load)
    /// case .loaded: hideProgress()
    /// case .failed(_, let problem): showRetry(problem)
    /// }
    /// ```
    public enum Phase: Sendable {
        /// The page that the value names is loading.
        case loading(Load)
        /// The last requested page has loaded.
        case loaded
        /// The last requested page failed to load.
        case failed(Load, Failure)
    }

    /// The loaded items, each id once, in the order of the pages.
    public var items: [Item]
    /// The status of the loading of pages.
    public var phase: Phase
    /// Whether more items follow the loaded ones.
    public var hasMore: Bool

    /// Creates an idle list, unless another phase is given.
    public init(_ items: [Item] = [], phase: Phase = .loaded, hasMore: Bool = false) {
        self.items = items
        self.phase = phase
        self.hasMore = hasMore
    }

    /// Whether everything was loaded and there are no items.
    public var isEmpty: Bool {
        if case .loaded = phase { items.isEmpty && !hasMore } else { false }
    }

    /// The kind of page that is loading; `nil` if none is.
    public var loading: Load? {
        if case .loading(let load) = phase { load } else { nil }
    }

    /// The failure of the last requested page, if it failed.
    public var failure: Failure? {
        if case .failed(_, let failure) = phase { failure } else { nil }
    }
}

extension PagedList.Phase: Equatable where Failure: Equatable {}
extension PagedList.Phase: Hashable where Failure: Hashable {}
extension PagedList: Equatable where Item: Equatable, Failure: Equatable {}
extension PagedList: Hashable where Item: Hashable, Failure: Hashable {}
