import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

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
