import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

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
