import Dispatch
import Streams
import StreamsTesting
import Testing
import TestTurns

@Suite("take, take(for:), takeLast", .takesTurns)
struct TakeTests {
    static let source: [Recorded<Event<Int>>] = [
        .next(70, 6), .next(150, 4), .next(210, 9), .next(230, 13), .next(270, 7), .next(280, 1), .next(300, -1),
        .completed(690),
    ]

    @Test(
        "take completes with the last of its elements and disposes the source",
        arguments: [
            HotCase("no element: the source is not subscribed", source, [.completed(200)], until: nil),
            HotCase("one", source, [.next(210, 9), .completed(210)], until: 210),
            HotCase("two", source, [.next(210, 9), .next(230, 13), .completed(230)], until: 230),
            HotCase(
                "as many as there are", source,
                [.next(210, 9), .next(230, 13), .next(270, 7), .next(280, 1), .next(300, -1), .completed(300)],
                until: 300),
            HotCase(
                "more than there are", source,
                [.next(210, 9), .next(230, 13), .next(270, 7), .next(280, 1), .next(300, -1), .completed(690)],
                until: 690),
            HotCase(
                "a failure before the last", [.next(210, 9), .error(220, Failure.expected)],
                [.next(210, 9), .error(220, Failure.expected)], until: 220),
            HotCase(
                "a failure after the last", [.next(210, 9), .next(215, 8), .error(220, Failure.expected)],
                [.next(210, 9), .next(215, 8), .completed(215)], until: 215),
            HotCase("disposed", source, [.next(210, 9), .next(230, 13)], until: 250, disposed: 250),
        ])
    func count(_ table: HotCase<Int, Int>) {
        let counts = [
            "no element: the source is not subscribed": 0, "one": 1, "two": 2, "as many as there are": 5,
            "more than there are": 6, "a failure after the last": 2,
        ]
        table.check { $0.take(counts[table.testDescription] ?? 20) }
    }

    @Test("take drops elements that are sent during the last delivery")
    func reentrancy() {
        let source = PublishSubject<Int>()
        let received = Record()
        let subscription = source.take(2).subscribe { event in
            received.add(event)
            if let element = event.element { source.onNext(element + 1) }
        }
        source.onNext(1)
        #expect(received.text == "next(1) next(2) completed")
        #expect(!source.hasObservers)
        subscription.dispose()
    }

    @Test("take stops an endless synchronous source")
    func endlessSource() {
        let endless = Observable<Int>.create { observer in
            var number = 0
            while number < 1000 {
                number += 1
                observer.onNext(number)
            }
            return Disposables.create()
        }
        #expect(trace(of: endless.take(2)) == "1 2 |")
        #expect(trace(of: Observable.repeatElement(7).take(3)) == "7 7 7 |")
    }

    @Test(
        "take(for:) emits the elements within its duration",
        arguments: [
            HotCase(
                "completes when the time has passed", source, [.next(210, 9), .next(230, 13), .completed(250)],
                until: 250),
            HotCase(
                "completes with the source", [.next(210, 9), .completed(220)], [.next(210, 9), .completed(220)],
                until: 220),
            HotCase(
                "an element at the last tick is emitted", [.next(250, 1), .next(251, 2)],
                [.next(250, 1), .completed(250)], until: 250),
            HotCase(
                "fails with the source", [.error(220, Failure.expected)], [.error(220, Failure.expected)], until: 220),
            HotCase("disposed", source, [.next(210, 9)], until: 220, disposed: 220),
        ])
    func duration(_ table: HotCase<Int, Int>) {
        table.check { $0.take(for: .seconds(50), scheduler: $1) }
    }

    @Test(
        "takeLast emits the last elements on completion",
        arguments: [
            HotCase("none", source, [.completed(690)], until: 690),
            HotCase("one", source, [.next(690, -1), .completed(690)], until: 690),
            HotCase("three", source, [.next(690, 7), .next(690, 1), .next(690, -1), .completed(690)], until: 690),
            HotCase(
                "more than there are", [.next(210, 9), .completed(220)], [.next(220, 9), .completed(220)], until: 220),
            HotCase(
                "a failure drops the elements", [.next(210, 9), .error(220, Failure.expected)],
                [.error(220, Failure.expected)], until: 220),
            HotCase("disposed", source, [], until: 500, disposed: 500),
        ])
    func last(_ table: HotCase<Int, Int>) {
        let counts = ["none": 0, "one": 1, "three": 3]
        table.check { $0.takeLast(counts[table.testDescription] ?? 10) }
    }

    @Test("disposing takeLast during its delivery stops it")
    func lastDisposedInside() {
        let source = PublishSubject<Int>()
        let received = Record()
        let subscription = SerialDisposable()
        subscription.disposable = source.takeLast(3).subscribe { event in
            received.add(event)
            subscription.dispose()
        }
        for number in 1...5 { source.onNext(number) }
        source.onCompleted()
        #expect(received.text == "next(3)")
    }

    @Test("the documented examples of take, take(for:) and takeLast emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 2, 3).take(2)) == "1 2 |")
        #expect(trace(of: Observable.of(1, 2, 3).takeLast(2)) == "2 3 |")
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start {
            Observable<Int>.interval(.seconds(2), scheduler: scheduler).take(for: .seconds(5), scheduler: scheduler)
        }
        #expect(result.events == [.next(202, 0), .next(204, 1), .completed(205)])
    }
}

