import Dispatch
import Streams
import StreamsTesting
import Testing
import TestTurns

@Suite("delay, delaySubscription", .takesTurns)
struct DelayTests {
    @Test(
        "delay delays elements and completion, but not an error",
        arguments: [
            HotCase(
                "elements", [.next(150, 1), .next(250, 2), .next(350, 3), .next(450, 4), .completed(550)],
                [.next(350, 2), .next(450, 3), .next(550, 4), .completed(650)], until: 550),
            HotCase(
                "elements within the due time", [.next(250, 2), .next(251, 3), .next(260, 4), .completed(262)],
                [.next(350, 2), .next(351, 3), .next(360, 4), .completed(362)], until: 262),
            HotCase(
                "events at one tick are scheduled separately",
                [.next(250, 2), .next(250, 3), .next(250, 4), .completed(250)],
                [.next(350, 2), .next(351, 3), .next(352, 4), .completed(353)], until: 250),
            HotCase(
                "an error drops pending elements", [.next(250, 2), .next(340, 3), .error(360, Failure.expected)],
                [.next(350, 2), .error(360, Failure.expected)], until: 360),
            HotCase(
                "an error before any element", [.next(250, 2), .error(300, Failure.expected)],
                [.error(300, Failure.expected)], until: 300),
            HotCase("nothing", [.completed(550)], [.completed(650)], until: 550),
            HotCase("no events", [], [], until: 1000),
            HotCase("disposed", [.next(250, 2), .next(350, 3)], [.next(350, 2)], until: 400, disposed: 400),
        ] as [HotCase<Int, Int>])
    func delay(_ table: HotCase<Int, Int>) {
        table.check { $0.delay(.seconds(100), scheduler: $1) }
    }

    @Test("delay with an empty due time delays every event by one tick")
    func noTime() {
        HotCase(
            "", [.next(250, 2), .next(350, 3), .completed(550)],
            [.next(251, 2), .next(351, 3), .completed(551)], until: 550
        ).check { $0.delay(.seconds(0), scheduler: $1) }
    }

    @Test("delay delays an element that is sent during a delivery")
    func reentrancy() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let observer = scheduler.createObserver(Int.self)
        let subscription = source.delay(.seconds(10), scheduler: scheduler)
            .do(onNext: { if $0 < 3 { source.onNext($0 + 1) } })
            .subscribe(observer)
        scheduler.scheduleAt(100) { source.onNext(1) }
        scheduler.start()
        #expect(observer.events == [.next(110, 1), .next(120, 2), .next(130, 3)])
        subscription.dispose()
    }

    @Test("delaySubscription subscribes after its due time")
    func subscription() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 0), .next(230, 1), .completed(250)])
        let result = scheduler.start { source.delaySubscription(.seconds(20), scheduler: scheduler) }
        #expect(result.events == [.next(230, 1), .completed(250)])
        #expect(source.subscriptions == [Subscription(220, 250)])
    }

    @Test("delaySubscription does not subscribe after disposal")
    func disposedBefore() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(230, 1)])
        let result = scheduler.start(disposed: 220) { source.delaySubscription(.seconds(30), scheduler: scheduler) }
        #expect(result.events.isEmpty)
        #expect(source.subscriptions.isEmpty)
    }

    @Test("delaySubscription forwards an error and disposes its source")
    func subscriptionEnds() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([.next(20, 1), .error(60, Failure.expected)])
        let result = scheduler.start { source.delaySubscription(.seconds(10), scheduler: scheduler) }
        #expect(result.events == [.next(230, 1), .error(270, Failure.expected)])
        #expect(source.subscriptions == [Subscription(210, 270)])
        let second = TestScheduler(initialClock: 0)
        let never = second.createHotObservable([.next(250, 1)])
        let stopped = second.start(disposed: 300) { never.delaySubscription(.seconds(10), scheduler: second) }
        #expect(stopped.events == [.next(250, 1)])
        #expect(never.subscriptions == [Subscription(210, 300)])
    }

    @Test("the documented examples of delay and delaySubscription emit their events")
    func examples() {
        let scheduler = TestScheduler(initialClock: 0)
        let ticks = scheduler.createHotObservable([.next(210, 1), .completed(212)])
        let result = scheduler.start { ticks.delay(.seconds(1), scheduler: scheduler) }
        #expect(result.events == [.next(211, 1), .completed(213)])
        let other = TestScheduler(initialClock: 0)
        let late = other.start { Observable.of(1, 2).delaySubscription(.seconds(1), scheduler: other) }
        #expect(late.events == [.next(201, 1), .next(201, 2), .completed(201)])
    }
}

