import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

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
