import Streams
import StreamsTesting
import Testing
import TestTurns

@Suite("distinctUntilChanged", .takesTurns)
struct DistinctUntilChangedTests {
    @Test(
        "distinctUntilChanged emits elements that differ from the previous one",
        arguments: [
            HotCase("nothing", [.completed(250)], [.completed(250)] as [Recorded<Event<Int>>], until: 250),
            HotCase("one", [.next(220, 2), .completed(250)], [.next(220, 2), .completed(250)], until: 250),
            HotCase(
                "all different", [.next(210, 2), .next(220, 3), .next(230, 2), .completed(250)],
                [.next(210, 2), .next(220, 3), .next(230, 2), .completed(250)], until: 250),
            HotCase(
                "all equal", [.next(210, 2), .next(220, 2), .next(230, 2), .completed(250)],
                [.next(210, 2), .completed(250)], until: 250),
            HotCase(
                "some", [.next(210, 2), .next(215, 3), .next(220, 3), .next(225, 2), .next(230, 2), .completed(250)],
                [.next(210, 2), .next(215, 3), .next(225, 2), .completed(250)], until: 250),
            HotCase(
                "failing", [.next(210, 2), .next(220, 2), .error(230, Failure.expected)],
                [.next(210, 2), .error(230, Failure.expected)], until: 230),
            HotCase("disposed", [.next(210, 2), .next(220, 3)], [.next(210, 2)], until: 215, disposed: 215),
        ])
    func overloads(_ table: HotCase<Int, Int>) {
        table.check { $0.distinctUntilChanged() }
        table.check { source in source.distinctUntilChanged { $0 == $1 } }
        table.check { source in source.distinctUntilChanged { "\($0)" } }
        table.check { $0.distinctUntilChanged(at: \.description) }
        table.check { source in source.distinctUntilChanged({ $0 + 1 }, comparer: { $0 == $1 }) }
    }

    @Test(
        "distinctUntilChanged fails with the error that a function throws",
        arguments: [
            HotCase(
                "", [.next(210, 1), .next(220, 2), .next(230, 3)], [.next(210, 1), .error(220, Failure.expected)],
                until: 220)
        ])
    func throwing(_ table: HotCase<Int, Int>) {
        @Sendable func check(_ number: Int) throws -> Int {
            if number == 2 { throw Failure.expected }
            return number
        }
        table.check { source in source.distinctUntilChanged { try check($0) } }
        table.check { source in source.distinctUntilChanged { try check($1) == $0 } }
        table.check { source in source.distinctUntilChanged({ try check($0) }, comparer: { $0 == $1 }) }
    }

    @Test("distinctUntilChanged passes the last emitted and the new element to its comparer")
    func comparison() {
        let asked = Record()
        let stream = Observable.of(1, 2, 9, 10).distinctUntilChanged { last, new in
            asked.add("\(last)-\(new)")
            return new - last < 5
        }
        #expect(trace(of: stream) == "1 9 |")
        #expect(asked.text == "1-2 1-9 9-10")
    }

    @Test("distinctUntilChanged emits a first element that is nil")
    func optionals() {
        #expect(trace(of: Observable<Int?>.of(nil, nil, 1, nil).distinctUntilChanged()) == "nil Optional(1) nil |")
    }

    @Test("distinctUntilChanged compares a re-entrant element with the one being delivered")
    func reentrancy() {
        let source = PublishSubject<Int>()
        let received = Record()
        let subscription = source.distinctUntilChanged().subscribe(onNext: { element in
            received.add(element)
            if element < 3 {
                source.onNext(element)
                source.onNext(element + 1)
            }
        })
        source.onNext(1)
        #expect(received.text == "1 2 3")
        subscription.dispose()
    }

