import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("concat, startWith, merge", .limitedConcurrency)
struct ConcatTests {
    @Test(
        "concat subscribes to the second stream when the first has completed",
        arguments: [
            HotPair(
                "one after the other", "1@150 2@210 3@220 |@225", "9@222 4@230 |@250", "2@210 3@220 4@230 |@250",
                subscribed: (200...225, 225...250)),
            HotPair("the first is empty", "|@210", "2@220 |@230", "2@220 |@230", subscribed: (200...210, 210...230)),
            HotPair("the first fails", "!expected@210", "2@220", "!expected@210", subscribed: (200...210, nil)),
            HotPair("the second fails", "|@210", "!expected@220", "!expected@220", subscribed: (200...210, 210...220)),
            HotPair("the first source never terminates", "", "2@220", "", subscribed: (200...1000, nil)),
            HotPair(
                "the second source never terminates", "|@210", "2@220", "2@220", subscribed: (200...210, 210...1000)),
        ])
    func pairs(_ table: HotPair) {
        table.check { $0.concat($1) }
        table.check { Observable.concat($0, $1) }
        table.check { Observable.concat([$0, $1]) }
        table.check { Observable.concat(Made([$0, $1].makeIterator)) }
        table.check { Observable.of($0, $1).concat() }
    }

    @Test("concat requests the next stream only when the previous one has completed")
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
        expect(Observable.concat(endless).take(3), "1 2 3 |")
        #expect(asked.text == "1 2 3")
    }

    @Test("concat disposes a source before it subscribes to the next one")
    func handOver() {
        let log = Record()
        let first = Observable.just(1).do(onSubscribe: { log.add("+1") }, onDispose: { log.add("-1") })
        let second = Observable.just(2).do(onSubscribe: { log.add("+2") }, onDispose: { log.add("-2") })
        first.concat(second).subscribe().dispose()
        #expect(log.text == "+1 -1 +2 -2")
    }

    @Test("concat and merge of no streams complete")
    func nothing() {
        expect(Observable<Int>.concat([Observable<Int>]()), "|")
        expect(Observable<Int>.merge([Observable<Int>]()), "|")
        expect(Observable<Int>.empty().startWith(), "|")
        expect(Observable<Observable<Int>>.empty().merge(), "|")
    }

    @Test("startWith emits its elements on subscription, in order")
    func startWith() {
        expect(Observable.of(3, 4).startWith(1, 2), "1 2 3 4 |")
        expect(Observable.of(3).startWith(2).startWith(1), "1 2 3 |")
        expect(Observable<Int>.error(Failure.expected).startWith(1), "1 !expected")
        expect(Observable<Int>.empty().startWith(1), "1 |")
        expect(Observable.of(4).startWith(1, 2, 3).take(2), "1 2 |")
    }

    @Test(
        "merge emits elements as they arrive, completes with the last stream and fails with the first error",
        arguments: [
            HotPair("interleaved", "1@210 3@230 |@250", "2@220 |@225", "1@210 2@220 3@230 |@250", until: (250, 225)),
            HotPair("one fails", "1@210 !expected@230", "2@220 4@240", "1@210 2@220 !expected@230", until: (230, 230)),
            HotPair("one source never terminates", "|@210", "2@220", "2@220", until: (210, 1000)),
            HotPair("both are empty", "|@210", "|@220", "|@220", until: (210, 220)),
        ])
    func merge(_ table: HotPair) {
        table.check { Observable.merge($0, $1) }
        table.check { Observable.merge([$0, $1]) }
        table.check { Observable.merge(ContiguousArray([$0, $1])) }
        table.check { Observable.merge(Observable.merge($0), .empty(), Observable.merge(.empty(), $1)) }
        table.check { Observable.of($0, $1).merge() }
        table.check { Observable.of($0, $1).merge(maxConcurrent: 2) }
    }

    @Test("merge(maxConcurrent:) enqueues the other streams in order")
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

@Suite("Streams nested 10,000 levels deep", .limitedConcurrency)
struct DeepNestingTests {
    static let depth = 10_000

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

    @Test("nested streams need no stack on subscription, completion and release", arguments: nestings)
    func deep(_ nesting: Nesting) {
        let stream = (0..<Self.depth).reduce(Observable<Int>.empty(), nesting.nest)
        let count = Record()
        let sum = stream.reduce(0) { sum, _ in sum + 1 }
        sum.subscribe { count.add($0) }.dispose()
        #expect(count.text == "next(10000) completed")
    }

