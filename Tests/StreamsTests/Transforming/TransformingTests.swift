import Dispatch
import Streams
import StreamsTesting
import Testing
import TestConcurrency

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Chains of operators")
struct OperatorChainTests {
    @Test("an element passes every operator of a chain of any length", arguments: [1, 2, 63, 64, 65, 128, 129, 1_000])
    func length(_ count: Int) {
        var stream: Observable<[Int]> = .just([])
        for number in 0..<count { stream = stream.map { $0 + [number] } }
        let record = Record()
        for _ in 0..<2 { stream.subscribe(onNext: { record.add($0 == Array(0..<count)) }).dispose() }
        #expect(record.text == "true true")
    }
}

@Suite("compactMap, reduce, enumerated", .limitedConcurrency)
struct ReduceTests {
    @Test(
        "compactMap drops nil results",
        arguments: [
            HotCase("some", "1@210 two@220 3@230 |@240", "1@210 3@230 |@240")
        ])
    func compactMap(_ table: HotCase) {
        table.check(of: String.self) { source, _ in source.compactMap { Int($0) } }
    }

    @Test(
        "reduce emits its result on completion",
        arguments: [
            HotCase("some", "1@150 0@210 1@220 2@230 |@260", "45@260 |@260"),
            HotCase("none", "|@250", "42@250 |@250"),
            HotCase("a failure drops the result", "1@210 !expected@220", "!expected@220"),
            HotCase("no events", "1@210", ""),
        ])
    func reduce(_ table: HotCase) {
        table.check { $0.reduce(42, accumulator: +) }
        table.check { $0.reduce(42, accumulator: +, mapResult: { "\($0)" }) }
    }

    @Test("enumerated numbers the elements of each subscription from 0")
    func enumerated() {
        let stream = Observable.of("a", "b").enumerated().map { "\($0.index)\($0.element)" }
        expect(stream, "0a 1b |")
        expect(stream, "0a 1b |")
    }
}

@Suite("materialize, dematerialize, decode", .limitedConcurrency)
struct MaterializeTests {
    @Test(
        "materialize emits the terminal event as an element",
        arguments: [
            HotCase("complete", "1@150 2@210 |@250", "next(2)@210 completed@250 |@250"),
            HotCase("failed", "2@210 !expected@250", "next(2)@210 error(expected)@250 |@250"),
            HotCase("no events", "", ""),
        ])
    func materialize(_ table: HotCase) { table.check { $0.materialize() } }

    @Test(
        "dematerialize emits the events that its elements represent",
        arguments: [
            HotCase("completion in an element", "1@210 0@220 3@230 |@240", "1@210 |@220"),
            HotCase("an error in an element", "1@210 -1@220 |@240", "1@210 !expected@220"),
            HotCase("completion of the stream", "1@210 |@240", "1@210 |@240"),
            HotCase("an error of the stream", "!expected@240", "!expected@240"),
        ])
    func dematerialize(_ table: HotCase) {
        table.check { source in
            source.map { $0 > 0 ? Event.next($0) : $0 == 0 ? .completed : .error(Failure.expected) }.dematerialize()
        }
    }

    @Test("dematerialize is the inverse of materialize")
    func inverse() {
        expect(Observable.of(1, 2).materialize().dematerialize(), "1 2 |")
        expect(Observable<Int>.error(Failure.expected).materialize().dematerialize(), "!expected")
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
        expect(Observable.just(Data("[1, 2]".utf8)).decode(type: [Int].self, decoder: JSONDecoder()), "[1, 2] |")
        let items = Observable.of(Data(#"{"name":"a"}"#.utf8), Data("{}".utf8))
            .decode(type: Item.self, decoder: JSONDecoder()).map(\.name)
        #expect(trace(of: items).hasPrefix("a !"))
        let list = Observable.just(Data("[1]".utf8)).decode(type: String.self, decoder: NameDecoder())
        expect(list, "[1] |")
        let wrong = Observable.just(Data()).decode(type: Int.self, decoder: NameDecoder())
        expect(wrong, "!expected")
        #expect(throws: Never.self) {
            let data = try PropertyListEncoder().encode([1])
            expect(Observable.just(data).decode(type: [Int].self, decoder: PropertyListDecoder()), "[1] |")
        }
    }
}

@Suite("groupBy", .limitedConcurrency)
struct GroupByTests {
    static let source = "x@90 foo@220 FOO@240 bar@270 Baz@310 foo@360 baz@390 |@570"

