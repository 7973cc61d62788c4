import Streams
import StreamsTesting
import Testing
import TestTurns

@Suite("combineLatest", .takesTurns)
struct CombineLatestTests {
    @Test(
        "combineLatest emits whenever a source emits and all sources have emitted",
        arguments: [
            HotPair("neither source emits", [], [], [], until: (1000, 1000)),
            HotPair("one source emits nothing, one is empty", [], [.completed(225)], [], until: (1000, 225)),
            HotPair("both are empty", [.completed(215)], [.completed(225)], [.completed(225)], until: (215, 225)),
            HotPair(
                "an element after the other source completed without any", [.completed(210)],
                [.next(215, 1), .completed(220)], [.completed(215)], until: (210, 215)),
            HotPair(
                "an element while the other source emits nothing", [], [.next(215, 1), .completed(220)], [],
                until: (1000, 220)),
            HotPair(
                "one element each", [.next(215, 2), .completed(230)], [.next(220, 3), .completed(240)],
                [.next(220, 23), .completed(240)], until: (230, 240)),
            HotPair(
                "interleaved", [.next(150, 9), .next(210, 1), .next(220, 2), .completed(250)],
                [.next(215, 3), .next(225, 4), .next(230, 5), .completed(240)],
                [.next(215, 13), .next(220, 23), .next(225, 24), .next(230, 25), .completed(250)],
                until: (250, 240)),
            HotPair(
                "elements after the other has completed", [.next(210, 1), .completed(220)],
                [.next(215, 2), .next(225, 3), .next(230, 4), .completed(235)],
                [.next(215, 12), .next(225, 13), .next(230, 14), .completed(235)], until: (220, 235)),
            HotPair(
                "the first fails", [.next(210, 1), .error(220, Failure.expected)],
                [.next(215, 2), .next(225, 3)], [.next(215, 12), .error(220, Failure.expected)], until: (220, 220)),
            HotPair(
                "the second source fails before any element", [.next(230, 1)], [.error(220, Failure.expected)],
                [.error(220, Failure.expected)], until: (220, 220)),
            HotPair(
                "one fails after the other has completed", [.completed(210)], [.error(220, Failure.expected)],
                [.error(220, Failure.expected)], until: (210, 220)),
            HotPair(
                "both sources emit at one tick, in subscription order",
                [.next(210, 1), .next(220, 2)], [.next(210, 3), .next(220, 4)],
                [.next(210, 13), .next(220, 23), .next(220, 24)], until: (1000, 1000)),
        ])
    func pairs(_ table: HotPair<Int>) {
        table.check { Observable.combineLatest($0, $1) { $0 * 10 + $1 } }
        table.check { Observable.combineLatest($0, $1).map { $0 * 10 + $1 } }
        table.check { Observable.combineLatest([$0, $1]) { $0[0] * 10 + $0[1] } }
        table.check { Observable.combineLatest([$0, $1]).map { $0[0] * 10 + $0[1] } }
    }