    @Test("nested streams need no stack when they are disposed early", arguments: nestings)
    func disposal(_ nesting: Nesting) {
        let stream = (0..<Self.depth).reduce(Observable<Int>.never(), nesting.nest)
        stream.subscribe().dispose()
    }

    @Test("nested streams need no stack when each level is created on demand", arguments: [true, false])
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
        expect(sum, "50005000 |")
    }

    @Test("a concat that deferred creates as the last part of a concat needs no stack", arguments: [true, false])
    func deferredTails(isScheduled: Bool) {
        @Sendable func numbers(from start: Int) -> Observable<Int> {
            let number = isScheduled ? Observable.of(start) : Observable.just(start)
            return start == 100_000 ? number : number.concat(Observable.deferred { numbers(from: start + 1) })
        }
        expect(numbers(from: 1).reduce(0, accumulator: +), "5000050000 |")
        expect(numbers(from: 1).take(70_000).reduce(0, accumulator: +), "2450035000 |")
        expect(
            numbers(from: 1).map { if $0 == 60_000 { throw Failure.expected } else { $0 } }.reduce(0, accumulator: +),
            "!expected")
    }

    @Test("nested streams need no stack when the source completes later")
    func laterCompletion() {
        let subject = PublishSubject<Int>()
        let stream = (0..<Self.depth).reduce(subject.asObservable()) { nested, _ in nested.concat(subject) }
        let received = Record()
        let subscription = stream.subscribe { received.add($0) }
        subject.onNext(1)
        subject.onCompleted()
        #expect(received.text == "next(1) completed")
        subscription.dispose()
    }
}

@Suite("Memory of concatenations", .limitedConcurrency)
struct ConcatMemoryTests {
    /// Requests that wait for their response.
    private final class Requests: Sendable {
        private let waiting = Mutex<[AnyObserver<Int>]>([])

        /// A stream that emits `number` on request.
        func answer(_ number: Int, keeping token: Token? = nil) -> Observable<Int> {
            Observable.create { [self] observer in
                waiting.withLock { $0.append(observer) }
                return Disposables.create { withExtendedLifetime(token) {} }
            }.map { $0 + number }
        }

        /// Responds to the oldest request.
        ///
        /// - Returns: Whether there was one.
        func answerFirst() -> Bool {
            guard let observer = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
            observer.onNext(0)
            observer.onCompleted()
            return true
        }
    }

    /// Counts live tokens.
    private final class Census: Sendable {
        private final class Member: Sendable {
            let census: Census
            init(_ census: Census) { self.census = census }
            deinit { census.alive.withLock { $0 -= 1 } }
        }

        private let alive = Mutex(0)
        var count: Int { alive.withLock { $0 } }

        func makeMember() -> any AnyObject & Sendable {
            alive.withLock { $0 += 1 }
            return Member(self)
        }
    }

    @Test("an asynchronous stream of 10,000 pages needs no more memory and stack than one of a single page")
    func pages() {
        let requests = Requests()
        let census = Census()
        @Sendable func pages(from number: Int) -> Observable<Int> {
            let member = census.makeMember()
            return requests.answer(number).concat(
                Observable.deferred {
                    withExtendedLifetime(member) {}
                    return number == 10_000 ? .empty() : pages(from: number + 1)
                })
        }
        let received = Record()
        let subscription = pages(from: 1).filter { $0.isMultiple(of: 5000) }.subscribe { received.add($0) }
        var most = 0
        while requests.answerFirst() { most = max(most, census.count) }
        #expect(received.text == "next(5000) next(10000) completed")
        #expect(most <= 3)
        subscription.dispose()
    }

