import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("compactMap, reduce, enumerated", .takesTurns)
struct ReduceTests {
    @Test(
        "compactMap drops nil results",
        arguments: [
            HotCase(
                "some", [.next(210, "1"), .next(220, "two"), .next(230, "3"), .completed(240)],
                [.next(210, 1), .next(230, 3), .completed(240)], until: 240),
            HotCase(
                "throwing", [.next(210, "1"), .next(220, "!"), .next(230, "3")],
                [.next(210, 1), .error(220, Failure.expected)], until: 220),
            HotCase(
                "failing", [.next(210, "1"), .error(220, Failure.other)], [.next(210, 1), .error(220, Failure.other)],
                until: 220),
        ] as [HotCase<String, Int>])
    func compactMap(_ table: HotCase<String, Int>) {
        table.check { source in
            source.compactMap { text in
                if text == "!" { throw Failure.expected }
                return Int(text)
            }
        }
    }

    @Test(
        "reduce emits its result on completion",
        arguments: [
            HotCase(
                "some", [.next(150, 1), .next(210, 0), .next(220, 1), .next(230, 2), .completed(260)],
                [.next(260, 45), .completed(260)], until: 260),
            HotCase("none", [.completed(250)], [.next(250, 42), .completed(250)], until: 250),
            HotCase(
                "failing", [.next(210, 1), .error(220, Failure.other)], [.error(220, Failure.other)], until: 220),
            HotCase(
                "throwing", [.next(210, 1), .next(220, -1), .next(230, 1)], [.error(220, Failure.expected)],
                until: 220),
            HotCase("no events", [.next(210, 1)], [], until: 1000),
        ] as [HotCase<Int, Int>])
    func reduce(_ table: HotCase<Int, Int>) {
        @Sendable func add(_ sum: Int, _ number: Int) throws -> Int {
            if number < 0 { throw Failure.expected }
            return sum + number
        }
        table.check { source in source.reduce(42, accumulator: { try add($0, $1) }) }
        table.check { source in
            source.reduce(42, accumulator: { try add($0, $1) }, mapResult: { "\($0)" }).map { Int($0) ?? -1 }
        }
    }

    @Test("reduce fails with the error of mapResult")
    func resultThrows() {
        let stream = Observable.of(1, 2).reduce(
            0, accumulator: +, mapResult: { (_: Int) throws -> Int in throw Failure.expected })
        #expect(trace(of: stream) == "!expected")
    }

    @Test("enumerated numbers the elements of each subscription from 0")
    func enumerated() {
        let stream = Observable.of("a", "b").enumerated().map { "\($0.index)\($0.element)" }
        #expect(trace(of: stream) == "0a 1b |")
        #expect(trace(of: stream) == "0a 1b |")
    }

    @Test("the documented examples of compactMap, reduce and enumerated emit their events")
    func examples() {
        #expect(trace(of: Observable.of("1", "two", "3").compactMap { Int($0) }) == "1 3 |")
        #expect(trace(of: Observable.of(1, 2, 3).reduce(0) { $0 + $1 }) == "6 |")
        #expect(trace(of: Observable.of(1, 2, 3).reduce(0, accumulator: +, mapResult: { "sum \($0)" })) == "sum 6 |")
        #expect(
            trace(of: Observable.of("a", "b").enumerated())
                == #"(index: 0, element: "a") (index: 1, element: "b") |"#)
    }
}
