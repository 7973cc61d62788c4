import Streams
import StreamsTesting
import Testing
import TestConcurrency

@Suite("combineLatest", .limitedConcurrency)
struct CombineLatestTests {
    @Test(
        "combineLatest emits whenever a source emits and all sources have emitted",
        arguments: [
            HotPair("neither source emits", "", "", "", until: (1000, 1000)),
            HotPair("one source emits nothing, one is empty", "", "|@225", "", until: (1000, 225)),
            HotPair("both are empty", "|@215", "|@225", "|@225", until: (215, 225)),
            HotPair(
                "an element after the other source completed without any", "|@210", "1@215 |@220", "|@215",
                until: (210, 215)),
            HotPair("an element while the other source emits nothing", "", "1@215 |@220", "", until: (1000, 220)),
            HotPair("one element each", "2@215 |@230", "3@220 |@240", "23@220 |@240", until: (230, 240)),
            HotPair(
                "interleaved", "9@150 1@210 2@220 |@250", "3@215 4@225 5@230 |@240",
                "13@215 23@220 24@225 25@230 |@250", until: (250, 240)),
            HotPair(
                "elements after the other has completed", "1@210 |@220", "2@215 3@225 4@230 |@235",
                "12@215 13@225 14@230 |@235", until: (220, 235)),
            HotPair("the first fails", "1@210 !expected@220", "2@215 3@225", "12@215 !expected@220", until: (220, 220)),
            HotPair(
                "the second source fails before any element", "1@230", "!expected@220", "!expected@220",
                until: (220, 220)),
            HotPair(
                "one fails after the other has completed", "|@210", "!expected@220", "!expected@220", until: (210, 220)),
            HotPair(
                "both sources emit at one tick, in subscription order", "1@210 2@220", "3@210 4@220",
                "13@210 23@220 24@220", until: (1000, 1000)),
        ])
    func pairs(_ table: HotPair) {
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
        expect(O.combineLatest(a, b) { "\($0)\($1)" }, "1b |")
        expect(O.combineLatest(a, b, c) { "\($0)\($1)\($2)" }, "1b3 |")
        expect(O.combineLatest(a, b, c, d) { "\($0)\($1)\($2)\($3)" }, "1b3d |")
        expect(O.combineLatest(a, b, c, d, e) { "\($0)\($1)\($2)\($3)\($4)" }, "1b3d5 |")
        expect(O.combineLatest(a, b, c, d, e, f) { "\($0)\($1)\($2)\($3)\($4)\($5)" }, "1b3d5f |")
        expect(O.combineLatest(a, b, c, d, e, f, g) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)" }, "1b3d5f7 |")
        expect(O.combineLatest(a, b, c, d, e, f, g, h) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" }, "1b3d5f7h |")
        expect(Observable.combineLatest(a, b).map { "\($0)\($1)" }, "1b |")
        expect(Observable.combineLatest(a, b, c).map { "\($0)\($1)\($2)" }, "1b3 |")
        expect(Observable.combineLatest(a, b, c, d).map { "\($0.2)\($0.3)" }, "3d |")
        expect(Observable.combineLatest(a, b, c, d, e).map { "\($0.3)\($0.4)" }, "d5 |")
        expect(Observable.combineLatest(a, b, c, d, e, f).map { "\($0.4)\($0.5)" }, "5f |")
        expect(Observable.combineLatest(a, b, c, d, e, f, g).map { "\($0.5)\($0.6)" }, "f7 |")
        expect(Observable.combineLatest(a, b, c, d, e, f, g, h).map { "\($0.6)\($0.7)" }, "7h |")
    }

    @Test("combineLatest of an empty collection emits the result for an empty array")
    func empty() {
        expect(Observable<Int>.combineLatest([Observable<Int>]()) { $0.count }, "0 |")
        expect(Observable<Int>.combineLatest([Observable<Int>]()), "[] |")
    }

    @Test("combineLatest interleaves synchronous streams")
    func turns() {
        expect(Observable.combineLatest(Observable.of(1, 2), Observable.of(10, 20)) { $0 + $1 }, "11 12 22 |")
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

@Suite("zip", .limitedConcurrency)
struct ZipTests {
    @Test(
        "zip pairs elements by index",
        arguments: [
            HotPair("neither source emits", "", "", "", until: (1000, 1000)),
            HotPair("one source emits nothing, one is empty", "", "|@225", "", until: (1000, 225)),
            HotPair("both are empty", "|@215", "|@225", "|@225", until: (215, 225)),
            HotPair("one element each", "2@215 |@230", "3@220 |@240", "23@220 |@240", until: (230, 240)),
            HotPair(
                "one source is ahead", "9@150 1@210 2@215 3@220 |@225", "4@230 5@235 |@250", "14@230 25@235 |@250",
                until: (225, 250)),
            HotPair("the sources alternate", "1@210 2@230 3@250", "4@220 5@240", "14@220 25@240", until: (1000, 1000)),
            HotPair("the first fails", "1@210 !expected@220", "2@215 3@225", "12@215 !expected@220", until: (220, 220)),
            HotPair(
                "the second source fails while elements are waiting", "1@210", "!expected@220", "!expected@220",
                until: (220, 220)),
        ])
    func pairs(_ table: HotPair) {
        table.check { Observable.zip($0, $1) { $0 * 10 + $1 } }
        table.check { Observable.zip($0, $1).map { $0 * 10 + $1 } }
        table.check { Observable.zip([$0, $1]) { $0[0] * 10 + $0[1] } }
        table.check { Observable.zip([$0, $1]).map { $0[0] * 10 + $0[1] } }
    }

    @Test(
        "zip of streams completes only when all streams have completed",
        arguments: [
            HotPair("one source has completed", "|@210", "1@215 2@217 |@220", "|@220", until: (210, 220)),
            HotPair(
                "the other source was ahead", "4@230 5@235 6@240 7@250", "1@210 2@215 |@220", "41@230 52@235",
                until: (1000, 220)),
        ])
    func end(_ table: HotPair) {
        table.check { Observable.zip($0, $1) { $0 * 10 + $1 } }
        table.check { Observable.zip($0, $1).map { $0 * 10 + $1 } }
        table.check { first, second in Observable.zip(first, second, Observable.of(1, 2, 3)) { $0 * 10 + $1 + $2 - $2 }
        }
    }

    @Test(
        "zip of a collection completes at the first element without a counterpart",
        arguments: [
            HotPair("one source has completed", "|@210", "1@215 |@220", "|@215", until: (210, 215)),
            HotPair(
                "the other source was ahead", "4@230 5@235 6@240", "1@210 2@215 |@220", "41@230 52@235 |@240",
                until: (240, 220)),
        ])
    func endOfCollection(_ table: HotPair) {
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
        expect(O.zip(a, b) { "\($0)\($1)" }, "1b |")
        expect(O.zip(a, b, c) { "\($0)\($1)\($2)" }, "1b3 |")
        expect(O.zip(a, b, c, d) { "\($0)\($1)\($2)\($3)" }, "1b3d |")
        expect(O.zip(a, b, c, d, e) { "\($0)\($1)\($2)\($3)\($4)" }, "1b3d5 |")
        expect(O.zip(a, b, c, d, e, f) { "\($0)\($1)\($2)\($3)\($4)\($5)" }, "1b3d5f |")
        expect(O.zip(a, b, c, d, e, f, g) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)" }, "1b3d5f7 |")
        expect(O.zip(a, b, c, d, e, f, g, h) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" }, "1b3d5f7h |")
        expect(Observable.zip(a, b).map { "\($0)\($1)" }, "1b |")
        expect(Observable.zip(a, b, c).map { "\($0)\($1)\($2)" }, "1b3 |")
        expect(Observable.zip(a, b, c, d).map { "\($0.2)\($0.3)" }, "3d |")
        expect(Observable.zip(a, b, c, d, e).map { "\($0.3)\($0.4)" }, "d5 |")
        expect(Observable.zip(a, b, c, d, e, f).map { "\($0.4)\($0.5)" }, "5f |")
        expect(Observable.zip(a, b, c, d, e, f, g).map { "\($0.5)\($0.6)" }, "f7 |")
        expect(Observable.zip(a, b, c, d, e, f, g, h).map { "\($0.6)\($0.7)" }, "7h |")
    }

    @Test("zip of an empty collection completes")
    func empty() {
        expect(Observable<Int>.zip([Observable<Int>]()) { $0.count }, "|")
        expect(Observable<Int>.zip([Observable<Int>]()), "|")
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

@Suite("withLatestFrom, amb, ifEmpty, withUnretained", .limitedConcurrency)
struct WithLatestFromTests {
    @Test(
        "withLatestFrom emits for each element once the second stream has emitted",
        arguments: [
            HotPair("both", "1@210 2@220 3@230 |@250", "4@215 5@225 |@228", "24@220 35@230 |@250", until: (250, 228)),
            HotPair("the second source has not emitted", "1@210 |@220", "4@230", "|@220", until: (220, 220)),
            HotPair("the second is empty", "1@210 |@220", "|@205", "|@220", until: (220, 205)),
            HotPair("the first fails", "!expected@220", "4@210", "!expected@220", until: (220, 220)),
            HotPair("the second fails", "1@230", "4@210 !expected@220", "!expected@220", until: (220, 220)),
            HotPair(
                "both sources emit at one tick, in order of arrival", "1@210 2@220", "4@210 5@220", "24@220",
                until: (1000, 1000)),
        ])
    func withLatestFrom(_ table: HotPair) {
        table.check { $0.withLatestFrom($1) { $0 * 10 + $1 } }
    }

    @Test("withLatestFrom without a selector emits the element of the second stream")
    func latestAlone() {
        expect(Observable.of(1, 2).withLatestFrom(Observable.just("a")), "a a |")
        expect(Observable.just(1).withLatestFrom(Observable<Int>.error(Failure.expected)), "!expected")
        expect(
            Observable.just(1).withLatestFrom(Observable.just(2)) { _, _ -> Int in throw Failure.expected }, "!expected"
        )
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
            HotPair("the first", "1@210 2@230 |@250", "3@220 |@240", "1@210 2@230 |@250", until: (250, 210)),
            HotPair("the second", "1@220", "3@210 |@240", "3@210 |@240", until: (210, 240)),
            HotPair("the first completes", "|@210", "3@220", "|@210", until: (210, 210)),
            HotPair("the second fails", "3@220", "!expected@210", "!expected@210", until: (210, 210)),
            HotPair("the loser fails later", "1@210 |@230", "!expected@220", "1@210 |@230", until: (230, 210)),
            HotPair("neither source emits", "", "", "", until: (1000, 1000)),
        ])
    func amb(_ table: HotPair) {
        table.check { $0.amb($1) }
        table.check { Observable.amb([$0, $1]) }
        table.check { Observable.amb([.never(), $0, $1]) }
    }

    @Test("amb of synchronous streams emits the first one")
    func synchronousAmb() {
        expect(Observable.amb([.just(1), .just(2)]), "1 |")
        expect(Observable.amb([Observable<Int>]()), "")
        expect(Observable<Int>.empty().amb(Observable.just(2)), "|")
    }

    @Test("ifEmpty replaces an empty stream")
    func ifEmpty() {
        expect(Observable<Int>.empty().ifEmpty(default: 7), "7 |")
        expect(Observable.of(1, 2).ifEmpty(default: 7), "1 2 |")
        expect(Observable<Int>.error(Failure.expected).ifEmpty(default: 7), "!expected")
        expect(Observable<Int>.empty().ifEmpty(switchTo: .of(7, 8)), "7 8 |")
        expect(Observable.of(1, 2).ifEmpty(switchTo: .of(7, 8)), "1 2 |")
        expect(Observable<Int>.error(Failure.expected).ifEmpty(switchTo: .of(7, 8)), "!expected")
        expect(Observable<Int>.empty().ifEmpty(switchTo: .error(Failure.other)), "!other")
    }

    @Test(
        "ifEmpty(switchTo:) subscribes to the other stream at the tick of completion",
        arguments: [
            HotPair("empty", "|@210", "1@205 2@220 |@230", "2@220 |@230", subscribed: (200...210, 210...230)),
            HotPair("not empty", "1@205 |@210", "2@220", "1@205 |@210", subscribed: (200...210, nil)),
            HotPair("no events", "", "", "", subscribed: (200...1000, nil)),
        ])
    func switching(_ table: HotPair) { table.check { $0.ifEmpty(switchTo: $1) } }

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