    @Test("combineLatest combines two to eight streams, with and without a selector")
    func arities() {
        let (a, b, c) = (Observable.just(1), Observable.just("b"), Observable.just(3))
        let (d, e, f) = (Observable.just("d"), Observable.just(5), Observable.just("f"))
        let (g, h) = (Observable.just(7), Observable.just("h"))
        let O = Observable<String>.self
        #expect(trace(of: O.combineLatest(a, b) { "\($0)\($1)" }) == "1b |")
        #expect(trace(of: O.combineLatest(a, b, c) { "\($0)\($1)\($2)" }) == "1b3 |")
        #expect(trace(of: O.combineLatest(a, b, c, d) { "\($0)\($1)\($2)\($3)" }) == "1b3d |")
        #expect(trace(of: O.combineLatest(a, b, c, d, e) { "\($0)\($1)\($2)\($3)\($4)" }) == "1b3d5 |")
        #expect(trace(of: O.combineLatest(a, b, c, d, e, f) { "\($0)\($1)\($2)\($3)\($4)\($5)" }) == "1b3d5f |")
        #expect(
            trace(of: O.combineLatest(a, b, c, d, e, f, g) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)" }) == "1b3d5f7 |")
        #expect(
            trace(of: O.combineLatest(a, b, c, d, e, f, g, h) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" })
                == "1b3d5f7h |")
        #expect(trace(of: Observable.combineLatest(a, b).map { "\($0)\($1)" }) == "1b |")
        #expect(trace(of: Observable.combineLatest(a, b, c).map { "\($0)\($1)\($2)" }) == "1b3 |")
        #expect(trace(of: Observable.combineLatest(a, b, c, d).map { "\($0.2)\($0.3)" }) == "3d |")
        #expect(trace(of: Observable.combineLatest(a, b, c, d, e).map { "\($0.3)\($0.4)" }) == "d5 |")
        #expect(trace(of: Observable.combineLatest(a, b, c, d, e, f).map { "\($0.4)\($0.5)" }) == "5f |")
        #expect(trace(of: Observable.combineLatest(a, b, c, d, e, f, g).map { "\($0.5)\($0.6)" }) == "f7 |")
        #expect(trace(of: Observable.combineLatest(a, b, c, d, e, f, g, h).map { "\($0.6)\($0.7)" }) == "7h |")
    }

    @Test("combineLatest fails with the error of the selector and disposes both sources")
    func throwingSelector() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let received = Record()
        let subscription = Observable<Int>.combineLatest(first, second) { _, _ in throw Failure.expected }
            .subscribe { received.add($0) }
        first.onNext(1)
        #expect(received.text == "")
        second.onNext(1)
        #expect(received.text == "error(expected)")
        #expect(!first.hasObservers && !second.hasObservers)
        subscription.dispose()
    }

    @Test("combineLatest of an empty collection emits the result for an empty array")
    func empty() {
        #expect(trace(of: Observable<Int>.combineLatest([Observable<Int>]()) { $0.count }) == "0 |")
        #expect(trace(of: Observable<Int>.combineLatest([Observable<Int>]())) == "[] |")
    }

    @Test("combineLatest interleaves synchronous streams")
    func turns() {
        #expect(
            trace(of: Observable.combineLatest(Observable.of(1, 2), Observable.of(10, 20)) { $0 + $1 }) == "11 12 22 |")
    }

    @Test("combineLatest delivers a re-entrant element after the current one", arguments: [false, true])
    func reentrancy(otherIsComplete: Bool) {
        let (first, second) = (PublishSubject<Int>(), BehaviorSubject(value: 0))
        let received = Record()
        let subscription = Observable.combineLatest(first, second) { "\($0),\($1)" }
            .subscribe { event in
                received.add(event)
                if event.element == "1,0" {
                    first.onNext(2)
                    received.add("sent")
                }
            }
        if otherIsComplete { second.onCompleted() }
        first.onNext(1)
        first.onCompleted()
        #expect(received.text == "next(1,0) sent next(2,0)" + (otherIsComplete ? " completed" : ""))
        subscription.dispose()
    }

    @Test("combineLatest combines an element that a delivery causes after that delivery")
    func crossing() {
        let (first, second) = (PublishSubject<Int>(), BehaviorSubject(value: 0))
        let received = Record()
        let subscription = Observable.combineLatest(first, second) { "\($0),\($1)" }.subscribe(onNext: { pair in
            received.add(pair)
            if pair == "1,0" {
                second.onNext(5)
                received.add("sent")
            }
        })
        first.onNext(1)
        #expect(received.text == "1,0 sent 1,5")
        subscription.dispose()
    }

    @Test("combineLatest combines the elements of two threads one at a time without loss")
    func threads() async {
        let (first, second) = (BehaviorSubject(value: 0), BehaviorSubject(value: 0))
        let received = Record()
        let isBusy = Flag()
        let subscription = Observable.combineLatest(first, second).subscribe(onNext: { pair in
            #expect(isBusy.tryToEnter(), "two deliveries at once")
            received.add("\(pair.0) \(pair.1)")
            isBusy.leave()
        })
        await withTaskGroup { group in
            group.addTask { for number in 1...2000 { first.onNext(number) } }
            group.addTask { for number in 1...2000 { second.onNext(number) } }
        }
        #expect(received.words.count == 4001)
        #expect(received.words.last == "2000 2000")
        subscription.dispose()
    }
}

