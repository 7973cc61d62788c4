import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("element(at:), single, ignoreElements", .takesTurns)
struct ElementTests {
    static let source: [Recorded<Event<Int>>] = [
        .next(150, 0), .next(280, 42), .next(360, 43), .next(470, 44), .completed(600),
    ]

    @Test("element(at:) emits one element and completes", arguments: [(0, 280, 42), (1, 360, 43), (2, 470, 44)])
    func element(_ index: Int, _ tick: Int, _ element: Int) {
        HotCase("", Self.source, [.next(tick, element), .completed(tick)], until: tick)
            .check { $0.element(at: index) }
    }

    @Test(
        "element(at:) fails if the stream has too few elements",
        arguments: [
            HotCase<Int, Int>("too few", source, [.error(600, RxError.argumentOutOfRange)], until: 600),
            HotCase("failing", [.error(210, Failure.expected)], [.error(210, Failure.expected)], until: 210),
            HotCase("disposed", source, [], until: 250, disposed: 250),
        ])
    func noElement(_ table: HotCase<Int, Int>) { table.check { $0.element(at: 3) } }

    @Test("element(at:) drops elements that are sent during its delivery")
    func reentrancy() {
        let source = PublishSubject<Int>()
        let received = Record()
        let subscription = source.element(at: 0).subscribe { event in
            received.add(event)
            source.onNext(2)
        }
        source.onNext(1)
        #expect(received.text == "next(1) completed")
        subscription.dispose()
    }

    @Test(
        "single emits the first element and completes with the source",
        arguments: [
            HotCase<Int, Int>("none", [.completed(250)], [.error(250, RxError.noElements)], until: 250),
            HotCase("one", [.next(210, 2), .completed(250)], [.next(210, 2), .completed(250)], until: 250),
            HotCase(
                "two", [.next(210, 2), .next(220, 3), .completed(250)],
                [.next(210, 2), .error(220, RxError.moreThanOneElement)], until: 220),
            HotCase("failing", [.error(210, Failure.expected)], [.error(210, Failure.expected)], until: 210),
        ])
    func single(_ table: HotCase<Int, Int>) {
        table.check { $0.single() }
        table.check { source in source.single { _ in true } }
    }

    @Test(
        "single with a predicate counts only matching elements",
        arguments: [
            HotCase<Int, Int>(
                "none", [.next(210, 1), .completed(250)], [.error(250, RxError.noElements)], until: 250),
            HotCase(
                "one", [.next(210, 1), .next(220, 12), .next(230, 2), .completed(250)],
                [.next(220, 12), .completed(250)], until: 250),
            HotCase(
                "two", [.next(210, 11), .next(220, 1), .next(230, 12)],
                [.next(210, 11), .error(230, RxError.moreThanOneElement)], until: 230),
            HotCase("throwing", [.next(210, 0)], [.error(210, Failure.expected)], until: 210),
        ])
    func singleWithPredicate(_ table: HotCase<Int, Int>) {
        table.check { source in
            source.single { number in
                if number == 0 { throw Failure.expected }
                return number > 10
            }
        }
    }

    @Test("ignoreElements forwards only the terminal event")
    func ignoring() {
        #expect(trace(of: Observable.of(1, 2).ignoreElements()) == "|")
        #expect(trace(of: Observable<Int>.error(Failure.expected).ignoreElements()) == "!expected")
        #expect(trace(of: BehaviorSubject(value: 1).ignoreElements()) == "")
    }

    @Test("the documented examples of element(at:), single and ignoreElements emit their events")
    func examples() {
        #expect(trace(of: Observable.of("a", "b", "c").element(at: 1)) == "b |")
        #expect(trace(of: Observable.just(1).single()) == "1 |")
        #expect(trace(of: Observable.of(1, 2, 3).single { $0 > 2 }) == "3 |")
    }
}
