import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("withLatestFrom, amb, ifEmpty, withUnretained", .takesTurns)
struct WithLatestFromTests {
    @Test(
        "withLatestFrom emits for each element once the second stream has emitted",
        arguments: [
            HotPair(
                "both", [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)],
                [.next(215, 4), .next(225, 5), .completed(228)],
                [.next(220, 24), .next(230, 35), .completed(250)], until: (250, 228)),
            HotPair(
                "the second source has not emitted", [.next(210, 1), .completed(220)], [.next(230, 4)],
                [.completed(220)],
                until: (220, 220)),
            HotPair(
                "the second is empty", [.next(210, 1), .completed(220)], [.completed(205)], [.completed(220)],
                until: (220, 205)),
            HotPair(
                "the first fails", [.error(220, Failure.expected)], [.next(210, 4)],
                [.error(220, Failure.expected)], until: (220, 220)),
            HotPair(
                "the second fails", [.next(230, 1)], [.next(210, 4), .error(220, Failure.expected)],
                [.error(220, Failure.expected)], until: (220, 220)),
            HotPair(
                "both sources emit at one tick, in order of arrival", [.next(210, 1), .next(220, 2)],
                [.next(210, 4), .next(220, 5)], [.next(220, 24)], until: (1000, 1000)),
        ])
    func withLatestFrom(_ table: HotPair<Int>) {
        table.check { $0.withLatestFrom($1) { $0 * 10 + $1 } }
    }

    @Test("withLatestFrom without a selector emits the element of the second stream")
    func latestAlone() {
        #expect(trace(of: Observable.of(1, 2).withLatestFrom(Observable.just("a"))) == "a a |")
        #expect(trace(of: Observable.just(1).withLatestFrom(Observable<Int>.error(Failure.expected))) == "!expected")
        #expect(
            trace(of: Observable.just(1).withLatestFrom(Observable.just(2)) { _, _ -> Int in throw Failure.expected })
                == "!expected")
    }

    @Test("withLatestFrom uses the latest element from before a re-entrant one")
    func reentrancy() {
        let (first, second) = (PublishSubject<Int>(), BehaviorSubject(value: 0))
        let received = Record()
        let subscription = first.withLatestFrom(second) { "\($0),\($1)" }.subscribe(onNext: { pair in
            received.add(pair)
            if pair == "1,0" {
                second.onNext(7)
                first.onNext(2)
            }
        })
        first.onNext(1)
        #expect(received.text == "1,0 2,7")
        subscription.dispose()
    }

    @Test(
        "amb emits the first active stream and disposes the other one",
        arguments: [
            HotPair(
                "the first", [.next(210, 1), .next(230, 2), .completed(250)], [.next(220, 3), .completed(240)],
                [.next(210, 1), .next(230, 2), .completed(250)], until: (250, 210)),
            HotPair(
                "the second", [.next(220, 1)], [.next(210, 3), .completed(240)],
                [.next(210, 3), .completed(240)], until: (210, 240)),
            HotPair(
                "the first completes", [.completed(210)], [.next(220, 3)], [.completed(210)], until: (210, 210)),
            HotPair(
                "the second fails", [.next(220, 3)], [.error(210, Failure.expected)],
                [.error(210, Failure.expected)], until: (210, 210)),
            HotPair(
                "the loser fails later", [.next(210, 1), .completed(230)], [.error(220, Failure.expected)],
                [.next(210, 1), .completed(230)], until: (230, 210)),
            HotPair("neither source emits", [], [], [], until: (1000, 1000)),
        ])
    func amb(_ table: HotPair<Int>) {
        table.check { $0.amb($1) }
        table.check { Observable.amb([$0, $1]) }
        table.check { Observable.amb([.never(), $0, $1]) }
    }

    @Test("amb of synchronous streams emits the first one")
    func synchronousAmb() {
        #expect(trace(of: Observable.amb([.just(1), .just(2)])) == "1 |")
        #expect(trace(of: Observable.amb([Observable<Int>]())) == "")
        #expect(trace(of: Observable<Int>.empty().amb(Observable.just(2))) == "|")
    }

    @Test("ifEmpty replaces an empty stream")
    func ifEmpty() {
        #expect(trace(of: Observable<Int>.empty().ifEmpty(default: 7)) == "7 |")
        #expect(trace(of: Observable.of(1, 2).ifEmpty(default: 7)) == "1 2 |")
        #expect(trace(of: Observable<Int>.error(Failure.expected).ifEmpty(default: 7)) == "!expected")
        #expect(trace(of: Observable<Int>.empty().ifEmpty(switchTo: .of(7, 8))) == "7 8 |")
        #expect(trace(of: Observable.of(1, 2).ifEmpty(switchTo: .of(7, 8))) == "1 2 |")
        #expect(trace(of: Observable<Int>.error(Failure.expected).ifEmpty(switchTo: .of(7, 8))) == "!expected")
        #expect(trace(of: Observable<Int>.empty().ifEmpty(switchTo: .error(Failure.other))) == "!other")
    }

    @Test(
        "ifEmpty(switchTo:) subscribes to the other stream at the tick of completion",
        arguments: [
            HotPair(
                "empty", [.completed(210)], [.next(205, 1), .next(220, 2), .completed(230)],
                [.next(220, 2), .completed(230)], subscriptions: (Subscription(200, 210), Subscription(210, 230))),
            HotPair(
                "not empty", [.next(205, 1), .completed(210)], [.next(220, 2)], [.next(205, 1), .completed(210)],
                subscriptions: (Subscription(200, 210), nil)),
            HotPair("no events", [], [], [], subscriptions: (Subscription(200, 1000), nil)),
        ])
    func switching(_ table: HotPair<Int>) { table.check { $0.ifEmpty(switchTo: $1) } }

    @Test("withUnretained does not retain its object, and completes after its deallocation")
    func withUnretained() {
        var object: Token? = Token(3)
        weak let reference = object
        let source = PublishSubject<Int>()
        let received = Record()
        let pairs = source.withUnretained(object!)
        let sums = source.withUnretained(object!) { $0.number + $1 }
        let subscriptions = CompositeDisposable(
            pairs.subscribe { received.add($0.map { "\($0.0) \($0.1)" }) }, sums.subscribe { received.add($0) })
        source.onNext(1)
        object = nil
        #expect(reference == nil)
        source.onNext(2)
        #expect(received.text == "next(3 1) next(4) completed completed")
        #expect(!source.hasObservers)
        subscriptions.dispose()
    }
}
