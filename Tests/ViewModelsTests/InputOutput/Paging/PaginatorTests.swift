import Streams
import Synchronization
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Paginator", .takesTurns, .nothingSurvives)
struct PaginatorTests {
    @Test("a paginator loads the first page, and a next page each time the end is reached, up to the last")
    func scrolling() {
        let screen = ListScreen(.page(1...3, next: 3), .page(4...5, next: 5), .page(6...6))
        screen.at(10, .ask("a"))
        for tick in [200, 400, 600] { screen.at(tick, .reachEnd) }
        #expect(
            screen.run() == [
                "10 loading first", "110 loaded 1 2 3+",
                "200 loading next 1 2 3+", "300 loaded 1 2 3 4 5+",
                "400 loading next 1 2 3 4 5+", "500 loaded 1 2 3 4 5 6",
            ])
        #expect(screen.server.requests == ["a", "a@3", "a@5"])
    }

    @Test("a paginator loads a page once, however often the end is reached")
    func oneLoadOfAPage() {
        let screen = ListScreen(.page([1], next: 1), .page([2]))
        screen.at(10, .ask("a"))
        for tick in [50, 200, 200, 210, 290, 400, 410] { screen.at(tick, .reachEnd) }
        #expect(
            screen.run() == ["10 loading first", "110 loaded 1+", "200 loading next 1+", "300 loaded 1 2"])
        #expect(screen.server.requests == ["a", "a@1"])
    }

    @Test("a paginator loads and emits nothing before the first query", arguments: [Move.reachEnd, .refresh, .retry])
    func beforeTheQuery(move: Move) {
        let screen = ListScreen(.page([1]))
        screen.at(10, move)
        screen.at(20, .ask("a"))
        #expect(screen.run() == ["20 loading first", "120 loaded 1"])
    }

    @Test("a paginator without items is loaded and empty")
    func empty() {
        let screen = ListScreen(.page([]))
        screen.at(10, .ask("a"))
        #expect(screen.run() == ["10 loading first", "110 loaded"])
        #expect(ListScreen.List().isEmpty)
        #expect(!ListScreen.List(phase: .loading(.first)).isEmpty)
        #expect(!ListScreen.List(phase: .failed(.first, "")).isEmpty)
    }

    @Test("a retry loads a failed first page again")
    func retryFirst() {
        let screen = ListScreen(.failure(), .page([1]))
        screen.at(10, .ask("a"))
        screen.at(200, .retry)
        #expect(screen.run() == ["10 loading first", "110 failed first", "200 loading first", "300 loaded 1"])
        #expect(screen.server.requests == ["a", "a"])
    }

    @Test("a retry loads a failed next page again, and the items stay")
    func retryNext() {
        let screen = ListScreen(.page([1], next: 1), .failure(), .page([2]))
        screen.at(10, .ask("a"))
        screen.at(200, .reachEnd)
        screen.at(400, .retry)
        #expect(
            screen.run() == [
                "10 loading first", "110 loaded 1+", "200 loading next 1+", "300 failed next 1+",
                "400 loading next 1+", "500 loaded 1 2",
            ])
        #expect(screen.server.requests == ["a", "a@1", "a@1"])
    }

    @Test("only a retry loads a failed next page again, and reaching the end does not")
    func endAfterFailure() {
        let screen = ListScreen(.page([1], next: 1), .failure())
        screen.at(10, .ask("a"))
        for tick in [200, 400, 500] { screen.at(tick, .reachEnd) }
        #expect(screen.run().last == "300 failed next 1+")
    }

    @Test("a refresh keeps the items until the new first page has loaded, and continues after it")
    func refresh() {
        let screen = ListScreen(.page([1, 2], next: 2), .page([3, 1], next: 9), .page([4]))
        screen.at(10, .ask("a"))
        screen.at(200, .refresh)
        screen.at(400, .reachEnd)
        #expect(
            screen.run() == [
                "10 loading first", "110 loaded 1 2+", "200 loading refresh 1 2+", "300 loaded 3 1+",
                "400 loading next 3 1+", "500 loaded 3 1 4",
            ])
        #expect(screen.server.requests == ["a", "a", "a@9"])
    }

    @Test("a failed refresh keeps the items, and the list can refresh again or load the next page")
    func failedRefresh() {
        let screen = ListScreen(.page([1], next: 1), .failure(), .failure(), .page([2]))
        screen.at(10, .ask("a"))
        screen.at(200, .refresh)
        screen.at(400, .retry)
        screen.at(600, .reachEnd)
        #expect(
            screen.run() == [
                "10 loading first", "110 loaded 1+", "200 loading refresh 1+", "300 failed refresh 1+",
                "400 loading refresh 1+", "500 failed refresh 1+", "600 loading next 1+", "700 loaded 1 2",
            ])
        #expect(screen.server.requests == ["a", "a", "a", "a@1"])
    }

    @Test("a refresh replaces a loading next page, whose answer is ignored")
    func refreshWhileLoadingNext() {
        let screen = ListScreen(.page([1], next: 1), .page([2], after: 50), .page([3]))
        screen.at(10, .ask("a"))
        screen.at(200, .reachEnd)
        screen.at(240, .refresh)
        #expect(
            screen.run() == [
                "10 loading first", "110 loaded 1+", "200 loading next 1+", "240 loading refresh 1+", "340 loaded 3",
            ])
    }

    @Test("a new query replaces the list, and the answer to the one before is ignored")
    func newQuery() {
        let screen = ListScreen(.page([1], next: 1), .page([2], after: 100), .page([3]), .page([1]))
        screen.at(10, .ask("a"))
        screen.at(200, .reachEnd)
        screen.at(250, .ask("b"))
        screen.at(300, .ask("c"))
        #expect(
            screen.run() == [
                "10 loading first", "110 loaded 1+", "200 loading next 1+", "250 loading first", "300 loading first",
                "400 loaded 1",
            ])
        #expect(screen.server.requests == ["a", "a@1", "b", "c"])
        #expect(screen.server.mostAtOnce == 1)
    }

    @Test("an answer that arrives after a new query is ignored")
    func overtakenAnswer() {
        let query = PublishSubject<String>()
        let answer = PublishSubject<CursorPage<PageServer.Row, Int>>()
        let paginator = Paginator { (asked: String, _: Int?) in
            asked == "a" ? answer.do(onNext: { _ in query.onNext("b") }) : .never()
        } failure: {
            "\($0)"
        }
        let shown = Mutex<[[Int]]>([])
        let subscription = paginator.transform(.init(query: query))
            .subscribe(onNext: { list in shown.withLock { $0.append(list.items.map(\.id)) } })
        query.onNext("a")
        answer.onNext(CursorPage([PageServer.Row(id: 1)]))
        #expect(shown.withLock { $0 } == [[], []])
        subscription.dispose()
    }

    @Test("with answers on other threads, each list of a paginator belongs to the latest query")
    func threads() async throws {
        let paginator = Paginator { (asked: Int, _: Int?) in
            await Task.yield()
            return CursorPage<PageServer.Row, Int>([PageServer.Row(id: asked)])
        } failure: {
            "\($0)"
        }
        for _ in 0..<100 {
            let query = PublishSubject<Int>()
            let asked = Mutex(-1)
            let (last, end) = AsyncStream.makeStream(of: Void.self)
            let subscription = paginator.transform(.init(query: query))
                .subscribe(onNext: { list in
                    if list.loading == .first { return asked.withLock { $0 += 1 } }
                    #expect(list == PagedList([PageServer.Row(id: asked.withLock { $0 })]))
                    if list.items.first?.id == 19 { end.finish() }
                })
            for number in 0..<20 {
                query.onNext(number)
                if number % 3 == 0 { await Task.yield() }
            }
            for await _ in last {}
            subscription.dispose()
        }
    }

    @Test("a paginator omits items that the list or the same page already contains")
    func duplicates() {
        let screen = ListScreen(.page([1, 2, 1], next: 2), .page([2, 3, 1, 4]))
        screen.at(10, .ask("a"))
        screen.at(200, .reachEnd)
        #expect(screen.run().last == "300 loaded 1 2 3 4")
    }

    @Test("disposing the list cancels the loading page")
    func leaving() {
        let screen = ListScreen(.page([1]))
        screen.at(10, .ask("a"))
        screen.leave(at: 50)
        #expect(screen.run() == ["10 loading first"])
        #expect(screen.server.underWay == 0)
    }

    @Test("an observer of a paginator may respond synchronously, even if pages load synchronously")
    func sameBreath() {
        let reachedEnd = PublishRelay<Void>()
        let paginator = Paginator { (_: String, cursor: Int?) in
            let number = cursor ?? 0
            return Observable.just(CursorPage([PageServer.Row(id: number)], next: number < 1000 ? number + 1 : nil))
        } failure: {
            "\($0)"
        }
        let count = Mutex(0)
        let list = paginator.transform(.init(query: .just("a"), reachedEnd: reachedEnd.asObservable()))
        let subscription = list.subscribe(onNext: { list in
            count.withLock { $0 = list.items.count }
            if list.phase == .loaded, list.hasMore { reachedEnd.accept(()) }
        })
        #expect(count.withLock { $0 } == 1001)
        subscription.dispose()
    }

    @Test("a load stream without a page is a failure, and of several pages the first counts")
    func streams() {
        let pages: [String: Observable<CursorPage<PageServer.Row, Int>>] = [
            "none": .empty(), "two": .of(CursorPage([PageServer.Row(id: 1)]), CursorPage([PageServer.Row(id: 2)])),
        ]
        let paginator = Paginator { (query: String, _: Int?) in
            pages[query] ?? .never()
        } failure: {
            "\($0)"
        }
        let last = Mutex<ListScreen.List?>(nil)
        for query in ["none", "two"] {
            let subscription = paginator.transform(.init(query: .just(query)))
                .subscribe(onNext: { list in last.withLock { $0 = list } })
            subscription.dispose()
            let list = last.withLock { $0 }
            if query == "none" {
                #expect(list == .init(phase: .failed(.first, "\(RxError.noElements)")))
                #expect(list?.failure == "\(RxError.noElements)")
            } else {
                #expect(list == .init([PageServer.Row(id: 1)]))
            }
        }
    }

    @Test("a failing input ends the list with its error and cancels the loading page")
    func failingInput() {
        let query = PublishSubject<String>()
        let pages = CountedStream(Observable<CursorPage<PageServer.Row, Int>>.never())
        let paginator = Paginator { (_: String, _: Int?) in
            pages.stream
        } failure: {
            "\($0)"
        }
        let ended = Mutex(false)
        _ = paginator.transform(.init(query: query)).subscribe(onError: { _ in ended.withLock { $0 = true } })
        query.onNext("a")
        #expect(pages.active == 1)
        query.onError(RxError.timeout)
        #expect(ended.withLock { $0 })
        #expect(pages.active == 0)
    }

    @Test("transform of a paginator only composes, and subscribes to each input once")
    @MainActor
    func composes() {
        let query = PublishSubject<String>()
        let taps = PublishSubject<Void>()
        let paginator = Paginator { (_: String, _: Int?) in
            Observable.just(CursorPage<PageServer.Row, Int>([], next: 1))
        } failure: {
            "\($0)"
        }
        expectOnlyComposes(paginator) { inputs in
            .init(
                query: inputs.count(query), reachedEnd: inputs.count(taps), refreshed: inputs.count(taps),
                retryTapped: inputs.count(taps))
        } whileBound: {
            query.onNext("a")
            taps.onNext(())
        }
    }
}