@Suite("zip", .takesTurns)
struct ZipTests {
    @Test(
        "zip pairs elements by index",
        arguments: [
            HotPair("neither source emits", [], [], [], until: (1000, 1000)),
            HotPair("one source emits nothing, one is empty", [], [.completed(225)], [], until: (1000, 225)),
            HotPair("both are empty", [.completed(215)], [.completed(225)], [.completed(225)], until: (215, 225)),
            HotPair(
                "one element each", [.next(215, 2), .completed(230)], [.next(220, 3), .completed(240)],
                [.next(220, 23), .completed(240)], until: (230, 240)),
            HotPair(
                "one source is ahead", [.next(150, 9), .next(210, 1), .next(215, 2), .next(220, 3), .completed(225)],
                [.next(230, 4), .next(235, 5), .completed(250)],
                [.next(230, 14), .next(235, 25), .completed(250)], until: (225, 250)),
            HotPair(
                "the sources alternate", [.next(210, 1), .next(230, 2), .next(250, 3)], [.next(220, 4), .next(240, 5)],
                [.next(220, 14), .next(240, 25)], until: (1000, 1000)),
            HotPair(
                "the first fails", [.next(210, 1), .error(220, Failure.expected)], [.next(215, 2), .next(225, 3)],
                [.next(215, 12), .error(220, Failure.expected)], until: (220, 220)),
            HotPair(
                "the second source fails while elements are waiting", [.next(210, 1)], [.error(220, Failure.expected)],
                [.error(220, Failure.expected)], until: (220, 220)),
        ])
    func pairs(_ table: HotPair<Int>) {
        table.check { Observable.zip($0, $1) { $0 * 10 + $1 } }
        table.check { Observable.zip($0, $1).map { $0 * 10 + $1 } }
        table.check { Observable.zip([$0, $1]) { $0[0] * 10 + $0[1] } }
        table.check { Observable.zip([$0, $1]).map { $0[0] * 10 + $0[1] } }
    }

    @Test(
        "zip of streams completes only when all streams have completed",
        arguments: [
            HotPair(
                "one source has completed", [.completed(210)], [.next(215, 1), .next(217, 2), .completed(220)],
                [.completed(220)], until: (210, 220)),
            HotPair(
                "the other source was ahead", [.next(230, 4), .next(235, 5), .next(240, 6), .next(250, 7)],
                [.next(210, 1), .next(215, 2), .completed(220)],
                [.next(230, 41), .next(235, 52)], until: (1000, 220)),
        ])
    func end(_ table: HotPair<Int>) {
        table.check { Observable.zip($0, $1) { $0 * 10 + $1 } }
        table.check { Observable.zip($0, $1).map { $0 * 10 + $1 } }
        table.check { first, second in Observable.zip(first, second, Observable.of(1, 2, 3)) { $0 * 10 + $1 + $2 - $2 }
        }
    }

    @Test(
        "zip of a collection completes at the first element without a counterpart",
        arguments: [
            HotPair(
                "one source has completed", [.completed(210)], [.next(215, 1), .completed(220)], [.completed(215)],
                until: (210, 215)),
            HotPair(
                "the other source was ahead", [.next(230, 4), .next(235, 5), .next(240, 6)],
                [.next(210, 1), .next(215, 2), .completed(220)],
                [.next(230, 41), .next(235, 52), .completed(240)], until: (240, 220)),
        ])
    func endOfCollection(_ table: HotPair<Int>) {
        table.check { Observable.zip([$0, $1]) { $0[0] * 10 + $0[1] } }
        table.check { Observable.zip([$0, $1]).map { $0[0] * 10 + $0[1] } }
    }

