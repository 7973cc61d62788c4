/// A paged list inside the state of a flow: decides which page to request, and which answers count.
///
/// The methods change the list and return the request, which the flow performs as a side effect.
///
/// ```swift
/// case .queryChanged(let query): return .latest(.load(state.posts.show(query)))
/// case .reachedEnd: return state.posts.reachEnd().map { .latest(.load($0)) } ?? .none
/// case .pageArrived(let request, let page): state.posts.receive(page, of: request)
/// case .pageFailed(let request, let error): state.posts.fail("\(error)", of: request)
/// case .pageCancelled(let request): state.posts.cancel(request)
/// …
/// func unanswered(_ sideEffect: SideEffect) -> Action? {
///     switch sideEffect { case .load(let request): .pageCancelled(request) }
/// }
/// ```
///
/// - Each request begins a new step; an answer to the request of an earlier step changes nothing. So requests need not
///   be cancelled, although `latest` saves their cost.
/// - A request whose side effect ended without an answer, because the task that waited for it was cancelled
///   (`refreshable` in SwiftUI), leaves nothing loading: ``Flow/unanswered(_:)`` says so at once. In a flow that does not
///   implement it, the list finds out when it is asked for the next page, a refresh or a retry.
/// - A page is requested once, a refresh keeps the items until the new first page has loaded, and an item whose id is
///   already in the list is omitted from later pages.
public struct Paging<Query: Sendable, Item: Identifiable & Sendable, Cursor: Sendable, Failure: Sendable>: Sendable
where Item.ID: Sendable {
    public struct Request: Sendable {
        /// The query of the list at the time of the request.
        public let query: Query
        /// The cursor of the page; `nil` for the first page.
        public let cursor: Cursor?
        /// The step of the list that made the request.
        let step: Int
        /// Whether it can still be answered; the list holds the same.
        let life: RequestLife
    }

    /// The loaded items and the status of the loading.
    public private(set) var list = PagedList<Item, Failure>()
    /// The latest query; `nil` at first.
    public private(set) var query: Query?

    private(set) var step = 0
    private var next: Cursor?
    /// The request that is loading; `nil` if none is.
    fileprivate var pending: Pending?

    fileprivate struct Pending {
        let life: RequestLife
        /// The phase to return to if the request ends without an answer; `nil` if nothing has loaded.
        let previous: PagedList<Item, Failure>.Phase?
    }

    public init() {}
}

extension Paging {
    /// Replaces the list by the results of a query; returns the request for its first page.
    ///
    /// ```swift
    /// let request = posts.show("Jeju")
    /// posts.list.loading     // .first
    /// request.cursor         // nil: the first page
    /// ```
    public mutating func show(_ query: Query) -> Request {
        list = PagedList()
        next = nil
        self.query = query
        return begin(.first, of: query, from: nil)
    }

    /// Begins the next page, unless a page is loading, none follows, or the next page has failed before: then only
    /// ``retry()`` requests it, because the end is still visible and would request it again and again. Begins the first
    /// page if that was cancelled.
    ///
    /// ```swift
    /// posts.receive(CursorPage(firstPosts, next: 20), of: posts.show("Jeju"))
    /// posts.reachEnd()?.cursor    // 20
    /// posts.reachEnd()            // nil: the page is loading already
    /// ```
    public mutating func reachEnd() -> Request? {
        cancelIfOver()
        switch list.phase {
        case .loaded, .failed(.refresh, _):
            return list.hasMore ? query.map { begin(isUnloaded ? .first : .next, of: $0) } : nil
        case .loading, .failed: return nil
        }
    }

    /// Begins the first page again and keeps the items; has no effect while a first page is loading.
    ///
    /// ```swift
    /// posts.refresh()?.cursor     // nil: the first page
    /// posts.list.loading          // .refresh; the items stay
    /// ```
    public mutating func refresh() -> Request? {
        guard let query else { return nil }
        cancelIfOver()
        switch list.phase {
        case .loading(.first), .loading(.refresh): return nil
        case .failed(.first, _): return begin(.first, of: query)
        case .loading(.next), .loaded, .failed: return begin(isUnloaded ? .first : .refresh, of: query)
        }
    }

    /// Repeats the request that failed: the first page, a next page, or a refresh. Begins the first page if that was
    /// cancelled.
    ///
    /// ```swift
    /// posts.fail("offline", of: posts.show("Jeju"))
    /// posts.retry()?.query        // "Jeju"
    /// posts.retry()               // nil: it is loading again
    /// ```
    public mutating func retry() -> Request? {
        guard let query else { return nil }
        cancelIfOver()
        if isUnloaded { return begin(.first, of: query) }
        guard case .failed(let load, _) = list.phase else { return nil }
        return begin(load, of: query)
    }