@Suite("debounce", .takesTurns)
struct DebounceTests {
    @Test(
        "debounce emits an element when the due time has passed without another one",
        arguments: [
            HotCase(
                "every element",
                [.next(150, 1), .next(210, 2), .next(240, 3), .next(270, 4), .next(300, 5), .completed(350)],
                [.next(230, 2), .next(260, 3), .next(290, 4), .next(320, 5), .completed(350)], until: 350),
            HotCase(
                "only the last element", [.next(210, 2), .next(225, 3), .next(235, 4), .next(250, 5), .completed(350)],
                [.next(270, 5), .completed(350)], until: 350),
            HotCase(
                "completion emits the pending element", [.next(210, 2), .next(240, 3), .completed(250)],
                [.next(230, 2), .next(250, 3), .completed(250)], until: 250),
            HotCase(
                "a failure drops the pending element", [.next(210, 2), .next(240, 3), .error(250, Failure.expected)],
                [.next(230, 2), .error(250, Failure.expected)], until: 250),
            HotCase(
                "an element at the tick of the timer replaces the pending one",
                [.next(210, 2), .next(230, 3), .completed(300)],
                [.next(250, 3), .completed(300)], until: 300),
            HotCase("nothing", [.completed(250)], [.completed(250)], until: 250),
            HotCase("no events", [], [], until: 1000),
            HotCase("disposed", [.next(210, 2), .next(240, 3)], [.next(230, 2)], until: 250, disposed: 250),
        ] as [HotCase<Int, Int>])
    func timing(_ table: HotCase<Int, Int>) {
        table.check { $0.debounce(.seconds(20), scheduler: $1) }
    }

    @Test("debounce with an empty due time delays every element by one tick")
    func noTime() {
        HotCase(
            "", [.next(210, 2), .next(240, 3), .completed(350)],
            [.next(211, 2), .next(241, 3), .completed(350)], until: 350
        ).check { $0.debounce(.seconds(0), scheduler: $1) }
    }

    @Test("the documented examples of debounce emit their events")
    func example() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.001)
        let text = scheduler.createHotObservable([.next(1000, "a"), .next(1100, "ab"), .next(1600, "abc")])
        let result = scheduler.start(disposed: 2000) { text.debounce(.milliseconds(300), scheduler: scheduler) }
        #expect(result.events == [.next(1400, "ab"), .next(1900, "abc")])
    }
}

@Suite("throttle", .takesTurns)
struct ThrottleTests {
    static let source: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(210, 2), .next(250, 3), .next(310, 4), .next(350, 5), .next(410, 6), .next(450, 7),
    ]

    @Test(
        "throttle emits the first element immediately and the latest one after each due time",
        arguments: [
            HotCase(
                "completes with a pending element: both are emitted at its time, and the source is disposed immediately",
                source + [.completed(500)],
                [.next(210, 2), .next(410, 6), .next(610, 7), .completed(610)], until: 500),
            HotCase(
                "completes without a pending element", [.next(210, 2), .completed(500)],
                [.next(210, 2), .completed(500)],
                until: 500),
            HotCase(
                "no events", source, [.next(210, 2), .next(410, 6), .next(610, 7)], until: 1000),
            HotCase(
                "a failure drops the pending element", [.next(210, 2), .next(250, 3), .error(405, Failure.expected)],
                [.next(210, 2), .error(405, Failure.expected)], until: 405),
            HotCase(
                "the due time starts again with an element after a pause",
                [.next(210, 1), .next(600, 2), .next(650, 3)],
                [.next(210, 1), .next(600, 2), .next(800, 3)], until: 1000),
            HotCase("disposed", source, [.next(210, 2)], until: 400, disposed: 400),
        ])
    func latest(_ table: HotCase<Int, Int>) {
        table.check { $0.throttle(.seconds(200), scheduler: $1) }
    }

    @Test(
        "throttle without latest drops the elements within the due time",
        arguments: [
            HotCase(
                "complete", source + [.completed(500)], [.next(210, 2), .next(410, 6), .completed(500)], until: 500),
            HotCase("no events", source, [.next(210, 2), .next(410, 6)], until: 1000),
            HotCase(
                "a failure", source + [.error(409, Failure.expected)],
                [.next(210, 2), .error(409, Failure.expected)], until: 409),
        ])
    func first(_ table: HotCase<Int, Int>) {
        table.check { $0.throttle(.seconds(200), latest: false, scheduler: $1) }
    }

    @Test("throttle measures time more finely than the unit of its due time")
    func precision() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.1)
        let source = scheduler.createHotObservable([.next(203, 1), .next(207, 2), .next(212, 3), .next(213, 4)])
        let result = scheduler.start { source.throttle(.seconds(1), scheduler: scheduler) }
        #expect(result.events == [.next(203, 1), .next(213, 4)])
    }

    @Test("throttle does not count the time of a delivery")
    func slowObserver() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(260, 2), .next(300, 3)])
        let result = scheduler.start {
            source.throttle(.seconds(50), latest: false, scheduler: scheduler)
                .do(onNext: { if $0 == 1 { scheduler.sleep(20) } })
        }
        #expect(result.events == [.next(230, 1), .next(300, 3)])
    }

    @Test("the documented examples of throttle emit their events")
    func example() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.1)
        let taps = scheduler.createHotObservable([.next(210, 1), .next(212, 2), .next(215, 3)])
        let latest = scheduler.createObserver(Int.self)
        let first = scheduler.createObserver(Int.self)
        let bag = DisposeBag()
        taps.throttle(.seconds(1), scheduler: scheduler).subscribe(latest).disposed(by: bag)
        taps.throttle(.seconds(1), latest: false, scheduler: scheduler).subscribe(first).disposed(by: bag)
        scheduler.start()
        #expect(latest.events == [.next(210, 1), .next(220, 3)])
        #expect(first.events == [.next(210, 1)])
    }
}