    @Test("the documented examples of distinctUntilChanged emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 1, 2, 2, 1).distinctUntilChanged()) == "1 2 1 |")
        #expect(trace(of: Observable.of("a", "b", "cc").distinctUntilChanged { $0.count }) == "a cc |")
        #expect(trace(of: Observable.of(1, 2, 9, 10).distinctUntilChanged { abs($0 - $1) < 5 }) == "1 9 |")
        #expect(trace(of: Observable.of("a", "b", "cc").distinctUntilChanged(at: \.count)) == "a cc |")
        #expect(
            trace(of: Observable.of("a", "A", "b").distinctUntilChanged({ $0.lowercased() }, comparer: ==)) == "a b |")
    }
}

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

@Suite("sample", .takesTurns)
struct SampleTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sampler: [Recorded<Event<String>>]
        let expected: [Recorded<Event<Int>>]
        let withDefault: [Recorded<Event<Int>>]
        let ends: [Int]
        var source: [Recorded<Event<Int>>] = SampleTests.source
    }

    static let source: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(220, 2), .next(240, 3), .next(290, 4), .next(300, 5), .next(310, 6), .completed(400),
    ]

    @Test(
        "sample emits the latest element at each element of the sampler",
        arguments: [
            Pair(
                testDescription: "samples with and without a new element",
                sampler: [.next(210, ""), .next(250, ""), .next(260, ""), .next(320, ""), .completed(500)],
                expected: [.next(250, 3), .next(320, 6), .completed(500)],
                withDefault: [
                    .next(210, 0), .next(250, 3), .next(260, 0), .next(320, 6), .next(500, 0), .completed(500),
                ],
                ends: [400, 500]),
            Pair(
                testDescription: "the last element waits for the sampler",
                sampler: [.next(305, ""), .next(450, ""), .completed(500)],
                expected: [.next(305, 5), .next(450, 6), .completed(450)],
                withDefault: [.next(305, 5), .next(450, 6), .completed(450)], ends: [400, 450]),
            Pair(
                testDescription: "completion of the sampler samples",
                sampler: [.completed(305)], expected: [.next(305, 5)], withDefault: [.next(305, 5)],
                ends: [400, 305]),
            Pair(
                testDescription: "the sampler fails", sampler: [.next(305, ""), .error(320, Failure.expected)],
                expected: [.next(305, 5), .error(320, Failure.expected)],
                withDefault: [.next(305, 5), .error(320, Failure.expected)], ends: [320, 320]),
            Pair(
                testDescription: "the source fails", sampler: [.next(250, ""), .next(350, "")],
                expected: [.error(230, Failure.expected)], withDefault: [.error(230, Failure.expected)],
                ends: [230, 230], source: [.next(220, 2), .error(230, Failure.expected)]),
            Pair(
                testDescription: "the sampler emits nothing", sampler: [], expected: [], withDefault: [],
                ends: [400, 1000]),
        ])
    func sample(_ pair: Pair) {
        for (value, expected) in [(nil, pair.expected), (0, pair.withDefault)] {
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable(pair.source)
            let sampler = scheduler.createHotObservable(pair.sampler)
            let result = scheduler.start {
                value.map { source.sample(sampler, defaultValue: $0) } ?? source.sample(sampler)
            }
            #expect(result.events == expected)
            #expect(source.subscriptions == [Subscription(200, pair.ends[0])])
            #expect(sampler.subscriptions == [Subscription(200, pair.ends[1])])
        }
    }

    @Test("the documented examples of sample emit their events")
    func examples() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.1)
        let positions = scheduler.createHotObservable([.next(10, 1), .next(20, 2), .next(30, 3)])
        let ticks = scheduler.createHotObservable([.next(25, ()), .next(35, ()), .next(45, ())])
        let plain = scheduler.createObserver(Int.self)
        let filled = scheduler.createObserver(Int.self)
        let bag = DisposeBag()
        positions.sample(ticks).subscribe(plain).disposed(by: bag)
        positions.sample(ticks, defaultValue: 0).subscribe(filled).disposed(by: bag)
        scheduler.start()
        #expect(plain.events == [.next(25, 2), .next(35, 3)])
        #expect(filled.events == [.next(25, 2), .next(35, 3), .next(45, 0)])
    }
}
