import Dispatch
import Streams
import StreamsTesting
import Testing
import TestConcurrency

@Suite("take, take(for:), takeLast", .limitedConcurrency)
struct TakeTests {
    static let source = "6@70 4@150 9@210 13@230 7@270 1@280 -1@300 |@690"

    @Test(
        "take completes with the last of its elements and disposes the source",
        arguments: [
            HotCase("no element: the source is not subscribed", source, "|@200", isSubscribed: false),
            HotCase("one", source, "9@210 |@210"),
            HotCase("two", source, "9@210 13@230 |@230"),
            HotCase("as many as there are", source, "9@210 13@230 7@270 1@280 -1@300 |@300"),
            HotCase("more than there are", source, "9@210 13@230 7@270 1@280 -1@300 |@690"),
            HotCase("a failure before the last", "9@210 !expected@220", "9@210 !expected@220"),
            HotCase("a failure after the last", "9@210 8@215 !expected@220", "9@210 8@215 |@215"),
        ])
    func count(_ table: HotCase) {
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
        expect(endless.take(2), "1 2 |")
        expect(Observable.repeatElement(7).take(3), "7 7 7 |")
    }

    @Test(
        "take(for:) emits the elements within its duration",
        arguments: [
            HotCase("completes when the time has passed", source, "9@210 13@230 |@250"),
            HotCase("completes with the source", "9@210 |@220", "9@210 |@220"),
            HotCase("an element at the last tick is emitted", "1@250 2@251", "1@250 |@250"),
        ])
    func duration(_ table: HotCase) {
        table.check { $0.take(for: .seconds(50), scheduler: $1) }
    }

    @Test(
        "takeLast emits the last elements on completion",
        arguments: [
            HotCase("none", source, "|@690"),
            HotCase("one", source, "-1@690 |@690"),
            HotCase("three", source, "7@690 1@690 -1@690 |@690"),
            HotCase("more than there are", "9@210 |@220", "9@220 |@220"),
            HotCase("a failure drops the elements", "9@210 !expected@220", "!expected@220"),
        ])
    func last(_ table: HotCase) {
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
}

@Suite("take(until:), take(while:)", .limitedConcurrency)
struct TakeUntilTests {
    static let elements = "1@150 2@210 3@220 4@230 5@240 |@250"

    @Test(
        "take(until:) completes at the first element of the other stream",
        arguments: [
            HotPair("an element of the other", elements, "0@205 |@240", "|@205", until: (205, 205)),
            HotPair("in the middle", elements, "0@150 99@225", "2@210 3@220 |@225", until: (225, 225)),
            HotPair("the other completes", elements, "|@225", "2@210 3@220 4@230 5@240 |@250", until: (250, 225)),
            HotPair("the other fails", elements, "!expected@225", "2@210 3@220 !expected@225", until: (225, 225)),
            HotPair("the other stream emits nothing", elements, "", "2@210 3@220 4@230 5@240 |@250", until: (250, 250)),
            HotPair("the source fails first", "!expected@215", "1@230", "!expected@215", until: (215, 215)),
            HotPair("neither stream emits", "", "", "", until: (1000, 1000)),
        ])
    func other(_ table: HotPair) { table.check { $0.take(until: $1) } }

