import Streams
import Testing
import ViewModels

@Suite("Paging state machine")
struct PagingTests {
    private typealias Row = PageServer.Row

    private struct Paged {
        var state = Paging<String, Row, Int, String>()

        mutating func apply(_ event: Paging<String, Row, Int, String>.Event) { state.apply(event) { "\($0)" } }
    }

    @Test("paging ignores an answer to the request of an earlier step")
    func staleAnswers() {
        for later in [Move.ask("b"), .refresh] {
            var paged = Paged()
            paged.apply(.queryChanged("a"))
            paged.apply(.answered(step: paged.state.step, .success(CursorPage([Row(id: 1)], next: 1))))
            paged.apply(.reachedEnd)
            let stale = paged.state.step
            paged.apply(later == .refresh ? .refreshed : .queryChanged("b"))
            let list = paged.state.list
            paged.apply(.answered(step: stale, .success(CursorPage([Row(id: 2)]))))
            paged.apply(.answered(step: stale, .failure(RxError.timeout)))
            #expect(paged.state.list == list)
            #expect(paged.state.request?.cursor == nil)
        }
    }

    @Test("paging applies an answer once")
    func answersCountOnce() {
        var paged = Paged()
        paged.apply(.queryChanged("a"))
        let step = paged.state.step
        paged.apply(.answered(step: step, .success(CursorPage([Row(id: 1)]))))
        paged.apply(.answered(step: step, .success(CursorPage([Row(id: 2)]))))
        #expect(paged.state.list == PagedList([Row(id: 1)]))
        #expect(paged.state.request == nil)
    }
}
