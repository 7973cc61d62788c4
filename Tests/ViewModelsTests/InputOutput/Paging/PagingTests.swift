import Streams
import Testing
import ViewModels

@Suite("Paged list of a flow")
struct PagingTests {
    private typealias Row = PageServer.Row
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

    private func rows(_ ids: Int...) -> [Row] { ids.map { Row(id: $0) } }

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
}
