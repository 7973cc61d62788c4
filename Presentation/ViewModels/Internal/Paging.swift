/// The state machine of a paged list.
///
/// Every event that takes effect begins a new step; one that does not, such as the answer to a request of an earlier
/// step, changes nothing.
package struct Paging<Query: Sendable, Item: Identifiable & Sendable, Cursor: Sendable, Failure: Sendable>: Sendable
where Item.ID: Sendable {
    package enum Event: Sendable {
        case queryChanged(Query)
        case reachedEnd
        case refreshed
        case retryTapped
        /// The result of the request of that step.
        case answered(step: Int, Result<CursorPage<Item, Cursor>, any Error>)
    }

    /// A request for one page.
    package struct Request: Sendable {
        package let query: Query
        package let cursor: Cursor?
    }

    package private(set) var list = PagedList<Item, Failure>()
    package private(set) var step = 0
    /// The request of this step.
    package private(set) var request: Request?
    private var query: Query?
    private var next: Cursor?
    private var known: Set<Item.ID> = []

    package init() {}

    package mutating func apply(_ event: Event, describe: (any Error) -> Failure) {
        switch event {
        case .queryChanged(let query):
            list = PagedList()
            known = []
            self.query = query
            begin(.first)
        case .reachedEnd:
            if canContinue { begin(.next) }
        case .refreshed:
            switch list.phase {
            case .loading(.first), .loading(.refresh): break
            case .failed(.first, _): begin(.first)
            case .loading(.next), .loaded, .failed: begin(.refresh)
            }
        case .retryTapped:
            if case .failed(let load, _) = list.phase { begin(load) }
        case .answered(step, let result):
            finish(result, describe)
        case .answered: break
        }
    }

    /// Whether reaching the end requests the next page. After that page failed, only a retry does: the end is still
    /// visible, and would request it again and again.
    private var canContinue: Bool {
        switch list.phase {
        case .loaded, .failed(.refresh, _): list.hasMore
        case .loading, .failed: false
        }
    }

    private mutating func begin(_ load: PagedList<Item, Failure>.Load) {
        guard let query else { return }
        step += 1
        list.phase = .loading(load)
        request = Request(query: query, cursor: load == .next ? next : nil)
    }

    private mutating func finish(
        _ result: Result<CursorPage<Item, Cursor>, any Error>, _ describe: (any Error) -> Failure
    ) {
        guard case .loading(let load) = list.phase else { return }
        step += 1
        request = nil
        switch result {
        case .success(let page):
            if load == .refresh {
                list.items = []
                known = []
            }
            list.items += page.items.filter { known.insert($0.id).inserted }
            list.hasMore = page.next != nil
            list.phase = .loaded
            next = page.next
        case .failure(let error):
            list.phase = .failed(load, describe(error))
        }
    }
}
