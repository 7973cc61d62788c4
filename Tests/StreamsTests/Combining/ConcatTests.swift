import Streams
import StreamsTesting
import Testing

@Suite("concat, startWith, merge", .timeLimit(.minutes(5)))
struct ConcatTests {
    @Test(
        "concat subscribes to the second when the first has completed",
        arguments: [
            HotPair(
                "one after the other", [.next(150, 1), .next(210, 2), .next(220, 3), .completed(225)],
                [.next(222, 9), .next(230, 4), .completed(250)],
                [.next(210, 2), .next(220, 3), .next(230, 4), .completed(250)],
                subscriptions: (Subscription(200, 225), Subscription(225, 250))),
            HotPair(
                "the first is empty", [.completed(210)], [.next(220, 2), .completed(230)],
                [.next(220, 2), .completed(230)], subscriptions: (Subscription(200, 210), Subscription(210, 230))),
            HotPair(
                "the first fails", [.error(210, Failure.expected)], [.next(220, 2)],
                [.error(210, Failure.expected)], subscriptions: (Subscription(200, 210), nil)),
            HotPair(
                "the second fails", [.completed(210)], [.error(220, Failure.expected)],
                [.error(220, Failure.expected)], subscriptions: (Subscription(200, 210), Subscription(210, 220))),
            HotPair("the first never ends", [], [.next(220, 2)], [], subscriptions: (Subscription(200, 1000), nil)),
            HotPair(
                "the second never ends", [.completed(210)], [.next(220, 2)], [.next(220, 2)],
                subscriptions: (Subscription(200, 210), Subscription(210, 1000))),
        ])
    func pairs(_ table: HotPair<Int>) {
        table.check { $0.concat($1) }
        table.check { Observable.concat($0, $1) }
        table.check { Observable.concat([$0, $1]) }
        table.check { Observable.concat(Made([$0, $1].makeIterator)) }
        table.check { Observable.of($0, $1).concat() }
    }

    @Test("the sequence is asked for its next stream when that is due")
    func laziness() {
        let asked = Record()
        let endless = Made {
            var number = 0
            return AnyIterator {
                number += 1
                asked.add(number)
                return Observable.just(number)
            }
        }
        #expect(said(by: Observable.concat(endless).take(3)) == "1 2 3 |")
        #expect(asked.text == "1 2 3")
    }

    @Test("the source is let go before the next is subscribed")
    func handOver() {
        let log = Record()
        let first = Observable.just(1).do(onSubscribe: { log.add("+1") }, onDispose: { log.add("-1") })
        let second = Observable.just(2).do(onSubscribe: { log.add("+2") }, onDispose: { log.add("-2") })
        first.concat(second).subscribe().dispose()
        #expect(log.text == "+1 -1 +2 -2")
    }

    @Test("of no streams they are complete")
    func nothing() {
        #expect(said(by: Observable<Int>.concat([Observable<Int>]())) == "|")
        #expect(said(by: Observable<Int>.merge([Observable<Int>]())) == "|")
        #expect(said(by: Observable<Int>.empty().startWith()) == "|")
        #expect(said(by: Observable<Observable<Int>>.empty().merge()) == "|")
    }

    @Test("startWith sends its elements on subscription, in order")
    func startWith() {
        #expect(said(by: Observable.of(3, 4).startWith(1, 2)) == "1 2 3 4 |")
        #expect(said(by: Observable.of(3).startWith(2).startWith(1)) == "1 2 3 |")
        #expect(said(by: Observable<Int>.error(Failure.expected).startWith(1)) == "1 !expected")
        #expect(said(by: Observable<Int>.empty().startWith(1)) == "1 |")
        #expect(said(by: Observable.of(4).startWith(1, 2, 3).take(2)) == "1 2 |")
    }

