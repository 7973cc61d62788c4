import Streams
import StreamsTesting
import Testing
import TestConcurrency

@Suite("distinctUntilChanged", .limitedConcurrency)
struct DistinctUntilChangedTests {
    @Test(
        "distinctUntilChanged emits elements that differ from the previous one",
        arguments: [
            HotCase("nothing", "|@250", "|@250"),
            HotCase("one", "2@220 |@250", "2@220 |@250"),
            HotCase("all different", "2@210 3@220 2@230 |@250", "2@210 3@220 2@230 |@250"),
            HotCase("all equal", "2@210 2@220 2@230 |@250", "2@210 |@250"),
            HotCase("some", "2@210 3@215 3@220 2@225 2@230 |@250", "2@210 3@215 2@225 |@250"),
        ])
    func overloads(_ table: HotCase) {
        table.check { $0.distinctUntilChanged() }
        table.check { source in source.distinctUntilChanged { $0 == $1 } }
        table.check { source in source.distinctUntilChanged { "\($0)" } }
        table.check { $0.distinctUntilChanged(at: \.description) }
        table.check { source in source.distinctUntilChanged({ $0 + 1 }, comparer: { $0 == $1 }) }
    }

    @Test("distinctUntilChanged passes the last emitted and the new element to its comparer")
    func comparison() {
        let asked = Record()
        let stream = Observable.of(1, 2, 9, 10).distinctUntilChanged { last, new in
            asked.add("\(last)-\(new)")
            return new - last < 5
        }
        expect(stream, "1 9 |")
        #expect(asked.text == "1-2 1-9 9-10")
    }

    @Test("distinctUntilChanged emits a first element that is nil")
    func optionals() {
        expect(Observable<Int?>.of(nil, nil, 1, nil).distinctUntilChanged(), "nil Optional(1) nil |")
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
}

@Suite("element(at:), single, ignoreElements", .limitedConcurrency)
struct ElementTests {
    static let source = "0@150 42@280 43@360 44@470 |@600"

    @Test("element(at:) emits one element and completes", arguments: [(0, 280, 42), (1, 360, 43), (2, 470, 44)])
    func element(_ index: Int, _ tick: Int, _ element: Int) {
        HotCase("", Self.source, "\(element)@\(tick) |@\(tick)").check { $0.element(at: index) }
    }

    @Test(
        "element(at:) fails if the stream has too few elements",
        arguments: [
            HotCase("too few", source, "!\(RxError.argumentOutOfRange)@600", until: 600)
        ])
    func noElement(_ table: HotCase) { table.check { $0.element(at: 3) } }

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
            HotCase("none", "|@250", "!\(RxError.noElements)@250", until: 250),
            HotCase("one", "2@210 |@250", "2@210 |@250"),
            HotCase("two", "2@210 3@220 |@250", "2@210 !\(RxError.moreThanOneElement)@220", until: 220),
        ])
    func single(_ table: HotCase) {
        table.check { $0.single() }
        table.check { source in source.single { _ in true } }
    }

    @Test(
        "single with a predicate counts only matching elements",
        arguments: [
            HotCase("none", "1@210 |@250", "!\(RxError.noElements)@250", until: 250),
            HotCase("one", "1@210 12@220 2@230 |@250", "12@220 |@250"),
            HotCase("two", "11@210 1@220 12@230", "11@210 !\(RxError.moreThanOneElement)@230", until: 230),
        ])
    func singleWithPredicate(_ table: HotCase) {
        table.check { source in source.single { $0 > 10 } }
    }

    @Test("ignoreElements forwards only the terminal event")
    func ignoring() {
        expect(Observable.of(1, 2).ignoreElements(), "|")
        expect(Observable<Int>.error(Failure.expected).ignoreElements(), "!expected")
        expect(BehaviorSubject(value: 1).ignoreElements(), "")
    }
}

@Suite("first, toArray", .limitedConcurrency)
struct FirstTests {
    @Test(
        "first emits the first element, or nil for an empty stream",
        arguments: [
            HotCase("some", "1@150 2@210 3@220 |@250", "Optional(2)@210 |@210"),
            HotCase("none", "|@250", "nil@250 |@250"),
        ])
    func first(_ table: HotCase) { table.check { $0.first().asObservable() } }

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
            HotCase("some", "1@150 2@210 3@220 |@250", "[2, 3]@250 |@250"),
            HotCase("none", "|@250", "[]@250 |@250"),
            HotCase("a failure drops the elements", "2@210 !expected@220", "!expected@220"),
        ])
    func array(_ table: HotCase) { table.check { $0.toArray().asObservable() } }
}

@Suite("sample", .limitedConcurrency)
struct SampleTests {
    static let source = "1@150 2@220 3@240 4@290 5@300 6@310 |@400"

    @Test(
        "sample emits the latest element at each element of the sampler",
        arguments: [
            (
                HotPair(
                    "samples with and without a new element", source, "0@210 0@250 0@260 0@320 |@500",
                    "3@250 6@320 |@500", until: (400, 500)), "0@210 3@250 0@260 6@320 0@500 |@500"
            ),
            (
                HotPair(
                    "the last element waits for the sampler", source, "0@305 0@450 |@500", "5@305 6@450 |@450",
                    until: (400, 450)), "5@305 6@450 |@450"
            ),
            (HotPair("completion of the sampler samples", source, "|@305", "5@305", until: (400, 305)), "5@305"),
            (
                HotPair("the sampler fails", source, "0@305 !expected@320", "5@305 !expected@320", until: (320, 320)),
                "5@305 !expected@320"
            ),
            (
                HotPair(
                    "the source fails", "2@220 !expected@230", "0@250 0@350", "!expected@230", until: (230, 230)),
                "!expected@230"
            ),
            (HotPair("the sampler emits nothing", source, "", "", until: (400, 1000)), ""),
        ])
    func sample(_ table: HotPair, withDefault: String) {
        table.check { $0.sample($1) }
        table.check(expecting: withDefault) { $0.sample($1, defaultValue: 0) }
    }
}