    @Test("zip drops elements without a counterpart")
    func unmatched() {
        let numbers = PublishSubject<Token>()
        let subscription = Observable.zip(numbers, Observable<Int>.empty()).subscribe()
        weak var second: Token?
        func send() {
            let token = Token(2)
            second = token
            numbers.onNext(token)
        }
        numbers.onNext(Token(1))
        send()
        #expect(second == nil)
        subscription.dispose()
    }

    @Test("zip combines two to eight streams, with and without a selector")
    func arities() {
        let (a, b, c) = (Observable.just(1), Observable.just("b"), Observable.just(3))
        let (d, e, f) = (Observable.just("d"), Observable.just(5), Observable.just("f"))
        let (g, h) = (Observable.just(7), Observable.just("h"))
        let O = Observable<String>.self
        #expect(trace(of: O.zip(a, b) { "\($0)\($1)" }) == "1b |")
        #expect(trace(of: O.zip(a, b, c) { "\($0)\($1)\($2)" }) == "1b3 |")
        #expect(trace(of: O.zip(a, b, c, d) { "\($0)\($1)\($2)\($3)" }) == "1b3d |")
        #expect(trace(of: O.zip(a, b, c, d, e) { "\($0)\($1)\($2)\($3)\($4)" }) == "1b3d5 |")
        #expect(trace(of: O.zip(a, b, c, d, e, f) { "\($0)\($1)\($2)\($3)\($4)\($5)" }) == "1b3d5f |")
        #expect(trace(of: O.zip(a, b, c, d, e, f, g) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)" }) == "1b3d5f7 |")
        #expect(
            trace(of: O.zip(a, b, c, d, e, f, g, h) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" }) == "1b3d5f7h |")
        #expect(trace(of: Observable.zip(a, b).map { "\($0)\($1)" }) == "1b |")
        #expect(trace(of: Observable.zip(a, b, c).map { "\($0)\($1)\($2)" }) == "1b3 |")
        #expect(trace(of: Observable.zip(a, b, c, d).map { "\($0.2)\($0.3)" }) == "3d |")
        #expect(trace(of: Observable.zip(a, b, c, d, e).map { "\($0.3)\($0.4)" }) == "d5 |")
        #expect(trace(of: Observable.zip(a, b, c, d, e, f).map { "\($0.4)\($0.5)" }) == "5f |")
        #expect(trace(of: Observable.zip(a, b, c, d, e, f, g).map { "\($0.5)\($0.6)" }) == "f7 |")
        #expect(trace(of: Observable.zip(a, b, c, d, e, f, g, h).map { "\($0.6)\($0.7)" }) == "7h |")
    }

    @Test("zip fails with the error of the selector and disposes both sources")
    func throwingSelector() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let received = Record()
        let subscription = Observable<Int>.zip(first, second) { _, _ in throw Failure.expected }
            .subscribe { received.add($0) }
        first.onNext(1)
        second.onNext(1)
        #expect(received.text == "error(expected)")
        #expect(!first.hasObservers && !second.hasObservers)
        subscription.dispose()
    }

    @Test("zip of an empty collection completes")
    func empty() {
        #expect(trace(of: Observable<Int>.zip([Observable<Int>]()) { $0.count }) == "|")
        #expect(trace(of: Observable<Int>.zip([Observable<Int>]())) == "|")
    }

    @Test("an element that is sent during the delivery of a pair waits for its counterpart")
    func reentrancy() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let received = Record()
        let subscription = Observable.zip(first, second) { "\($0),\($1)" }.subscribe { event in
            received.add(event)
            if event.element == "1,1" {
                second.onNext(2)
                first.onNext(2)
            }
        }
        first.onNext(1)
        second.onNext(1)
        #expect(received.text == "next(1,1) next(2,2)")
        subscription.dispose()
    }

    @Test("zip releases waiting elements on disposal")
    func release() {
        weak var waiting: Token?
        let (first, second) = (PublishSubject<Token>(), PublishSubject<Token>())
        let subscription = Observable.zip(first, second).subscribe()
        func send() {
            let token = Token(1)
            waiting = token
            first.onNext(token)
        }
        send()
        #expect(waiting != nil)
        subscription.dispose()
        #expect(waiting == nil)
    }
}

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
