import Dispatch
import Streams
import StreamsTesting
import Testing
import TestTurns

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

@Suite("materialize, dematerialize, decode", .takesTurns)
struct MaterializeTests {
    @Test(
        "materialize emits the terminal event as an element",
        arguments: [
            HotCase(
                "complete", [.next(150, 1), .next(210, 2), .completed(250)],
                [.next(210, .next(2)), .next(250, .completed), .completed(250)], until: 250),
            HotCase(
                "failed", [.next(210, 2), .error(250, Failure.expected)],
                [.next(210, .next(2)), .next(250, .error(Failure.expected)), .completed(250)], until: 250),
            HotCase("no events", [], [], until: 1000),
        ] as [HotCase<Int, Event<Int>>])
    func materialize(_ table: HotCase<Int, Event<Int>>) { table.check { $0.materialize() } }

    @Test(
        "dematerialize emits the events that its elements represent",
        arguments: [
            HotCase(
                "completion in an element",
                [.next(210, .next(1)), .next(220, .completed), .next(230, .next(3)), .completed(240)],
                [.next(210, 1), .completed(220)], until: 220),
            HotCase(
                "an error in an element",
                [.next(210, .next(1)), .next(220, .error(Failure.expected)), .completed(240)],
                [.next(210, 1), .error(220, Failure.expected)], until: 220),
            HotCase(
                "completion of the stream", [.next(210, .next(1)), .completed(240)],
                [.next(210, 1), .completed(240)], until: 240),
            HotCase(
                "an error of the stream", [.error(240, Failure.expected)], [.error(240, Failure.expected)], until: 240),
        ] as [HotCase<Event<Int>, Int>])
    func dematerialize(_ table: HotCase<Event<Int>, Int>) { table.check { $0.dematerialize() } }

    @Test("dematerialize is the inverse of materialize")
    func inverse() {
        #expect(trace(of: Observable.of(1, 2).materialize().dematerialize()) == "1 2 |")
        #expect(trace(of: Observable<Int>.error(Failure.expected).materialize().dematerialize()) == "!expected")
    }

    struct Item: Codable, Sendable, Equatable {
        let name: String
    }

    /// Decodes a name from its UTF-8 bytes.
    struct NameDecoder: DataDecoder {
        func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item {
            guard let name = String(decoding: data, as: UTF8.self) as? Item else { throw Failure.expected }
            return name
        }
    }

    @Test("decode decodes data and fails with the decoder's error")
    func decode() {
        #expect(
            trace(of: Observable.just(Data("[1, 2]".utf8)).decode(type: [Int].self, decoder: JSONDecoder()))
                == "[1, 2] |")
        let items = Observable.of(Data(#"{"name":"a"}"#.utf8), Data("{}".utf8))
            .decode(type: Item.self, decoder: JSONDecoder()).map(\.name)
        #expect(trace(of: items).hasPrefix("a !"))
        let list = Observable.just(Data("[1]".utf8)).decode(type: String.self, decoder: NameDecoder())
        #expect(trace(of: list) == "[1] |")
        let wrong = Observable.just(Data()).decode(type: Int.self, decoder: NameDecoder())
        #expect(trace(of: wrong) == "!expected")
        #expect(throws: Never.self) {
            let data = try PropertyListEncoder().encode([1])
            #expect(
                trace(of: Observable.just(data).decode(type: [Int].self, decoder: PropertyListDecoder())) == "[1] |")
        }
    }

    @Test("the documented examples of materialize, dematerialize and decode emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 2).materialize()) == "next(1) next(2) completed |")
        #expect(
            trace(of: Observable.of(Event.next(1), .next(2), .completed, .next(3)).dematerialize()) == "1 2 |")
    }
}

@Suite("groupBy", .takesTurns)
struct GroupByTests {
    static let source: [Recorded<Event<String>>] = [
        .next(90, "x"), .next(220, "foo"), .next(240, "FOO"), .next(270, "bar"), .next(310, "Baz"), .next(360, "foo"),
        .next(390, "baz"), .completed(570),
    ]

    @Test(
        "groupBy emits a stream for each new key",
        arguments: [
            HotCase(
                "complete", source, [.next(220, "foo"), .next(270, "bar"), .next(310, "baz"), .completed(570)],
                until: 570),
            HotCase("disposed", source, [.next(220, "foo"), .next(270, "bar")], until: 300, disposed: 300),
            HotCase(
                "failed", [.next(220, "foo"), .error(240, Failure.expected)],
                [.next(220, "foo"), .error(240, Failure.expected)], until: 240),
            HotCase(
                "the key selector throws", [.next(220, "foo"), .next(240, ""), .next(250, "bar")],
                [.next(220, "foo"), .error(240, Failure.expected)], until: 240),
        ] as [HotCase<String, String>])
    func keys(_ table: HotCase<String, String>) {
        table.check { source in source.groupBy { try Self.key($0) }.map(\.key) }
    }