@Suite("timeout", .takesTurns)
struct TimeoutTests {
    @Test(
        "timeout fails if no element arrives in time",
        arguments: [
            HotCase(
                "in time", [.next(210, 1), .next(350, 2), .completed(450)],
                [.next(210, 1), .next(350, 2), .completed(450)], until: 450),
            HotCase("from the start", [], [.error(400, RxError.timeout)], until: 400),
            HotCase(
                "between elements", [.next(250, 1), .next(451, 2)], [.next(250, 1), .error(450, RxError.timeout)],
                until: 450),
            HotCase(
                "an element at the tick of the timeout is in time", [.next(400, 1), .completed(500)],
                [.next(400, 1), .completed(500)], until: 500),
            HotCase(
                "a failure in time", [.next(250, 1), .error(300, Failure.expected)],
                [.next(250, 1), .error(300, Failure.expected)], until: 300),
            HotCase("disposed", [.next(210, 1)], [.next(210, 1)], until: 370, disposed: 370),
        ])
    func failing(_ table: HotCase<Int, Int>) {
        table.check { $0.timeout(.seconds(200), scheduler: $1) }
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: [Recorded<Event<Int>>]
        let other: [Recorded<Event<Int>>]
        let expected: [Recorded<Event<Int>>]
        let end: Int
        let otherSubscriptions: [Subscription]
    }

    @Test(
        "timeout switches to the other stream if no element arrives in time",
        arguments: [
            Pair(
                testDescription: "in time", source: [.next(250, 1), .completed(300)], other: [.next(10, -1)],
                expected: [.next(250, 1), .completed(300)], end: 300, otherSubscriptions: []),
            Pair(
                testDescription: "late", source: [.next(250, 1), .next(360, 2)],
                other: [.next(50, -1), .next(200, -2), .completed(310)],
                expected: [.next(250, 1), .next(400, -1), .next(550, -2), .completed(660)], end: 350,
                otherSubscriptions: [Subscription(350, 660)]),
            Pair(
                testDescription: "the other fails", source: [], other: [.error(50, Failure.expected)],
                expected: [.error(350, Failure.expected)], end: 300, otherSubscriptions: [Subscription(300, 350)]),
            Pair(
                testDescription: "the other stream emits nothing", source: [], other: [], expected: [], end: 300,
                otherSubscriptions: [Subscription(300, 1000)]),
        ])
    func other(_ pair: Pair) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(pair.source)
        let other = scheduler.createColdObservable(pair.other)
        let result = scheduler.start {
            source.timeout(.seconds(100), other: other, scheduler: scheduler)
        }
        #expect(result.events == pair.expected)
        #expect(source.subscriptions == [Subscription(200, pair.end)])
        #expect(other.subscriptions == pair.otherSubscriptions)
    }

    @Test("timeout subscribes to the other stream before it disposes this one, so a shared source stays connected")
    func sharedSource() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(350, 2), .next(360, 3)])
        let shared = source.share()
        let result = scheduler.start {
            shared.filter { $0 == 1 }.timeout(.seconds(100), other: shared, scheduler: scheduler)
        }
        #expect(result.events == [.next(210, 1), .next(350, 2), .next(360, 3)])
        #expect(source.subscriptions == [Subscription(200, 1000)])
    }

    @Test("timeout ignores what this stream sends while the other one is being subscribed")
    func lateElements() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let other = Observable<Int>.create { observer in
            source.onNext(1)
            source.onCompleted()
            observer.onNext(2)
            return Disposables.create()
        }
        let result = scheduler.start { source.timeout(.seconds(100), other: other, scheduler: scheduler) }
        #expect(result.events == [.next(300, 2)])
    }

    @Test("an endless replacement of timeout can be stopped")
    func endlessOther() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start {
            Observable<Int>.never().timeout(.seconds(10), other: Observable.repeatElement(1), scheduler: scheduler)
                .take(3)
        }
        #expect(result.events == [.next(210, 1), .next(210, 1), .next(210, 1), .completed(210)])
    }

    @Test("the documented examples of timeout emit their events")
    func example() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable<Int>.never().timeout(.seconds(3), scheduler: scheduler) }
        #expect(result.events == [.error(203, RxError.timeout)])
    }
}