@Suite("take(until:), take(while:)", .takesTurns)
struct TakeUntilTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: [Recorded<Event<Int>>]
        let other: [Recorded<Event<Int>>]
        let expected: [Recorded<Event<Int>>]
        let ends: [Int]
    }

    static let elements: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(210, 2), .next(220, 3), .next(230, 4), .next(240, 5), .completed(250),
    ]

    @Test(
        "take(until:) completes at the first element of the other stream",
        arguments: [
            Pair(
                testDescription: "an element of the other", source: elements,
                other: [.next(205, 0), .completed(240)], expected: [.completed(205)], ends: [205, 205]),
            Pair(
                testDescription: "in the middle", source: elements, other: [.next(150, 0), .next(225, 99)],
                expected: [.next(210, 2), .next(220, 3), .completed(225)], ends: [225, 225]),
            Pair(
                testDescription: "the other completes", source: elements, other: [.completed(225)],
                expected: [.next(210, 2), .next(220, 3), .next(230, 4), .next(240, 5), .completed(250)],
                ends: [250, 225]),
            Pair(
                testDescription: "the other fails", source: elements, other: [.error(225, Failure.expected)],
                expected: [.next(210, 2), .next(220, 3), .error(225, Failure.expected)], ends: [225, 225]),
            Pair(
                testDescription: "the other stream emits nothing", source: elements, other: [],
                expected: [.next(210, 2), .next(220, 3), .next(230, 4), .next(240, 5), .completed(250)],
                ends: [250, 250]),
            Pair(
                testDescription: "the source fails first", source: [.error(215, Failure.expected)],
                other: [.next(230, 1)], expected: [.error(215, Failure.expected)], ends: [215, 215]),
            Pair(
                testDescription: "neither stream emits", source: [], other: [], expected: [], ends: [1000, 1000]),
        ])
    func other(_ pair: Pair) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(pair.source)
        let other = scheduler.createHotObservable(pair.other)
        let result = scheduler.start { source.take(until: other) }
        #expect(result.events == pair.expected)
        #expect(source.subscriptions == [Subscription(200, pair.ends[0])])
        #expect(other.subscriptions == [Subscription(200, pair.ends[1])])
    }

    @Test("take(until:) subscribes to the other stream first")
    func order() {
        #expect(trace(of: Observable.just(1).take(until: Observable.just(0))) == "|")
        #expect(trace(of: Observable.just(1).take(until: Observable<Int>.empty())) == "1 |")
    }

    @Test("take(until:) drops elements that its completion causes the source to send")
    func reentrancy() {
        let source = PublishSubject<Int>()
        let stop = PublishSubject<Void>()
        let received = Record()
        let subscription = source.take(until: stop).subscribe { event in
            received.add(event)
            if event.element == 1 {
                stop.onNext(())
                source.onNext(2)
            }
        }
        source.onNext(1)
        #expect(received.text == "next(1) completed")
        #expect(!source.hasObservers && !stop.hasObservers)
        subscription.dispose()
    }

    static let numbers: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(210, 2), .next(220, 3), .next(230, 14), .next(240, 5), .completed(250),
    ]

    @Test(
        "take(until: predicate) drops the matching element",
        arguments: [
            HotCase("a matching element", numbers, [.next(210, 2), .next(220, 3), .completed(230)], until: 230),
            HotCase(
                "the predicate never matches", [.next(210, 2), .completed(220)], [.next(210, 2), .completed(220)],
                until: 220),
            HotCase(
                "throws", [.next(210, 2), .next(215, 0), .completed(220)],
                [.next(210, 2), .error(215, Failure.expected)], until: 215),
            HotCase(
                "fails", [.next(210, 2), .error(215, Failure.other)], [.next(210, 2), .error(215, Failure.other)],
                until: 215),
            HotCase("disposed", numbers, [.next(210, 2)], until: 215, disposed: 215),
        ])
    func exclusive(_ table: HotCase<Int, Int>) {
        table.check { source in source.take(until: { try Self.isLarge($0) }) }
        table.check { source in source.take(while: { try !Self.isLarge($0) }) }
    }

    @Test(
        "an inclusive take(until: predicate) emits the matching element last",
        arguments: [
            HotCase(
                "a matching element", numbers, [.next(210, 2), .next(220, 3), .next(230, 14), .completed(230)],
                until: 230),
            HotCase(
                "throws", [.next(210, 2), .next(215, 0), .completed(220)],
                [.next(210, 2), .error(215, Failure.expected)], until: 215),
        ])
    func inclusive(_ table: HotCase<Int, Int>) {
        table.check { source in source.take(until: { try Self.isLarge($0) }, behavior: .inclusive) }
        table.check { source in source.take(while: { try !Self.isLarge($0) }, behavior: .inclusive) }
    }

    private static func isLarge(_ number: Int) throws -> Bool {
        if number == 0 { throw Failure.expected }
        return number > 10
    }

    @Test("take(until:) drops elements that are sent during the last delivery")
    func reentrantLast() {
        let source = PublishSubject<Int>()
        let received = Record()
        let subscription = source.take(until: { $0 == 1 }, behavior: .inclusive).subscribe { event in
            received.add(event)
            if event.element == 1 { source.onNext(0) }
        }
        source.onNext(1)
        #expect(received.text == "next(1) completed")
        subscription.dispose()
    }

    @Test("the documented examples of take(until:) and take(while:) emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 2, 3).take(until: { $0 == 2 })) == "1 |")
        #expect(trace(of: Observable.of(1, 2, 3).take(until: { $0 == 2 }, behavior: .inclusive)) == "1 2 |")
        #expect(trace(of: Observable.of(1, 2, 3, 1).take(while: { $0 < 3 })) == "1 2 |")
        #expect(trace(of: Observable.of(1, 2, 3, 1).take(while: { $0 < 3 }, behavior: .inclusive)) == "1 2 3 |")
    }
}

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