    @Test(
        "groupBy emits a stream for each new key",
        arguments: [
            HotCase("complete", source, "foo@220 bar@270 baz@310 |@570")
        ])
    func keys(_ table: HotCase) {
        table.check(of: String.self) { source, _ in source.groupBy { $0.lowercased() }.map(\.key) }
    }

    @Test("each group emits all its elements and the terminal event of the source")
    func groups() {
        let scheduler = TestScheduler(initialClock: 0)
        let source: TestableObservable<String> = scheduler.createHotObservable(events(Self.source))
        let result = scheduler.start {
            source.groupBy { $0.lowercased() }
                .flatMap { group in group.materialize().map { "\(group.key) \($0)" } }
        }
        #expect(
            words(result.events) == """
                foo next(foo)@220 foo next(FOO)@240 bar next(bar)@270 baz next(Baz)@310 foo next(foo)@360 \
                baz next(baz)@390 foo completed@570 bar completed@570 baz completed@570 |@570
                """)
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
        let source: TestableObservable<String> = scheduler.createHotObservable(events(Self.source))
        let group = scheduler.createObserver(String.self)
        let subscription = SerialDisposable()
        let result = scheduler.start(disposed: 300) {
            source.groupBy { $0.lowercased() }.do(onNext: { stream in
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
        expect(groups.flatMap { $0 }, "|")
        outer.dispose()
    }
}

private let forever = DisposeBag()

@Suite("buffer, window", .limitedConcurrency)
struct BufferTests {
    static let source = "0@105 1@205 2@210 3@240 4@280 5@320 6@350 7@370 8@420 9@470"

    @Test(
        "buffer emits when it is full or its time has passed",
        arguments: [
            HotCase(
                "complete", source + " |@600", "[1, 2, 3]@240 [4]@310 [5, 6, 7]@370 [8]@440 [9]@510 []@580 []@600 |@600"
            ),
            HotCase(
                "a failure drops collected elements", "1@205 2@210 3@240 4@280 !expected@300",
                "[1, 2, 3]@240 !expected@300"),
            HotCase("completes with collected elements", "1@205 |@220", "[1]@220 |@220"),
        ])
    func buffer(_ table: HotCase) {
        table.check { $0.buffer(timeSpan: .seconds(70), count: 3, scheduler: $1) }
    }

    @Test(
        "window opens a stream when the previous one is full or its time has passed",
        arguments: [
            HotCase(
                "complete", source + " |@600",
                "0 1@205 0 2@210 0 3@240 1 4@280 2 5@320 2 6@350 2 7@370 3 8@420 4 9@470 |@600")
        ])
    func window(_ table: HotCase) {
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
            words(result.events)
                == "0 next(1)@205 0 completed@207 1 next(2)@210 1 completed@214 2 next(3)@215 2 error(expected)@220 !expected@220"
        )
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

    @Test("buffer(count:) emits full arrays and the rest on completion")
    func countAlone() {
        expect(Observable.of(1, 2, 3, 4).buffer(count: 2), "[1, 2] [3, 4] |")
        expect(Observable.of(1, 2, 3).buffer(count: 2), "[1, 2] [3] |")
        expect(Observable<Int>.empty().buffer(count: 2), "|")
        let failing = Observable.of(1, 2, 3).concat(Observable.error(Failure.expected))
        expect(failing.buffer(count: 2), "[1, 2] !expected")
    }
}