    private mutating func begin(_ load: PagedList<Item, Failure>.Load, of query: Query) -> Request {
        begin(load, of: query, from: pending.map(\.previous) ?? (isUnloaded ? nil : list.phase))
    }

    private mutating func begin(
        _ load: PagedList<Item, Failure>.Load, of query: Query, from previous: PagedList<Item, Failure>.Phase?
    ) -> Request {
        step += 1
        let life = RequestLife()
        pending = Pending(life: life, previous: previous)
        list.phase = .loading(load)
        return Request(query: query, cursor: load == .next ? next : nil, step: step, life: life)
    }

    /// Whether the first page of the query was cancelled before anything has loaded: more follows, and no cursor is known.
    private var isUnloaded: Bool { list.phase.isLoaded && list.hasMore && next == nil }
}

extension Paging {
    /// Adds a page.
    ///
    /// ```swift
    /// let early = posts.show("Jeju"), late = posts.show("Busan")
    /// posts.receive(CursorPage(jejuPosts, next: nil), of: early)     // false: the query has changed
    /// posts.receive(CursorPage(busanPosts, next: nil), of: late)     // true
    /// ```
    ///
    /// - Returns: Whether the answer counted: `false` for a second answer, and for an answer to a request of an earlier
    ///   step.
    @discardableResult
    public mutating func receive(_ page: CursorPage<Item, Cursor>, of request: Request) -> Bool {
        guard let load = finish(request) else { return false }
        if load == .refresh { list.items = [] }
        list.add(page.items)
        list.hasMore = page.next != nil
        list.phase = .loaded
        next = page.next
        return true
    }

    /// Shows why a page did not load.
    ///
    /// ```swift
    /// posts.fail("offline", of: posts.show("Jeju"))    // true
    /// posts.list.failure                               // "offline"
    /// ```
    ///
    /// - Returns: Whether the answer counted, as for ``receive(_:of:)-(CursorPage<Item,Cursor>,_)``.
    @discardableResult
    public mutating func fail(_ failure: Failure, of request: Request) -> Bool {
        guard let load = finish(request) else { return false }
        list.phase = .failed(load, failure)
        return true
    }

    /// Adds a page, or shows why it did not load.
    ///
    /// - Returns: Whether the answer counted, as for ``receive(_:of:)-(CursorPage<Item,Cursor>,_)``.
    @discardableResult
    public mutating func receive(_ result: Result<CursorPage<Item, Cursor>, Failure>, of request: Request) -> Bool
    where Failure: Error {
        switch result {
        case .success(let page): receive(page, of: request)
        case .failure(let failure): fail(failure, of: request)
        }
    }

    /// Ends the step of a request, and returns what it loaded; `nil` if it is not the current one.
    private mutating func finish(_ request: Request) -> PagedList<Item, Failure>.Load? {
        guard request.step == step, case .loading(let load) = list.phase else { return nil }
        step += 1
        pending = nil
        return load
    }

    /// Returns the list to what it was before a request that has ended without an answer: see ``Flow/unanswered(_:)``.
    ///
    /// A refresh or a next page leaves the loaded items, or the failure that was shown; a first page leaves an empty list
    /// with more to come, which ``reachEnd()``, ``refresh()`` and ``retry()`` load.
    ///
    /// ```swift
    /// if let refresh = posts.refresh() { posts.cancel(refresh) }
    /// posts.list.loading           // nil; the items have stayed
    /// posts.refresh()?.cursor      // nil: the first page, again
    /// ```
    ///
    /// - Returns: Whether the request was loading: `false` if it was answered, and for a request of an earlier step.
    @discardableResult
    public mutating func cancel(_ request: Request) -> Bool {
        guard request.step == step, list.loading != nil else { return false }
        returnToPrevious()
        return true
    }

    /// Returns to what the list was before a request whose effect has ended.
    private mutating func cancelIfOver() {
        if pending?.life.isOver == true { returnToPrevious() }
    }

    private mutating func returnToPrevious() {
        guard let previous = pending.take()?.previous else {
            list.hasMore = true
            list.phase = .loaded
            return step += 1
        }
        list.phase = previous
        step += 1
    }

