import Streams
import StreamsTesting
import TestTurns
import Testing

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
