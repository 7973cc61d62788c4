import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("first, toArray", .takesTurns)
struct FirstTests {
    @Test(
        "first emits the first element, or nil for an empty stream",
        arguments: [
            HotCase(
                "some", [.next(150, 1), .next(210, 2), .next(220, 3), .completed(250)],
                [.next(210, 2), .completed(210)], until: 210),
            HotCase("none", [.completed(250)], [.next(250, nil), .completed(250)], until: 250),
            HotCase("failing", [.error(210, Failure.expected)], [.error(210, Failure.expected)], until: 210),
            HotCase("disposed", [.next(230, 2)], [], until: 220, disposed: 220),
        ] as [HotCase<Int, Int?>])
    func first(_ table: HotCase<Int, Int?>) { table.check { $0.first().asObservable() } }

    @Test("first drops elements that are sent during its delivery")
    func reentrancy() {
        let source = PublishSubject<Int>()
        let received = Record()
        let subscription = source.first().asObservable().subscribe { event in
            received.add(event)
            source.onNext(2)
        }
        source.onNext(1)
        #expect(received.text == "next(Optional(1)) completed")
        subscription.dispose()
    }

    @Test(
        "toArray emits all elements on completion",
        arguments: [
            HotCase(
                "some", [.next(150, 1), .next(210, 2), .next(220, 3), .completed(250)],
                [.next(250, [2, 3]), .completed(250)], until: 250),
            HotCase("none", [.completed(250)], [.next(250, []), .completed(250)], until: 250),
            HotCase(
                "failing", [.next(210, 2), .error(220, Failure.expected)], [.error(220, Failure.expected)], until: 220),
            HotCase("disposed", [.next(230, 2)], [], until: 240, disposed: 240),
        ] as [HotCase<Int, [Int]>])
    func array(_ table: HotCase<Int, [Int]>) { table.check { $0.toArray().asObservable() } }

    @Test("the documented examples of first and toArray emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 2).first().asObservable()) == "Optional(1) |")
        #expect(trace(of: Observable.of(1, 2, 3).toArray().asObservable()) == "[1, 2, 3] |")
    }
}