    /// Replaces the beginning of the list by a newer first page, for a list that is observed while it is shown.
    ///
    /// The items behind the page keep their order, and paging continues after the last of them. Has no effect while
    /// a first page is loading, or has failed.
    ///
    /// ```swift
    /// state.posts.merge(page) { $0.date < page.items.last!.date }
    /// ```
    ///
    /// - Parameters:
    ///   - page: The first page, as it is now.
    ///   - isBehind: Whether a loaded item comes after the last item of the page, in the order of the list.
    public mutating func merge(_ page: CursorPage<Item, Cursor>, keeping isBehind: (Item) -> Bool) {
        cancelIfOver()
        switch list.phase {
        case .loading(.first), .loading(.refresh), .failed(.first, _): return
        case .loading(.next), .loaded, .failed: break
        }
        let loaded = list.items
        let behind = loaded.dropFirst(page.items.count)
        let count: Int
        if page.next == nil ? behind.isEmpty : behind.allSatisfy(isBehind), list.items.replaceFirst(page.items) {
            // As most pages do, this one changes rows, and not which there are.
            count = page.items.count
        } else {
            list.items = []
            list.add(page.items)
            count = list.items.count
            if page.next != nil { list.add(loaded.filter(isBehind)) }
        }
        guard list.items.count == count else { return }
        // Nothing is left behind the page, so that the list continues after it. A next page that is loading, or has
        // failed, followed an item that left.
        list.hasMore = page.next != nil
        next = page.next
        switch list.phase {
        case .loading, .failed(.next, _):
            step += 1
            pending = nil
            list.phase = .loaded
        case .loaded, .failed: break
        }
    }

    /// Changes an item in place; does nothing if it is not loaded. An item keeps its id.
    public mutating func update(_ id: Item.ID, _ change: (inout Item) -> Void) {
        list.items.update(id, change)
    }

    /// Removes an item, such as one that was deleted elsewhere. Later pages may contain it again.
    public mutating func remove(_ id: Item.ID) {
        list.items.remove(id: id)
    }
}

extension Paging.Request: AnswerableRequest {}
extension Paging.Request: Equatable where Query: Equatable, Cursor: Equatable {}
extension Paging.Pending: Equatable where Failure: Equatable {}
extension Paging: Equatable where Query: Equatable, Item: Equatable, Cursor: Equatable, Failure: Equatable {}

/// The state of a paged list: the loaded items and the status of the loading.
///
/// ```swift
/// PagedList<City, String>().isEmpty                              // true
/// PagedList<City, String>(phase: .loading(.first)).isEmpty       // false: not known yet
/// PagedList<City, String>(phase: .loading(.first)).loading       // .first
/// PagedList(cities, phase: .failed(.next, "offline")).failure    // "offline", below the loaded cities
/// ```
public struct PagedList<Item: Identifiable & Sendable, Failure: Sendable>: Sendable where Item.ID: Sendable {
    /// The kind of page that is loading, and how to show it.
    public enum Load: Hashable, Sendable {
        /// The first page, without items to show: skeleton rows.
        case first
        /// The page after the loaded items: a spinner below them.
        case next
        /// The first page again, while the items stay: a spinner above them.
        case refresh
    }

    public enum Phase: Sendable {
        case loading(Load)
        /// The last requested page has loaded.
        case loaded
        /// The last requested page failed to load.
        case failed(Load, Failure)
    }

    /// The loaded items, each id once, in the order of the pages.
    public var items: IdentifiedRows<Item>
    public var phase: Phase
    /// Whether more items follow the loaded ones.
    public var hasMore: Bool

    /// Creates an idle list, unless another phase is given.
    public init(_ items: IdentifiedRows<Item> = [], phase: Phase = .loaded, hasMore: Bool = false) {
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

    /// Adds the items whose ids are not in the list.
    mutating func add(_ new: [Item]) {
        for item in new where !items.contains(id: item.id) { items.append(item) }
    }
}

extension PagedList.Phase {
    fileprivate var isLoaded: Bool { if case .loaded = self { true } else { false } }
}

extension PagedList.Phase: Equatable where Failure: Equatable {}
extension PagedList: Equatable where Item: Equatable, Failure: Equatable {}

/// One page of a list, with the cursor of the next page.
public struct CursorPage<Item: Sendable, Cursor: Sendable>: Sendable {
    /// The items of the page, in order.
    public var items: [Item]
    /// The cursor of the next page; `nil` on the last page.
    public var next: Cursor?

    /// Creates a page; without a cursor, it is the last one.
    public init(_ items: [Item], next: Cursor? = nil) {
        self.items = items
        self.next = next
    }
}

extension CursorPage: Equatable where Item: Equatable, Cursor: Equatable {}
