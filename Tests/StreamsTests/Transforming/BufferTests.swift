import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("buffer, window", .takesTurns)
struct BufferTests {
    static let source: [Recorded<Event<Int>>] = [
        .next(105, 0), .next(205, 1), .next(210, 2), .next(240, 3), .next(280, 4), .next(320, 5), .next(350, 6),
        .next(370, 7), .next(420, 8), .next(470, 9),
    ]

    @Test(
        "buffer emits when it is full or its time has passed",
        arguments: [
            HotCase(
                "complete", source + [.completed(600)],
                [
                    .next(240, [1, 2, 3]), .next(310, [4]), .next(370, [5, 6, 7]), .next(440, [8]), .next(510, [9]),
                    .next(580, []), .next(600, []), .completed(600),
                ], until: 600),
            HotCase(
                "disposed", source, [.next(240, [1, 2, 3]), .next(310, [4])], until: 369, disposed: 369),
            HotCase(
                "failed", [.next(205, 1), .next(210, 2), .next(240, 3), .next(280, 4), .error(300, Failure.expected)],
                [.next(240, [1, 2, 3]), .error(300, Failure.expected)], until: 300),
            HotCase(
                "completes with collected elements", [.next(205, 1), .completed(220)],
                [.next(220, [1]), .completed(220)],
                until: 220),
        ] as [HotCase<Int, [Int]>])
    func buffer(_ table: HotCase<Int, [Int]>) {
        table.check { $0.buffer(timeSpan: .seconds(70), count: 3, scheduler: $1) }
    }

    @Test(
        "window opens a stream when the previous one is full or its time has passed",
        arguments: [
            HotCase(
                "complete", source + [.completed(600)],
                [
                    .next(205, "0 1"), .next(210, "0 2"), .next(240, "0 3"), .next(280, "1 4"), .next(320, "2 5"),
                    .next(350, "2 6"), .next(370, "2 7"), .next(420, "3 8"), .next(470, "4 9"), .completed(600),
                ], until: 600),
            HotCase(
                "disposed", source,
                [
                    .next(205, "0 1"), .next(210, "0 2"), .next(240, "0 3"), .next(280, "1 4"), .next(320, "2 5"),
                    .next(350, "2 6"), .next(370, "2 7"),
                ], until: 370, disposed: 370),
            HotCase(
                "failed", [.next(205, 1), .next(280, 4), .error(300, Failure.expected)],
                [.next(205, "0 1"), .next(280, "1 4"), .error(300, Failure.expected)], until: 300),
        ] as [HotCase<Int, String>])
    func window(_ table: HotCase<Int, String>) {
        table.check { source, scheduler in
            source.window(timeSpan: .seconds(70), count: 3, scheduler: scheduler).enumerated()
                .flatMap { number, window in window.map { "\(number) \($0)" } }
        }
    }

    @Test("each window completes when the next one opens, the last one with the source")
    func windowEnds() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([
            .next(205, 1), .next(210, 2), .next(215, 3), .error(220, Failure.expected),
        ])
        let result = scheduler.start {
            source.window(timeSpan: .seconds(7), count: 2, scheduler: scheduler).enumerated()
                .flatMap { number, window in window.materialize().map { "\(number) \($0)" } }
        }
        #expect(
            result.events == [
                .next(205, "0 next(1)"), .next(207, "0 completed"), .next(210, "1 next(2)"),
                .next(214, "1 completed"), .next(215, "2 next(3)"), .next(220, "2 error(expected)"),
                .error(220, Failure.expected),
            ])
    }

    @Test("a window with an observer keeps the source after disposal of the result")
    func windowKeepsSource() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let received = Record()
        let inner = SerialDisposable()
        let outer = source.window(timeSpan: .seconds(100), count: 2, scheduler: scheduler).subscribe(onNext: { window in
            inner.disposable = window.subscribe { received.add($0) }
        })
        source.onNext(1)
        outer.dispose()
        #expect(source.hasObservers)
        source.onNext(2)
        #expect(received.text == "next(1) next(2) completed")
        #expect(!source.hasObservers)
    }

    @Test("the documented examples of buffer and window emit their events")
    func examples() {
        let source: [Recorded<Event<Int>>] = [.next(202, 1), .next(204, 2), .completed(215)]
        let expected: [Recorded<Event<[Int]>>] = [.next(210, [1, 2]), .next(215, []), .completed(215)]
        HotCase("", source, expected, until: 215).check { $0.buffer(timeSpan: .seconds(10), count: 3, scheduler: $1) }
        HotCase("", source, expected, until: 215).check {
            $0.window(timeSpan: .seconds(10), count: 3, scheduler: $1).flatMap { $0.toArray() }
        }
    }

    @Test("buffer(count:) emits full arrays and the rest on completion")
    func countAlone() {
        #expect(trace(of: Observable.of(1, 2, 3, 4).buffer(count: 2)) == "[1, 2] [3, 4] |")
        #expect(trace(of: Observable.of(1, 2, 3).buffer(count: 2)) == "[1, 2] [3] |")
        #expect(trace(of: Observable<Int>.empty().buffer(count: 2)) == "|")
        let failing = Observable.of(1, 2, 3).concat(Observable.error(Failure.expected))
        #expect(trace(of: failing.buffer(count: 2)) == "[1, 2] !expected")
    }
}
