import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("flatMapLatest, switchLatest", .limitedConcurrency)
struct FlatMapLatestTests {
    /// Cold inner streams: each starts at its outer element.
    struct Switch: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outer: String
        let inner: [String]
        let expected: String
        let outerEnd: Int
        let innerSubscriptions: [ClosedRange<Int>?]

        init(
            _ description: String, outer: String, inner: [String], _ expected: String, until outerEnd: Int,
            inner innerSubscriptions: [ClosedRange<Int>?]
        ) {
            testDescription = description
            self.outer = outer
            self.inner = inner
            self.expected = expected
            self.outerEnd = outerEnd
            self.innerSubscriptions = innerSubscriptions
        }
    }

    static let first = "101@10 102@20 103@110 104@120 105@210 |@220"
    static let second = "201@10 202@20 203@30 |@50"

    @Test(
        "flatMapLatest emits only the latest inner stream",
        arguments: [
            Switch(
                "switches, and completes with the last inner stream", outer: "0@300 1@400 |@410",
                inner: [first, second], "101@310 102@320 201@410 202@420 203@430 |@450", until: 410,
                inner: [300...400, 400...450]),
            Switch(
                "completes with the outer stream when the inner one has", outer: "1@300 |@600", inner: [first, second],
                "201@310 202@320 203@330 |@600", until: 600, inner: [nil, 300...350]),
            Switch(
                "an error of the inner stream", outer: "0@300 1@400", inner: ["101@10 !expected@50", second],
                "101@310 !expected@350", until: 350, inner: [300...350, nil]),
            Switch(
                "an error of a disposed inner stream is dropped", outer: "0@300 1@340 |@350",
                inner: ["101@10 !expected@50", second], "101@310 201@350 202@360 203@370 |@390", until: 350,
                inner: [300...340, 340...390]),
            Switch(
                "an error of the outer stream", outer: "0@300 !expected@315", inner: [first], "101@310 !expected@315",
                until: 315, inner: [300...315]),
            Switch("nothing but completion", outer: "|@300", inner: [], "|@300", until: 300, inner: []),
            Switch(
                "disposed while an inner stream is active", outer: "0@950", inner: ["101@10 102@60"], "101@960",
                until: 1000, inner: [950...1000]),
        ])
    func switching(_ table: Switch) {
        for isSelected in [true, false] {
            let scheduler = TestScheduler(initialClock: 0)
            let outer: TestableObservable<Int> = scheduler.createHotObservable(events(table.outer))
            let inner: [TestableObservable<Int>] = table.inner.map { scheduler.createColdObservable(events($0)) }
            let result = scheduler.start {
                isSelected
                    ? outer.flatMapLatest { inner[$0] }
                    : outer.map { inner[$0].asObservable() }.switchLatest()
            }
            #expect(words(result.events) == table.expected)
            #expect(outer.subscriptions == [Subscription(200, table.outerEnd)])
            let expected = table.innerSubscriptions.map {
                $0.map { [Subscription($0.lowerBound, $0.upperBound)] } ?? []
            }
            #expect(inner.map(\.subscriptions) == expected)
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
            (Observable.just(9), "1@210 9@220 |@300"), (.empty(), "1@210 |@300"),
            (.error(Failure.expected), "1@210 !expected@220"), (.of(8, 9), "1@210 8@220 9@220 |@300"),
        ] as [(Observable<Int>, String)])
    func trivial(_ stream: Observable<Int>, _ expected: String) {
        let scheduler = TestScheduler(initialClock: 0)
        let inner = scheduler.createColdObservable([.next(5, 1), .next(30, 2)])
        let outer = scheduler.createHotObservable([.next(205, 0), .next(220, 1), .completed(300)])
        let result = scheduler.start { outer.flatMapLatest { $0 == 0 ? inner.asObservable() : stream } }
        #expect(words(result.events) == expected)
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
        expect(endless.take(2), "2 2 |")
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
}

@Suite("Races of flatMapLatest", .limitedConcurrency)
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
