import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

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
