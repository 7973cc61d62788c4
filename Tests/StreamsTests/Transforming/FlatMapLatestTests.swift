import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing
import TestTurns

@Suite("flatMapLatest, switchLatest", .takesTurns)
struct FlatMapLatestTests {
    /// Cold inner streams: each starts at its outer element.
    struct Switch: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outer: [Recorded<Event<Int>>]
        let inner: [[Recorded<Event<Int>>]]
        let expected: [Recorded<Event<Int>>]
        let outerEnd: Int
        let innerSubscriptions: [[Subscription]]
    }

    static let first: [Recorded<Event<Int>>] = [
        .next(10, 101), .next(20, 102), .next(110, 103), .next(120, 104), .next(210, 105), .completed(220),
    ]
    static let second: [Recorded<Event<Int>>] = [.next(10, 201), .next(20, 202), .next(30, 203), .completed(50)]

    @Test(
        "flatMapLatest emits only the latest inner stream",
        arguments: [
            Switch(
                testDescription: "switches, and completes with the last inner stream",
                outer: [.next(300, 0), .next(400, 1), .completed(410)], inner: [first, second],
                expected: [
                    .next(310, 101), .next(320, 102), .next(410, 201), .next(420, 202), .next(430, 203),
                    .completed(450),
                ],
                outerEnd: 410, innerSubscriptions: [[Subscription(300, 400)], [Subscription(400, 450)]]),
            Switch(
                testDescription: "completes with the outer stream when the inner one has",
                outer: [.next(300, 1), .completed(600)], inner: [first, second],
                expected: [.next(310, 201), .next(320, 202), .next(330, 203), .completed(600)],
                outerEnd: 600, innerSubscriptions: [[], [Subscription(300, 350)]]),
            Switch(
                testDescription: "an error of the inner stream",
                outer: [.next(300, 0), .next(400, 1)],
                inner: [[.next(10, 101), .error(50, Failure.expected)], second],
                expected: [.next(310, 101), .error(350, Failure.expected)],
                outerEnd: 350, innerSubscriptions: [[Subscription(300, 350)], []]),
            Switch(
                testDescription: "an error of a disposed inner stream is dropped",
                outer: [.next(300, 0), .next(340, 1), .completed(350)],
                inner: [[.next(10, 101), .error(50, Failure.expected)], second],
                expected: [.next(310, 101), .next(350, 201), .next(360, 202), .next(370, 203), .completed(390)],
                outerEnd: 350, innerSubscriptions: [[Subscription(300, 340)], [Subscription(340, 390)]]),
            Switch(
                testDescription: "an error of the outer stream",
                outer: [.next(300, 0), .error(315, Failure.expected)], inner: [first],
                expected: [.next(310, 101), .error(315, Failure.expected)],
                outerEnd: 315, innerSubscriptions: [[Subscription(300, 315)]]),
            Switch(
                testDescription: "nothing but completion", outer: [.completed(300)], inner: [],
                expected: [.completed(300)], outerEnd: 300, innerSubscriptions: []),
            Switch(
                testDescription: "disposed while an inner stream is active", outer: [.next(950, 0)],
                inner: [[.next(10, 101), .next(60, 102)]], expected: [.next(960, 101)], outerEnd: 1000,
                innerSubscriptions: [[Subscription(950, 1000)]]),
        ])
    func switching(_ table: Switch) {
        for isSelected in [true, false] {
            let scheduler = TestScheduler(initialClock: 0)
            let outer = scheduler.createHotObservable(table.outer)
            let inner = table.inner.map { scheduler.createColdObservable($0) }
            let result = scheduler.start {
                isSelected
                    ? outer.flatMapLatest { inner[$0] }
                    : outer.map { inner[$0].asObservable() }.switchLatest()
            }
            #expect(result.events == table.expected)
            #expect(outer.subscriptions == [Subscription(200, table.outerEnd)])
            #expect(inner.map(\.subscriptions) == table.innerSubscriptions)
        }
    }

    @Test("flatMapLatest fails with the error of the selector and disposes the inner stream")
    func throwing() {
        let scheduler = TestScheduler(initialClock: 0)
        let inner = scheduler.createColdObservable([.next(10, 1), .next(60, 2)])
        let outer = scheduler.createHotObservable([.next(210, 0), .next(250, 1)])
        let result = scheduler.start {
            outer.flatMapLatest { number in
                if number == 1 { throw Failure.expected }
                return inner
            }
        }
        #expect(result.events == [.next(220, 1), .error(250, Failure.expected)])
        #expect(inner.subscriptions == [Subscription(210, 250)])
        #expect(outer.subscriptions == [Subscription(200, 250)])
    }

    @Test(
        "flatMapLatest switches to a synchronous inner stream like any other",
        arguments: [
            (Observable.just(9), [.next(210, 1), .next(220, 9), .completed(300)]),
            (Observable.empty(), [.next(210, 1), .completed(300)]),
            (Observable.error(Failure.expected), [.next(210, 1), .error(220, Failure.expected)]),
            (Observable.of(8, 9), [.next(210, 1), .next(220, 8), .next(220, 9), .completed(300)]),
        ] as [(Observable<Int>, [Recorded<Event<Int>>])])
    func trivial(_ stream: Observable<Int>, _ expected: [Recorded<Event<Int>>]) {
        let scheduler = TestScheduler(initialClock: 0)
        let inner = scheduler.createColdObservable([.next(5, 1), .next(30, 2)])
        let outer = scheduler.createHotObservable([.next(205, 0), .next(220, 1), .completed(300)])
        let result = scheduler.start { outer.flatMapLatest { $0 == 0 ? inner.asObservable() : stream } }
        #expect(result.events == expected)
        #expect(inner.subscriptions == [Subscription(205, 220)])
    }

    @Test("flatMapLatest disposes the previous inner stream before it subscribes to the next one")
    func order() {
        let received = Record()
        let outer = PublishSubject<Int>()
        let subscription = outer.flatMapLatest { number in
            Observable<Int>.create { _ in
                received.add("+\(number)")
                return Disposables.create { received.add("-\(number)") }
            }
        }.subscribe()
        outer.onNext(1)
        outer.onNext(2)
        subscription.dispose()
        #expect(received.text == "+1 -1 +2 -2")
    }

    @Test("flatMapLatest switches immediately at an outer element that is sent during a delivery")
    func reentrancy() {
        let outer = PublishSubject<Int>()
        let inner = [PublishSubject<Int>(), PublishSubject<Int>()]
        let received = Record()
        let subscription = outer.flatMapLatest { inner[$0] }.subscribe(onNext: { element in
            received.add(element)
            if element == 1 {
                inner[0].onNext(2)
                outer.onNext(1)
                inner[0].onNext(3)
                inner[1].onNext(4)
            }
        })
        outer.onNext(0)
        inner[0].onNext(1)
        // `inner[0]` was delivering, so events that were sent to it meanwhile waited until after the switch.
        #expect(received.text == "1 4")
        #expect(!inner[0].hasObservers && inner[1].hasObservers)
        subscription.dispose()
        #expect(!inner[1].hasObservers && !outer.hasObservers)
    }

    @Test("an endless inner stream of flatMapLatest can be stopped downstream")
    func endless() {
        let endless = Observable.just(1).flatMapLatest { _ in Observable.repeatElement(2) }
        #expect(trace(of: endless.take(2)) == "2 2 |")
    }

    @Test("flatMapLatest delivers inner streams of several threads one at a time, and none of a disposed stream")
    func concurrency() {
        let outer = PublishSubject<Int>()
        let inner = (0..<8).map { _ in PublishSubject<Int>() }
        let isInside = Atomic(false)
        let overlaps = Atomic(0)
        let subscription = outer.flatMapLatest { inner[$0] }.subscribe(onNext: { _ in
            if isInside.exchange(true, ordering: .acquiringAndReleasing) { overlaps.add(1, ordering: .relaxed) }
            isInside.store(false, ordering: .releasing)
        })
        outer.onNext(0)
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            for number in 0..<500 {
                if worker == 0 { outer.onNext(number % 8) } else { inner[number % 8].onNext(number) }
            }
        }
        #expect(overlaps.load(ordering: .relaxed) == 0)
        #expect(inner.filter(\.hasObservers).count == 1)
        subscription.dispose()
        #expect(!inner.contains { $0.hasObservers })
    }

    @Test("the documented examples of flatMapLatest and switchLatest emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 2).flatMapLatest { Observable.of($0, $0 * 10) }) == "1 2 20 |")
        #expect(
            trace(of: Observable.of(Observable.of(1, 10), Observable.of(2, 20)).switchLatest()) == "1 2 20 |")
    }
}