    @Test("take(until:) subscribes to the other stream first")
    func order() {
        expect(Observable.just(1).take(until: Observable.just(0)), "|")
        expect(Observable.just(1).take(until: Observable<Int>.empty()), "1 |")
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

    static let numbers = "1@150 2@210 3@220 14@230 5@240 |@250"

    @Test(
        "take(until: predicate) drops the matching element",
        arguments: [
            HotCase("a matching element", numbers, "2@210 3@220 |@230"),
            HotCase("the predicate never matches", "2@210 |@220", "2@210 |@220"),
        ])
    func exclusive(_ table: HotCase) {
        table.check { $0.take(until: { $0 > 10 }) }
        table.check { $0.take(while: { $0 <= 10 }) }
    }

    @Test(
        "an inclusive take(until: predicate) emits the matching element last",
        arguments: [
            HotCase("a matching element", numbers, "2@210 3@220 14@230 |@230"),
            HotCase("the predicate throws", "2@210 0@215 |@220", "2@210 !expected@215"),
        ])
    func inclusive(_ table: HotCase) {
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
}

@Suite("skip, skip(for:), skip(while:), skip(until:)", .limitedConcurrency)
struct SkipTests {
    static let source = "1@150 2@210 3@220 4@230 |@400"

    @Test("skip drops the first elements", arguments: [-1, 0, 1, 2, 3, 4, 100])
    func count(_ count: Int) {
        let rest = ["2@210", "3@220", "4@230", "|@400"].dropFirst(min(max(count, 0), 3)).joined(separator: " ")
        HotCase("", Self.source, rest).check { $0.skip(count) }
    }

    @Test(
        "skip(for:) drops elements within its duration",
        arguments: [
            HotCase("in the middle", source, "4@230 |@400"),
            HotCase("completes before a match", "1@210 |@215", "|@215"),
            HotCase("fails before a match", "1@210 !expected@215", "!expected@215"),
        ])
    func duration(_ table: HotCase) {
        table.check { $0.skip(for: .seconds(25), scheduler: $1) }
        table.check { $0.skip(.seconds(25), scheduler: $1) }
    }

    @Test(
        "skip(while:) emits from the first element that does not match",
        arguments: [
            HotCase("in the middle", "1@210 12@220 1@230 |@240", "12@220 1@230 |@240"),
            HotCase("the predicate is not called again", "12@210 0@220 |@240", "12@210 0@220 |@240"),
            HotCase("the predicate always matches", source, "|@400"),
        ])
    func predicate(_ table: HotCase) {
        table.check { $0.skip(while: { $0 < 10 }) }
    }

    @Test(
        "skip(until:) emits after the first element of the other stream",
        arguments: [
            HotPair("in the middle", source, "99@225 |@230", "4@230 |@400", until: (400, 225)),
            HotPair("the other fails", source, "!expected@225", "!expected@225", until: (225, 225)),
            HotPair("the other completes without an element", source, "|@225", "", until: (400, 225)),
            HotPair("the source completes first", "1@210 |@220", "1@300", "", until: (220, 220)),
            HotPair("the other fails after the source has completed", source, "!expected@500", "", until: (400, 400)),
            HotPair("the source fails first", "!expected@220", "1@300", "!expected@220", until: (220, 220)),
            HotPair("the source fails later", "1@230 !expected@240", "1@220", "1@230 !expected@240", until: (240, 220)),
            HotPair("the other stream emits nothing", source, "", "", until: (400, 400)),
            HotPair("neither stream emits", "", "", "", until: (1000, 1000)),
        ])
    func other(_ table: HotPair) { table.check { $0.skip(until: $1) } }

    @Test("skip(until:) subscribes to the source first")
    func order() {
        expect(BehaviorSubject(value: 1).skip(until: Observable.just(0)), "")
        expect(Observable.of(1, 2).skip(until: Observable.just(0)), "1 2 |")
    }

    @Test("skip(until:) fails with an error that the other stream replays after its first element")
    func replayedError() {
        let other = ReplaySubject<Int>.createUnbounded()
        other.onNext(0)
        other.onError(Failure.expected)
        expect(PublishSubject<Int>().skip(until: other), "!expected")
        let synchronous = Observable<Int>.create { observer in
            observer.onNext(0)
            observer.onError(Failure.expected)
            return Disposables.create()
        }
        expect(PublishSubject<Int>().skip(until: synchronous), "!expected")
    }

    @Test("skip(until:) ignores an error of the other stream after its first element")
    func laterError() {
        let (source, other) = (PublishSubject<Int>(), BehaviorSubject(value: 0))
        let received = Record()
        let subscription = source.skip(until: other).subscribe { received.add($0) }
        #expect(!other.hasObservers)
        other.onError(Failure.expected)
        source.onNext(1)
        #expect(received.text == "next(1)")
        subscription.dispose()
    }
}
