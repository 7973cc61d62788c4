import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("share(replay:scope:)", .takesTurns)
struct ShareTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let replay: Int
        let scope: SubjectLifetimeScope

        var testDescription: String { "replay \(replay), \(scope)" }
        /// The number of `sent` elements that a late observer receives.
        func replayed(of sent: Int) -> Int { min(replay, sent) }

        func share(_ source: Observable<Int>) -> Observable<Int> { source.share(replay: replay, scope: scope) }
    }

    static let kinds = [0, 1, 2, 5].flatMap { replay in
        [Kind(replay: replay, scope: .whileConnected), Kind(replay: replay, scope: .forever)]
    }

    @Test("share subscribes to the source from the first to the last observer", arguments: kinds)
    func oneSubscription(_ kind: Kind) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(250, 3), .next(270, 4)])
        let shared = kind.share(source.asObservable())
        let (first, second) = (scheduler.createObserver(Int.self), scheduler.createObserver(Int.self))
        let (one, other) = (SerialDisposable(), SerialDisposable())
        scheduler.scheduleAt(200) { one.disposable = shared.subscribe(first) }
        scheduler.scheduleAt(240) { other.disposable = shared.subscribe(second) }
        scheduler.scheduleAt(260) { one.dispose() }
        scheduler.scheduleAt(280) { other.dispose() }
        scheduler.start()
        #expect(source.subscriptions == [Subscription(200, 280)])
        #expect(first.events == [.next(210, 1), .next(230, 2), .next(250, 3)])
        let replayed: [Recorded<Event<Int>>] = [.next(240, 1), .next(240, 2)].suffix(kind.replayed(of: 2))
        #expect(second.events == replayed + [.next(250, 3), .next(270, 4)])
    }

    @Test("share subscribes again for an observer after the last one", arguments: kinds)
    func reconnection(_ kind: Kind) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(250, 2)])
        let shared = kind.share(source.asObservable())
        let late = scheduler.createObserver(Int.self)
        let subscription = SerialDisposable()
        scheduler.scheduleAt(200) { subscription.disposable = shared.subscribe() }
        scheduler.scheduleAt(220) { subscription.disposable = Disposables.create() }
        scheduler.scheduleAt(240) { subscription.disposable = shared.subscribe(late) }
        scheduler.scheduleAt(260) { subscription.dispose() }
        scheduler.start()
        #expect(source.subscriptions == [Subscription(200, 220), Subscription(240, 260)])
        let keeps = kind.replay > 0 && kind.scope == .forever
        #expect(late.events == (keeps ? [.next(240, 1)] : []) + [.next(250, 2)])
    }

    @Test(
        "an observer after termination causes a new subscription with .whileConnected and receives the terminal event with .forever",
        arguments: kinds)
    func afterTheEnd(_ kind: Kind) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .completed(30)])
        let shared = kind.share(source.asObservable())
        let late = scheduler.createObserver(Int.self)
        let bag = CompositeDisposable()
        scheduler.scheduleAt(200) { bag.insert(shared.subscribe()) }
        scheduler.scheduleAt(300) { bag.insert(shared.subscribe(late)) }
        scheduler.start()
        switch kind.scope {
        case .whileConnected:
            #expect(source.subscriptions == [Subscription(200, 230), Subscription(300, 330)])
            #expect(late.events == [.next(310, 1), .next(320, 2), .completed(330)])
        case .forever:
            #expect(source.subscriptions == [Subscription(200, 230)])
            let replayed: [Recorded<Event<Int>>] = [.next(300, 1), .next(300, 2)].suffix(kind.replayed(of: 2))
            #expect(late.events == replayed + [.completed(300)])
        }
        bag.dispose()
    }

    @Test("share delivers a failure to all observers, and retry subscribes again with .whileConnected")
    func retry() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([.next(10, 1), .error(20, Failure.expected)])
        let shared = source.share(replay: 1)
        let (first, second) = (scheduler.createObserver(Int.self), scheduler.createObserver(Int.self))
        let bag = CompositeDisposable()
        scheduler.scheduleAt(200) { bag.insert(shared.retry(2).subscribe(first)) }
        scheduler.scheduleAt(205) { bag.insert(shared.retry(2).subscribe(second)) }
        scheduler.start()
        #expect(first.events == [.next(210, 1), .next(230, 1), .error(240, Failure.expected)])
        #expect(second.events == first.events)
        #expect(source.subscriptions == [Subscription(200, 220), Subscription(220, 240)])
        bag.dispose()
    }

    @Test("share delivers a synchronous source only to the first observer", arguments: kinds)
    func synchronousSource(_ kind: Kind) {
        let count = Counter()
        let source = Observable<Int>.create { observer in
            count.add(1)
            observer.onNext(count.value)
            observer.onNext(count.value * 10)
            return Disposables.create { count.add(100) }
        }
        let shared = kind.share(source)
        let received = Record()
        let first = shared.subscribe(onNext: { received.add("a\($0)") })
        let second = shared.subscribe(onNext: { received.add("b\($0)") })
        #expect(count.value == 1)
        #expect(received.words == ["a1", "a10"] + ["b1", "b10"].suffix(kind.replayed(of: 2)))
        first.dispose()
        #expect(count.value == 1)
        second.dispose()
        #expect(count.value == 101)
    }

    @Test("share disposes the source before its observers receive the terminal event", arguments: [false, true])
    func order(fails: Bool) {
        let shared: [@Sendable (Observable<Int>) -> Observable<Int>] = [
            { $0.share() }, { $0.share(replay: 1) }, { $0.share(replay: 1, scope: .forever) },
            { $0.publish().refCount() },
        ]
        for share in shared {
            let log = Record()
            let source = PublishSubject<Int>()
            let stream = share(source.do(onDispose: { log.add("let go") }))
            let subscriptions = (1...2).map { _ in stream.subscribe { log.add($0.isStopEvent ? "end" : "element") } }
            if fails { source.onError(Failure.expected) } else { source.onCompleted() }
            #expect(log.words == ["let go", "end", "end"])
            for subscription in subscriptions { subscription.dispose() }
        }
    }

    @Test("observers can subscribe to and unsubscribe from share during a delivery", arguments: kinds)
    func reentrancy(_ kind: Kind) {
        let source = PublishSubject<Int>()
        let shared = kind.share(source)
        let received = Record()
        let bag = CompositeDisposable()
        let first = SerialDisposable()
        first.disposable = shared.subscribe(onNext: { number in
            received.add("a\(number)")
            if number == 1 { bag.insert(shared.subscribe(onNext: { received.add("b\($0)") })) }
            if number == 2 { first.dispose() }
        })
        for number in 1...3 { source.onNext(number) }
        #expect(received.words == ["a1"] + (kind.replay > 0 ? ["b1"] : []) + ["a2", "b2", "b3"])
        bag.dispose()
        #expect(!source.hasObservers)
    }

    @Test("share with .whileConnected releases its elements with the last observer")
    func release() {
        weak var kept: Token?
        let source = PublishSubject<Token>()
        let shared = source.share(replay: 2)
        let subscription = shared.subscribe()
        func send() {
            let token = Token(1)
            kept = token
            source.onNext(token)
        }
        send()
        #expect(kept != nil)
        subscription.dispose()
        #expect(kept == nil)
    }

    @Test("concurrent subscriptions to share leave nothing behind", arguments: kinds)
    func threads(_ kind: Kind) async {
        let source = PublishSubject<Int>()
        let shared = kind.share(source)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<500 { shared.subscribe().dispose() } }
            }
            group.addTask { for number in 0..<2000 { source.onNext(number) } }
        }
        #expect(!source.hasObservers)
    }
}