@Suite("Races of flatMapLatest", .takesTurns)
struct FlatMapLatestRaceTests {
    @Test("flatMapLatest never delivers an element of an older stream after one of a newer stream")
    func newestWins() {
        for _ in 0..<500 {
            let outer = PublishSubject<Int>()
            let inners = (0..<4).map { _ in PublishSubject<Int>() }
            let received = Mutex<[Int]>([])
            let subscription = outer.flatMapLatest { number in inners[number].map { _ in number } }
                .subscribe(onNext: { number in received.withLock { $0.append(number) } })

            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                if worker == 0 {
                    for number in 0..<4 {
                        outer.onNext(number)
                        inners[number].onNext(0)
                    }
                } else {
                    for _ in 0..<8 { for inner in inners { inner.onNext(1) } }
                }
            }

            subscription.dispose()
            received.withLock { #expect($0 == $0.sorted()) }
        }
    }

    @Test("flatMapLatest drops an error of an older stream")
    func staleErrorsAreDropped() {
        struct Failure: Error {}
        for _ in 0..<500 {
            let outer = BehaviorSubject(value: 0)
            let inners = (0..<2).map { _ in PublishSubject<Int>() }
            let switched = Atomic(false)
            let failedAfterSwitch = Atomic(false)
            let subscription = outer.flatMapLatest { inners[$0] }.subscribe(
                onNext: { _ in switched.store(true, ordering: .sequentiallyConsistent) },
                onError: { _ in
                    if switched.load(ordering: .sequentiallyConsistent) {
                        failedAfterSwitch.store(true, ordering: .relaxed)
                    }
                })

            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                if worker == 0 {
                    outer.onNext(1)
                    inners[1].onNext(1)
                } else {
                    inners[0].onError(Failure())
                }
            }

            subscription.dispose()
            let hasFailed = failedAfterSwitch.load(ordering: .relaxed)
            #expect(!hasFailed)
        }
    }
}
