import Streams
import StreamsTesting
import TestTurns
import Testing

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
