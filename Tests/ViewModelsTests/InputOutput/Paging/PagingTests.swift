import TestConcurrency
import TestReporting
import Testing
import ViewModels

@Suite("Paged list of a flow")
struct PagingTests {
    private struct Row: Identifiable, Hashable {
        let id: Int
        var text = ""
    }
    private typealias Pages = Paging<String, Row, Int, String>

    /// A paged list as an object, whose changes may be expected.
    private final class Paged {
        var pages: Pages

        init(_ pages: Pages = Pages()) { self.pages = pages }

        var list: PagedList<Row, String> { pages.list }

        func show(_ query: String) -> Pages.Request { pages.show(query) }
        func reachEnd() -> Pages.Request? { pages.reachEnd() }
        func refresh() -> Pages.Request? { pages.refresh() }
        func retry() -> Pages.Request? { pages.retry() }
        func fail(_ failure: String, of request: Pages.Request) -> Bool { pages.fail(failure, of: request) }
        func receive(_ ids: [Int], next: Int? = nil, of request: Pages.Request) -> Bool {
            pages.receive(CursorPage(ids.map { Row(id: $0) }, next: next), of: request)
        }
        func cancel(_ request: Pages.Request) -> Bool { pages.cancel(request) }
        func merge(_ ids: [Int], next: Int? = nil) {
            pages.merge(CursorPage(ids.map { Row(id: $0) }, next: next)) { $0.id > ids.last ?? 0 }
        }
    }

    private func rows(_ ids: Int...) -> IdentifiedRows<Row> { IdentifiedRows(ids.map { Row(id: $0) }) }

    /// A list with the rows 10, 20 and 30 of two pages, and more to come.
    private func loaded() throws -> Paged {
        let paged = Paged()
        let first = paged.show("a")
        #expect(paged.receive([10, 20], next: 2, of: first))
        let second = try #require(paged.reachEnd())
        #expect(second.cursor == 2)
        #expect(paged.receive([20, 30], next: 3, of: second))
        return paged
    }

    @Test("paging ignores an answer to the request of an earlier step", arguments: [true, false])
    func staleAnswers(refreshes: Bool) throws {
        let paged = try loaded()
        let stale = try #require(paged.reachEnd())
        let request = try #require(refreshes ? paged.refresh() : paged.show("b"))
        let list = paged.list
        #expect(!paged.receive([40], of: stale))
        #expect(!paged.fail("late", of: stale))
        #expect(paged.list == list)
        #expect(request.cursor == nil)
    }

    @Test("paging applies an answer once")
    func answersCountOnce() {
        let paged = Paged()
        let request = paged.show("a")
        #expect(paged.receive([1], of: request))
        #expect(!paged.receive([2], of: request))
        #expect(paged.list == PagedList(rows(1)))
    }

    @Test("paging without a query requests nothing")
    func noQuery() {
        let paged = Paged()
        #expect(paged.reachEnd() == nil)
        #expect(paged.refresh() == nil)
        #expect(paged.retry() == nil)
    }

    @Test("a newer first page replaces the beginning of a paged list, and paging continues behind the rest")
    func mergedFirstPage() throws {
        let paged = try loaded()
        paged.merge([5, 10, 15], next: 2)
        #expect(paged.list == PagedList(rows(5, 10, 15, 20, 30), hasMore: true))
        #expect(paged.reachEnd()?.cursor == 3)
    }

    @Test("a newer first page behind which nothing is left continues the paged list after itself")
    func mergedWholeList() throws {
        let paged = try loaded()
        paged.merge([10, 40], next: 9)
        #expect(paged.list == PagedList(rows(10, 40), hasMore: true))
        #expect(paged.reachEnd()?.cursor == 9)
    }

    @Test("a newer first page that is the last one ends a paged list")
    func mergedOnlyPage() throws {
        let paged = try loaded()
        let stale = try #require(paged.reachEnd())
        paged.merge([10])
        #expect(paged.list == PagedList(rows(10)))
        #expect(!paged.receive([40], of: stale))
    }

    @Test("a next page that is loading survives a newer first page while rows are left behind it")
    func mergeWhileLoading() throws {
        let paged = try loaded()
        let next = try #require(paged.reachEnd())
        paged.merge([5, 10], next: 2)
        #expect(paged.list.phase == .loading(.next))
        #expect(paged.receive([40], of: next))
        #expect(paged.list == PagedList(rows(5, 10, 20, 30, 40)))
    }

