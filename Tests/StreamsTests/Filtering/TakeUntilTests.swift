import Streams
import StreamsTesting
import TestTurns
import Testing

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