    private static func key(_ text: String) throws -> String {
        if text.isEmpty { throw Failure.expected }
        return text.lowercased()
    }

    @Test("each group emits all its elements and the terminal event of the source")
    func groups() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(Self.source)
        let result = scheduler.start {
            source.groupBy { try Self.key($0) }
                .flatMap { group in group.materialize().map { "\(group.key) \($0)" } }
        }
        #expect(
            result.events == [
                .next(220, "foo next(foo)"), .next(240, "foo next(FOO)"), .next(270, "bar next(bar)"),
                .next(310, "baz next(Baz)"), .next(360, "foo next(foo)"), .next(390, "baz next(baz)"),
                .next(570, "foo completed"), .next(570, "bar completed"), .next(570, "baz completed"),
                .completed(570),
            ])
    }

    @Test("groupBy forwards an error to the groups before the result")
    func errorOrder() {
        let received = Record()
        let source = PublishSubject<Int>()
        let subscription = source.groupBy { $0 % 2 }.subscribe(
            onNext: { group in
                group.subscribe(onError: { _ in received.add("group \(group.key)") }).disposed(by: forever)
            }, onError: { _ in received.add("result") })
        source.onNext(1)
        source.onNext(2)
        source.onError(Failure.expected)
        #expect(received.text == "group 1 group 0 result")
        subscription.dispose()
    }

    @Test("groupBy keeps the source while the result or a group has an observer")
    func keepsSource() {
        let source = PublishSubject<Int>()
        let received = Record()
        let inner = SerialDisposable()
        let outer = source.groupBy { $0 % 2 }.subscribe(onNext: { group in
            received.add("group \(group.key)")
            if group.key == 1 { inner.disposable = group.subscribe(onNext: { received.add($0) }) }
        })
        source.onNext(1)
        outer.dispose()
        source.onNext(2)
        source.onNext(3)
        #expect(received.text == "group 1 1 3")
        #expect(source.hasObservers)
        inner.dispose()
        #expect(!source.hasObservers)
    }

    @Test("a group without an observer continues while the result has one")
    func leftGroup() {
        let source = PublishSubject<Int>()
        let received = Record()
        let outer = source.groupBy { $0 % 2 }.subscribe(onNext: { group in
            group.take(1).subscribe(onNext: { received.add($0) }).disposed(by: forever)
        })
        for number in 1...6 { source.onNext(number) }
        #expect(received.text == "1 2")
        #expect(source.hasObservers)
        outer.dispose()
        #expect(!source.hasObservers)
    }

    @Test("a late observer of a group receives later elements, also after disposal of the result")
    func independence() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(Self.source)
        let group = scheduler.createObserver(String.self)
        let subscription = SerialDisposable()
        let result = scheduler.start(disposed: 300) {
            source.groupBy { try Self.key($0) }.do(onNext: { stream in
                if stream.key != "foo" { return }
                scheduler.scheduleAt(230) { subscription.disposable = stream.subscribe(group) }
            }).map(\.key)
        }
        #expect(result.events == [.next(220, "foo"), .next(270, "bar")])
        #expect(group.events == [.next(240, "FOO"), .next(360, "foo"), .completed(570)])
        #expect(source.subscriptions == [Subscription(200, 570)])
    }

    @Test("a terminated group sends its terminal event to a late observer")
    func lateObserver() {
        let source = PublishSubject<Int>()
        let groups = ReplaySubject<GroupedObservable<Int, Int>>.createUnbounded()
        let outer = source.groupBy { $0 }.subscribe(groups)
        source.onNext(1)
        source.onCompleted()
        #expect(trace(of: groups.flatMap { $0 }) == "|")
        outer.dispose()
    }

    @Test("the documented examples of groupBy emit their events")
    func example() {
        let stream = Observable.of(1, 2, 3, 4).groupBy { $0 % 2 }
            .flatMap { group in group.map { "\(group.key): \($0)" } }
        #expect(trace(of: stream) == "1: 1 0: 2 1: 3 0: 4 |")
    }
}

private let forever = DisposeBag()

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