    @Test("a newer first page, whichever rows it has, is followed by the loaded rows behind it", arguments: 0..<200)
    func generatedMerges(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let ids = (1...12).filter { _ in Bool.random(using: &random) }
        let next: Int? = Int.random(in: 0..<4, using: &random) == 0 ? nil : 9
        // Half of the pages have the rows that are there.
        let count = Int.random(in: 0...ids.count, using: &random)
        let page =
            Bool.random(using: &random)
            ? Array(ids.prefix(count)) : (1...12).filter { _ in Bool.random(using: &random) }
        var pages = Pages()
        let request = pages.show("a")
        pages.receive(CursorPage(ids.map { Row(id: $0) }, next: 5), of: request)
        pages.merge(CursorPage(page.map { Row(id: $0, text: "new") }, next: next)) { $0.id > page.last ?? 0 }
        let behind = next == nil ? [] : ids.filter { $0 > page.last ?? 0 }
        let expected = page.map { Row(id: $0, text: "new") } + behind.map { Row(id: $0) }
        #expect(Array(pages.list.items) == expected)
        for row in expected { #expect(pages.list.items[id: row.id] == row) }
        #expect(pages.list.hasMore == (behind.isEmpty ? next != nil : true))
        #expect(pages.reachEnd()?.cursor == (behind.isEmpty ? next : 5))
    }

    @Test("a newer first page has no effect while a first page is loading")
    func mergeWhileRefreshing() throws {
        let paged = try loaded()
        _ = paged.refresh()
        let list = paged.list
        paged.merge([1])
        #expect(paged.list == list)
    }

    @Test("an item of a paged list is changed in place, and a removed one may return with a later page")
    func changedItems() throws {
        let paged = try loaded()
        paged.pages.update(20) { $0 = Row(id: $0.id) }
        paged.pages.remove(20)
        paged.pages.remove(99)
        paged.pages.update(99) { _ in Issue.record("there is no such item") }
        #expect(paged.list.items == rows(10, 30))
        let next = try #require(paged.reachEnd())
        #expect(paged.receive([30, 20], of: next))
        #expect(paged.list.items == rows(10, 30, 20))
    }

    // MARK: Requests without an answer

    @Test(
        "a cancelled request returns a paged list to what it was", arguments: [Situation.loadingNext, .refreshing])
    func cancelledOverRows(situation: Situation) throws {
        for before in [Situation.more, .failedRefresh] {
            let pages = Paged(pages(before))
            let shown = pages.list
            let request = try #require(situation == .loadingNext ? pages.reachEnd() : pages.refresh())
            #expect(pages.cancel(request))
            #expect(pages.list == shown)
            #expect(!pages.cancel(request))
            #expect(!pages.receive([9], of: request))
            #expect(pages.list == shown)
            let repeated = try #require(situation == .loadingNext ? pages.reachEnd() : pages.refresh())
            #expect(pages.receive([2], of: repeated))
        }
    }

    @Test("a cancelled retry shows the failure again", arguments: [Situation.failedFirst, .failedNext, .failedRefresh])
    func cancelledRetry(situation: Situation) throws {
        let pages = Paged(pages(situation))
        let shown = pages.list
        let request = try #require(pages.retry())
        #expect(pages.cancel(request))
        #expect(pages.list == shown)
        #expect(pages.retry()?.cursor == request.cursor)
    }

    @Test("a refresh that replaced a next page and was cancelled leaves neither loading")
    func cancelledRefreshOverNextPage() throws {
        let pages = Paged(pages(.loadingNext))
        let refresh = try #require(pages.refresh())
        #expect(pages.cancel(refresh))
        #expect(pages.list == self.pages(.more).list)
        #expect(pages.reachEnd()?.cursor == 1)
    }

    @Test(
        "after a cancelled first page, a paged list is neither loading nor empty, and each move loads the first page",
        arguments: Move.allCases)
    func cancelledFirstPage(move: Move) throws {
        for hasShown in [false, true] {
            let pages = Paged(hasShown ? pages(.more) : Pages())
            #expect(pages.cancel(pages.show("b")))
            #expect(pages.list == PagedList(hasMore: true))
            #expect(!pages.list.isEmpty)
            let request =
                switch move {
                case .show: pages.show("b")
                case .reachEnd: pages.reachEnd()
                case .refresh: pages.refresh()
                case .retry: pages.retry()
                }
            #expect(request?.query == "b" && request?.cursor == nil)
            #expect(pages.list.loading == .first)
            let repeated = try #require(request)
            #expect(pages.cancel(repeated))
            #expect(pages.list == PagedList(hasMore: true))
        }
    }

    // MARK: Every phase and move

    /// How a list enters a phase.
    enum Situation: String, CaseIterable {
        case loadingFirst, failedFirst, more, all, loadingNext, failedNext, refreshing, failedRefresh
    }

    enum Move: CaseIterable {
        case show, reachEnd, refresh, retry
    }

    private func pages(_ situation: Situation) -> Pages {
        var pages = Pages()
        let first = pages.show("a")
        switch situation {
        case .loadingFirst: return pages
        case .failedFirst: pages.fail("offline", of: first)
        case .all: pages.receive(CursorPage([Row(id: 1)], next: nil), of: first)
        default: pages.receive(CursorPage([Row(id: 1)], next: 1), of: first)
        }
        switch situation {
        case .loadingNext: _ = pages.reachEnd()
        case .failedNext: if let next = pages.reachEnd() { pages.fail("offline", of: next) }
        case .refreshing: _ = pages.refresh()
        case .failedRefresh: if let refresh = pages.refresh() { pages.fail("offline", of: refresh) }
        case .loadingFirst, .failedFirst, .more, .all: break
        }
        return pages
    }

    /// What the list loads after the move; `nil` if the move has no effect.
    private func load(_ situation: Situation, _ move: Move) -> PagedList<Row, String>.Load? {
        switch (situation, move) {
        case (_, .show): .first
        case (.more, .reachEnd), (.failedRefresh, .reachEnd): .next
        case (_, .reachEnd): nil
        case (.loadingFirst, .refresh), (.refreshing, .refresh): nil
        case (.failedFirst, .refresh): .first
        case (_, .refresh): .refresh
        case (.failedFirst, .retry): .first
        case (.failedNext, .retry): .next
        case (.failedRefresh, .retry): .refresh
        case (_, .retry): nil
        }
    }

    @Test("each move in each phase of a paged list starts the specified load or none", arguments: Situation.allCases)
    func moves(situation: Situation) {
        for move in Move.allCases {
            var pages = pages(situation)
            let before = pages
            let request =
                switch move {
                case .show: pages.show("b")
                case .reachEnd: pages.reachEnd()
                case .refresh: pages.refresh()
                case .retry: pages.retry()
                }
            let load = load(situation, move)
            #expect((request == nil) == (load == nil), "\(move)")
            if let load { #expect(pages.list.loading == load, "\(move)") } else { #expect(pages == before, "\(move)") }
            #expect(request?.cursor == (load == .next ? 1 : nil), "\(move)")
            #expect(pages.list.items == (move == .show ? [] : before.list.items), "\(move)")
        }
    }

    @Test("a paged list equals a simple model after random moves and late answers", arguments: 0..<20)
    func random(batch: Int) {
        for number in 0..<25 {
            let seed = UInt64(batch * 25 + number)
            var draw = SeededGenerator(seed: seed)
            var (pages, requests) = (Pages(), [Pages.Request]())
            var (ids, cursor, coming, failed): ([Int], Int?, PagedList<Row, String>.Load?, PagedList<Row, String>.Load?)
            (ids, cursor, coming, failed) = ([], nil, nil, nil)
            // Whether the first page was cancelled; and what a cancellation returns to.
            var (hasQuery, isUnloaded) = (false, false)
            var previous: (failed: PagedList<Row, String>.Load?, isUnloaded: Bool) = (nil, false)
            for _ in 0..<Int.random(in: 5...60, using: &draw) {
                var expected: PagedList<Row, String>.Load?
                var request: Pages.Request?
                switch Int.random(in: 0..<16, using: &draw) {
                case 0:
                    (ids, cursor, hasQuery, expected) = ([], nil, true, .first)
                    (coming, failed, isUnloaded) = (nil, nil, true)
                    request = pages.show("a")
                case 1...4:
                    if coming == nil, cursor != nil, failed != .next, failed != .first { expected = .next }
                    if isUnloaded, coming == nil { expected = .first }
                    request = pages.reachEnd()
                case 5...6:
                    if hasQuery, coming == nil || coming == .next {
                        expected = failed == .first || isUnloaded ? .first : .refresh
                    }
                    request = pages.refresh()
                case 7:
                    expected = isUnloaded && coming == nil ? .first : failed
                    request = pages.retry()
                case 8...9:
                    // The caller cancels the effect; the flow calls `cancel`, or does not.
                    guard let cancelled = requests.randomElement(using: &draw) else { continue }
                    let isCurrent = coming != nil && cancelled == requests.last
                    let counted = pages.cancel(cancelled)
                    #expect(counted == isCurrent, "seed \(seed)")
                    if isCurrent { (coming, failed, isUnloaded) = (nil, previous.failed, previous.isUnloaded) }
                default:
                    guard let answered = requests.randomElement(using: &draw) else { continue }
                    let isCurrent = coming != nil && answered == requests.last
                    if Int.random(in: 0..<4, using: &draw) == 0 {
                        #expect(pages.fail("offline", of: answered) == isCurrent, "seed \(seed)")
                        if isCurrent { (failed, coming, isUnloaded) = (coming, nil, false) }
                    } else {
                        let items = (0..<3).map { _ in Int.random(in: 1...9, using: &draw) }
                        let next = Int.random(in: 0..<3, using: &draw) == 0 ? nil : Int.random(in: 1...99, using: &draw)
                        let page = CursorPage(items.map { Row(id: $0) }, next: next)
                        #expect(pages.receive(page, of: answered) == isCurrent, "seed \(seed)")
                        if isCurrent {
                            if coming != .next { ids = [] }
                            for id in items where !ids.contains(id) { ids.append(id) }
                            (cursor, coming, isUnloaded) = (next, nil, false)
                        }
                    }
                }
                #expect((request == nil) == (expected == nil), "seed \(seed)")
                if let expected {
                    if coming == nil { previous = (failed, isUnloaded) }
                    (coming, failed, isUnloaded) = (expected, nil, false)
                }
                if let request { requests.append(request) }
                #expect(pages.list.items.map(\.id) == ids && pages.list.loading == coming, "seed \(seed)")
                #expect((pages.list.failure != nil) == (failed != nil), "seed \(seed)")
            }
        }
    }
}
