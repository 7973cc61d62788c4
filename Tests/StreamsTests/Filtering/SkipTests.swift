import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("skip, skip(for:), skip(while:), skip(until:)", .takesTurns)
struct SkipTests {
    static let source: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(210, 2), .next(220, 3), .next(230, 4), .completed(400),
    ]

    @Test("skip drops the first elements", arguments: [-1, 0, 1, 2, 3, 4, 100])
    func count(_ count: Int) {
        let all: [Recorded<Event<Int>>] = [.next(210, 2), .next(220, 3), .next(230, 4)]
        HotCase("", Self.source, Array(all.dropFirst(max(count, 0))) + [.completed(400)], until: 400)
            .check { $0.skip(count) }
        HotCase(
            "", Array(Self.source.dropLast()) + [.error(400, Failure.expected)],
            Array(all.dropFirst(max(count, 0))) + [.error(400, Failure.expected)], until: 400
        ).check { $0.skip(count) }
    }

    @Test(
        "skip(for:) drops elements within its duration",
        arguments: [
            HotCase("in the middle", source, [.next(230, 4), .completed(400)], until: 400),
            HotCase("completes before a match", [.next(210, 1), .completed(215)], [.completed(215)], until: 215),
            HotCase(
                "fails before a match", [.next(210, 1), .error(215, Failure.expected)], [.error(215, Failure.expected)],
                until: 215),
            HotCase("disposed", source, [.next(230, 4)], until: 300, disposed: 300),
        ])
    func duration(_ table: HotCase<Int, Int>) {
        table.check { $0.skip(for: .seconds(25), scheduler: $1) }
        table.check { $0.skip(.seconds(25), scheduler: $1) }
    }

    @Test(
        "skip(while:) emits from the first element that does not match",
        arguments: [
            HotCase(
                "in the middle", [.next(210, 1), .next(220, 12), .next(230, 1), .completed(240)],
                [.next(220, 12), .next(230, 1), .completed(240)], until: 240),
            HotCase(
                "the predicate is not called again", [.next(210, 12), .next(220, 0), .completed(240)],
                [.next(210, 12), .next(220, 0), .completed(240)], until: 240),
            HotCase("the predicate always matches", source, [.completed(400)], until: 400),
            HotCase(
                "throws", [.next(210, 1), .next(220, 0), .next(230, 12)], [.error(220, Failure.expected)], until: 220),
            HotCase(
                "fails", [.next(210, 12), .error(220, Failure.other)], [.next(210, 12), .error(220, Failure.other)],
                until: 220),
        ])
    func predicate(_ table: HotCase<Int, Int>) {
        table.check { source in
            source.skip(while: { number in
                if number == 0 { throw Failure.expected }
                return number < 10
            })
        }
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: [Recorded<Event<Int>>]
        let other: [Recorded<Event<Int>>]
        let expected: [Recorded<Event<Int>>]
        let ends: [Int]
    }

    @Test(
        "skip(until:) emits after the first element of the other stream",
        arguments: [
            Pair(
                testDescription: "in the middle", source: source, other: [.next(225, 99), .completed(230)],
                expected: [.next(230, 4), .completed(400)], ends: [400, 225]),
            Pair(
                testDescription: "the other fails", source: source, other: [.error(225, Failure.expected)],
                expected: [.error(225, Failure.expected)], ends: [225, 225]),
            Pair(
                testDescription: "the other completes without an element", source: source, other: [.completed(225)],
                expected: [], ends: [400, 225]),
            Pair(
                testDescription: "the source completes first", source: [.next(210, 1), .completed(220)],
                other: [.next(300, 1)], expected: [], ends: [220, 220]),
            Pair(
                testDescription: "the other fails after the source has completed", source: source,
                other: [.error(500, Failure.expected)], expected: [], ends: [400, 400]),
            Pair(
                testDescription: "the source fails first", source: [.error(220, Failure.expected)],
                other: [.next(300, 1)], expected: [.error(220, Failure.expected)], ends: [220, 220]),
            Pair(
                testDescription: "the source fails later", source: [.next(230, 1), .error(240, Failure.expected)],
                other: [.next(220, 1)], expected: [.next(230, 1), .error(240, Failure.expected)], ends: [240, 220]),
            Pair(
                testDescription: "the other stream emits nothing", source: source, other: [], expected: [],
                ends: [400, 400]),
            Pair(testDescription: "neither stream emits", source: [], other: [], expected: [], ends: [1000, 1000]),
        ])
    func other(_ pair: Pair) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(pair.source)
        let other = scheduler.createHotObservable(pair.other)
        let result = scheduler.start { source.skip(until: other) }
        #expect(result.events == pair.expected)
        #expect(source.subscriptions == [Subscription(200, pair.ends[0])])
        #expect(other.subscriptions == [Subscription(200, pair.ends[1])])
    }

    @Test("skip(until:) subscribes to the source first")
    func order() {
        #expect(trace(of: BehaviorSubject(value: 1).skip(until: Observable.just(0))) == "")
        #expect(trace(of: Observable.of(1, 2).skip(until: Observable.just(0))) == "1 2 |")
    }

    @Test("skip(until:) fails with an error that the other stream replays after its first element")
    func replayedError() {
        let other = ReplaySubject<Int>.createUnbounded()
        other.onNext(0)
        other.onError(Failure.expected)
        #expect(trace(of: PublishSubject<Int>().skip(until: other)) == "!expected")
        let synchronous = Observable<Int>.create { observer in
            observer.onNext(0)
            observer.onError(Failure.expected)
            return Disposables.create()
        }
        #expect(trace(of: PublishSubject<Int>().skip(until: synchronous)) == "!expected")
    }

    @Test("skip(until:) ignores an error of the other stream after its first element")
    func laterError() {
        let (source, other) = (PublishSubject<Int>(), BehaviorSubject(value: 0))
        let received = Record()
        let subscription = source.skip(until: other).subscribe { received.add($0) }
        #expect(!other.hasObservers)
        other.onError(Failure.expected)
        source.onNext(1)
        #expect(received.text == "next(1)")
        subscription.dispose()
    }

    @Test("the documented examples of skip, skip(for:), skip(while:) and skip(until:) emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 2, 3).skip(2)) == "3 |")
        #expect(trace(of: Observable.of(1, 2, 3, 1).skip(while: { $0 < 3 })) == "3 1 |")
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 209) {
            Observable<Int>.interval(.seconds(2), scheduler: scheduler).skip(for: .seconds(5), scheduler: scheduler)
        }
        #expect(result.events == [.next(206, 2), .next(208, 3)])
    }
}