    @Test(
        "merge sends what comes, is complete when all are and fails when one does",
        arguments: [
            HotPair(
                "interleaved", [.next(210, 1), .next(230, 3), .completed(250)], [.next(220, 2), .completed(225)],
                [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)], until: (250, 225)),
            HotPair(
                "one fails", [.next(210, 1), .error(230, Failure.expected)], [.next(220, 2), .next(240, 4)],
                [.next(210, 1), .next(220, 2), .error(230, Failure.expected)], until: (230, 230)),
            HotPair("one never ends", [.completed(210)], [.next(220, 2)], [.next(220, 2)], until: (210, 1000)),
            HotPair("both are empty", [.completed(210)], [.completed(220)], [.completed(220)], until: (210, 220)),
        ])
    func merge(_ table: HotPair<Int>) {
        table.check { Observable.merge($0, $1) }
        table.check { Observable.merge([$0, $1]) }
        table.check { Observable.merge(ContiguousArray([$0, $1])) }
        table.check { Observable.merge(Observable.merge($0), .empty(), Observable.merge(.empty(), $1)) }
        table.check { Observable.of($0, $1).merge() }
        table.check { Observable.of($0, $1).merge(maxConcurrent: 2) }
    }

    @Test("merge(maxConcurrent:) lets the others wait, in order")
    func maxConcurrent() {
        let scheduler = TestScheduler(initialClock: 0)
        let sources = (0..<4).map { number in
            scheduler.createColdObservable([.next(10, number), .completed(50 + number * 10)])
        }
        let result = scheduler.start {
            Observable.from(sources.map { $0.asObservable() }).merge(maxConcurrent: 2)
        }
        #expect(result.events == [.next(210, 0), .next(210, 1), .next(260, 2), .next(270, 3), .completed(340)])
        #expect(
            sources.map(\.subscriptions) == [
                [Subscription(200, 250)], [Subscription(200, 260)], [Subscription(250, 320)], [Subscription(260, 340)],
            ])
    }
}

@Suite("Nestings 20,000 deep need no stack", .timeLimit(.minutes(5)))
struct DeepNestingTests {
    static let depth = 20_000

    struct Nesting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let nest: @Sendable (Observable<Int>, Int) -> Observable<Int>
    }

    static let nestings = [
        Nesting(testDescription: "concat to the left") { nested, number in nested.concat(Observable.just(number)) },
        Nesting(testDescription: "concat to the right") { nested, number in Observable.just(number).concat(nested) },
        Nesting(testDescription: "concat of scheduled streams") { nested, number in
            Observable.concat(nested, Observable.of(number))
        },
        Nesting(testDescription: "startWith") { nested, number in nested.startWith(number) },
        Nesting(testDescription: "merge") { nested, number in Observable.merge(nested, .of(number)) },
        Nesting(testDescription: "merge to the right") { nested, number in Observable.merge(.of(number), nested) },
    ]

    @Test("on subscription, completion and release", arguments: nestings)
    func deep(_ nesting: Nesting) {
        let stream = (0..<Self.depth).reduce(Observable<Int>.empty(), nesting.nest)
        let count = Record()
        let sum = stream.reduce(0) { sum, _ in sum + 1 }
        sum.subscribe { count.add($0) }.dispose()
        #expect(count.text == "next(20000) completed")
    }

    @Test("when disposed half-way", arguments: nestings)
    func disposal(_ nesting: Nesting) {
        let stream = (0..<Self.depth).reduce(Observable<Int>.never(), nesting.nest)
        stream.subscribe().dispose()
    }

    @Test("when each level is made on demand by the one above", arguments: [true, false])
    func lazyNesting(isScheduled: Bool) {
        @Sendable func numbers(from start: Int) -> Observable<Int> {
            Observable.concat(
                Made {
                    [0, 1].lazy.map { index in
                        if index == 1 { return numbers(from: start + 1) }
                        return isScheduled ? Observable.of(start) : Observable.just(start)
                    }.makeIterator()
                })
        }
        let sum = numbers(from: 1).take(Self.depth).reduce(0, accumulator: +)
        #expect(said(by: sum) == "200010000 |")
    }

    @Test("when the source completes later")
    func laterCompletion() {
        let subject = PublishSubject<Int>()
        let stream = (0..<Self.depth).reduce(subject.asObservable()) { nested, _ in nested.concat(subject) }
        let heard = Record()
        let subscription = stream.subscribe { heard.add($0) }
        subject.onNext(1)
        subject.onCompleted()
        #expect(heard.text == "next(1) completed")
        subscription.dispose()
    }
}
