import TestReporting
import Testing
import ViewModels

@Suite("Paged list of a flow")
struct PagingTests {
    private struct Row: Identifiable, Hashable {
        let id: Int
    }
    private typealias Pages = Paging<String, Row, Int, String>

    /// A paged list as an object, whose changes may be expected.
    private final class Paged {
        var pages = Pages()

        var list: PagedList<Row, String> { pages.list }

        func show(_ query: String) -> Pages.Request { pages.show(query) }
        func reachEnd() -> Pages.Request? { pages.reachEnd() }
        func refresh() -> Pages.Request? { pages.refresh() }
        func retry() -> Pages.Request? { pages.retry() }
        func fail(_ failure: String, of request: Pages.Request) -> Bool { pages.fail(failure, of: request) }
        func receive(_ ids: [Int], next: Int? = nil, of request: Pages.Request) -> Bool {
            pages.receive(CursorPage(ids.map { Row(id: $0) }, next: next), of: request)
        }
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
            var hasQuery = false
            for _ in 0..<Int.random(in: 5...60, using: &draw) {
                var expected: PagedList<Row, String>.Load?
                var request: Pages.Request?
                switch Int.random(in: 0..<14, using: &draw) {
                case 0:
                    (ids, cursor, hasQuery, expected) = ([], nil, true, .first)
                    request = pages.show("a")
                case 1...4:
                    if coming == nil, cursor != nil, failed != .next, failed != .first { expected = .next }
                    request = pages.reachEnd()
                case 5...6:
                    if hasQuery, coming == nil || coming == .next { expected = failed == .first ? .first : .refresh }
                    request = pages.refresh()
                case 7: (expected, request) = (failed, pages.retry())
                default:
                    guard let answered = requests.randomElement(using: &draw) else { continue }
                    let isCurrent = coming != nil && answered == requests.last
                    if Int.random(in: 0..<4, using: &draw) == 0 {
                        #expect(pages.fail("offline", of: answered) == isCurrent, "seed \(seed)")
                        if isCurrent { (failed, coming) = (coming, nil) }
                    } else {
                        let items = (0..<3).map { _ in Int.random(in: 1...9, using: &draw) }
                        let next = Int.random(in: 0..<3, using: &draw) == 0 ? nil : Int.random(in: 1...99, using: &draw)
                        let page = CursorPage(items.map { Row(id: $0) }, next: next)
                        #expect(pages.receive(page, of: answered) == isCurrent, "seed \(seed)")
                        if isCurrent {
                            if coming != .next { ids = [] }
                            for id in items where !ids.contains(id) { ids.append(id) }
                            (cursor, coming) = (next, nil)
                        }
                    }
                }
                #expect((request == nil) == (expected == nil), "seed \(seed)")
                if let expected { (coming, failed) = (expected, nil) }
                if let request { requests.append(request) }
                #expect(pages.list.items.map(\.id) == ids && pages.list.loading == coming, "seed \(seed)")
                #expect((pages.list.failure != nil) == (failed != nil), "seed \(seed)")
            }
        }
    }
}