    @Test("a stream of pages can be stopped, and fail, at any page", arguments: [1, 2, 7])
    func pagesEnd(last: Int) {
        let requests = Requests()
        @Sendable func pages(from number: Int, failing: Bool) -> Observable<Int> {
            requests.answer(number).concat(
                Observable.deferred {
                    if failing, number == last { throw Failure.expected }
                    return pages(from: number + 1, failing: failing)
                })
        }
        let numbers = (1...last).map { "next(\($0))" }.joined(separator: " ")
        let failing = Record()
        let first = pages(from: 1, failing: true).subscribe { failing.add($0) }
        while requests.answerFirst() {}
        #expect(failing.text == numbers + " error(expected)")
        let taken = Record()
        let second = pages(from: 1, failing: false).take(last).subscribe { taken.add($0) }
        while requests.answerFirst() {}
        #expect(taken.text == numbers + " completed")
        let stopped = Record()
        let third = pages(from: 1, failing: false).subscribe { stopped.add($0) }
        for _ in 0..<last { _ = requests.answerFirst() }
        third.dispose()
        while requests.answerFirst() {}
        #expect(stopped.text == numbers)
        first.dispose()
        second.dispose()
    }

    @Test("operators between the pages receive the events of each page")
    func operatorsBetweenPages() {
        let requests = Requests()
        @Sendable func pages(from number: Int) -> Observable<Int> {
            requests.answer(number).concat(
                Observable.deferred {
                    number == 4 ? .empty() : pages(from: number + 1).take(number < 2 ? 2 : 9).map { $0 * 10 }
                })
        }
        let received = Record()
        let subscription = pages(from: 1).subscribe { received.add($0) }
        while requests.answerFirst() {}
        #expect(received.text == "next(1) next(20) next(300) completed")
        let failed = Record()
        @Sendable func failing(from number: Int) -> Observable<Int> {
            requests.answer(number).concat(
                Observable.deferred {
                    failing(from: number + 1).map { if $0 < 3 { $0 } else { throw Failure.expected } }
                })
        }
        let second = failing(from: 1).subscribe { failed.add($0) }
        while requests.answerFirst() {}
        #expect(failed.text == "next(1) next(2) error(expected)")
        subscription.dispose()
        second.dispose()
    }

    @Test("concat releases each stream that has completed")
    func finishedParts() {
        let requests = Requests()
        weak var first: Token?
        weak var second: Token?
        func subscribe() -> any Disposable {
            let (one, two) = (Token(1), Token(2))
            (first, second) = (one, two)
            return Observable.concat(
                requests.answer(1, keeping: one), requests.answer(2, keeping: two), requests.answer(3),
                requests.answer(4)
            ).subscribe()
        }
        let subscription = subscribe()
        #expect(first != nil && second != nil)
        _ = requests.answerFirst()
        #expect(first == nil && second != nil)
        _ = requests.answerFirst()
        #expect(second == nil)
        subscription.dispose()
    }

    @Test(
        "concat releases an operator on another concat on termination and disposal",
        arguments: [.completed, .error(Failure.expected), nil] as [Event<Int>?])
    func operatorOnNestedConcat(_ end: Event<Int>?) {
        weak var captured: Token?
        let source = PublishSubject<Int>()
        func subscribe() -> any Disposable {
            let token = Token(1)
            captured = token
            return source.take(1).concat(source.concat(source).map { $0 + token.number })
                .subscribe(onError: { _ in })
        }
        let subscription = subscribe()
        source.onNext(1)
        #expect(captured != nil)
        if let end { source.on(end) } else { subscription.dispose() }
        #expect(captured == nil)
        #expect(!source.hasObservers)
    }

    @Test("andThen releases a completable that has completed", arguments: ["andThen", "concat"])
    func finishedCompletables(_ form: String) {
        let requests = Requests()
        weak var first: Token?
        func subscribe() -> any Disposable {
            let token = Token(1)
            first = token
            let one = requests.answer(1, keeping: token).ignoreElements().asCompletable()
            if form == "concat" { return one.concat(.never()).subscribe() }
            return one.andThen(Observable<Int>.never()).subscribe()
        }
        let subscription = subscribe()
        #expect(first != nil)
        _ = requests.answerFirst()
        #expect(first == nil)
        subscription.dispose()
    }

    @Test("an endless recursion through andThen needs constant stack")
    func rounds() {
        let requests = Requests()
        @Sendable func rounds(from number: Int) -> Completable {
            requests.answer(number).ignoreElements().asCompletable()
                .andThen(.deferred { number == 10_000 ? .empty() : rounds(from: number + 1) })
        }
        let received = Record()
        let subscription = rounds(from: 1).subscribe(onCompleted: { received.add("completed") })
        while requests.answerFirst() {}
        #expect(received.text == "completed")
        subscription.dispose()
    }
}
