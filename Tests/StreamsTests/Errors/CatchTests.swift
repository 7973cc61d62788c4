import Dispatch
import Streams
import StreamsTesting
import TestConcurrency
import Testing

@Suite("catch, catchAndReturn, retry", .limitedConcurrency)
struct CatchTests {
    @Test(
        "catch subscribes to the replacement at the tick of the error",
        arguments: [
            HotPair(
                "an error", "1@210 !expected@230 2@240", "3@225 4@240 |@250", "1@210 4@240 |@250",
                subscribed: (200...230, 230...250)),
            HotPair("no error", "1@210 |@230", "4@240", "1@210 |@230", subscribed: (200...230, nil)),
            HotPair("both fail", "!expected@230", "!other@240", "!other@240", subscribed: (200...230, 230...240)),
            HotPair(
                "disposed while the replacement is active", "!expected@230", "4@240", "4@240",
                subscribed: (200...230, 230...1000)),
        ])
    func catching(_ table: HotPair) {
        table.check { first, second in first.catch { _ in second } }
        table.check { Observable.catch(sequence: [$0, $1]) }
    }

    @Test("catch fails with the error that the handler throws")
    func throwingHandler() {
        let stream = Observable<Int>.error(Failure.expected).catch { _ in throw Failure.other }
        expect(stream, "!other")
    }

    @Test("catchAndReturn replaces an error by its element")
    func catchAndReturn() {
        expect(Observable.of(1, 2).concat(Observable.error(Failure.expected)).catchAndReturn(7), "1 2 7 |")
        expect(Observable.of(1, 2).catchAndReturn(7), "1 2 |")
    }

    @Test("catch(sequence:) fails with the last error, or completes without a stream")
    func sequence() {
        expect(Observable<Int>.catch(sequence: [.error(Failure.expected), .error(Failure.other)]), "!other")
        expect(Observable<Int>.catch(sequence: [.error(Failure.expected), .just(1), .just(2)]), "1 |")
        expect(Observable<Int>.catch(sequence: [Observable<Int>]()), "|")
    }

    @Test("retry subscribes again at the tick of the error")
    func retryTicks() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([
            .next(5, 1), .next(10, 2), .error(20, Failure.expected),
        ])
        let result = scheduler.start { source.retry(3) }
        #expect(words(result.events) == "1@205 2@210 1@225 2@230 1@245 2@250 !expected@260")
        #expect(source.subscriptions == [Subscription(200, 220), Subscription(220, 240), Subscription(240, 260)])
    }

    @Test("retry without a count repeats until it is disposed")
    func retryForEver() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([.next(100, 1), .error(150, Failure.expected)])
        let result = scheduler.start(disposed: 600) { source.retry() }
        #expect(result.events == [.next(300, 1), .next(450, 1)])
        #expect(source.subscriptions.map(\.subscribe) == [200, 350, 500])
        #expect(source.subscriptions.map(\.unsubscribe) == [350, 500, 600])
    }

    @Test("100,000 synchronous attempts of retry need no stack")
    func synchronousRetry() {
        let attempts = Box()
        let stream = Observable<Int>.deferred {
            attempts.value += 1
            return attempts.value < 20_000 ? .error(Failure.expected) : .just(attempts.value)
        }
        expect(stream.retry(), "20000 |")
        attempts.value = 0
        expect(stream.retry(when: { (errors: Observable<any Error>) in errors.map { _ in 0 } }), "20000 |")
    }

    @Test("retry can be disposed during an attempt")
    func disposedWithin() {
        expect(Observable.just(1).concat(Observable.error(Failure.expected)).retry().take(3), "1 1 1 |")
    }

    private final class Box: @unchecked Sendable {
        // Accessed by one thread only.
        var value = 0
    }
}

@Suite("retry(when:)", .limitedConcurrency)
struct RetryWhenTests {
    static let source: [Recorded<Event<Int>>] = [.next(5, 1), .error(10, Failure.expected)]

    @Test("each element of the trigger of retry(when:) starts an attempt")
    func attempts() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable(Self.source)
        let result = scheduler.start(disposed: 250) {
            source.retry(when: { (errors: Observable<any Error>) in errors.map { _ in 0 } })
        }
        #expect(words(result.events) == "1@205 1@215 1@225 1@235 1@245")
        #expect(source.subscriptions.last == Subscription(240, 250))
    }

    @Test("the trigger of retry(when:) can delay and count attempts")
    func delayed() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable(Self.source)
        let result = scheduler.start {
            source.retry(when: { (errors: Observable<any Error>) in
                errors.enumerated().flatMap { index, error in
                    index < 2
                        ? Observable<Int>.timer(.seconds(20), scheduler: scheduler)
                        : Observable<Int>.error(Failure.other)
                }
            })
        }
        #expect(result.events == [.next(205, 1), .next(235, 1), .next(265, 1), .error(270, Failure.other)])
        #expect(source.subscriptions == [Subscription(200, 210), Subscription(230, 240), Subscription(260, 270)])
    }

    @Test("a completed trigger completes retry(when:) at the next failed attempt")
    func completedTrigger() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable(Self.source)
        let result = scheduler.start {
            source.retry(when: { (_: Observable<any Error>) in Observable<Int>.empty() })
        }
        #expect(result.events == [.next(205, 1), .completed(210)])
        #expect(source.subscriptions == [Subscription(200, 210)])
    }

    @Test("a failed trigger fails retry(when:) at the next failed attempt")
    func failedTrigger() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable(Self.source)
        let result = scheduler.start {
            source.retry(when: { (_: Observable<any Error>) in Observable<Int>.error(Failure.other) })
        }
        #expect(result.events == [.next(205, 1), .error(210, Failure.other)])
    }

    @Test(
        "retry(when:) with take(n) completes after n attempts that fail on subscription, and after n + 1 others",
        arguments: 1...3)
    func limited(_ count: Int) {
        let attempts = Counter()
        let synchronous = Observable<Int>.create { observer in
            attempts.add(1)
            observer.onError(Failure.expected)
            return Disposables.create()
        }
        expect(synchronous.retry(when: { (errors: Observable<any Error>) in errors.take(count) }), "|")
        #expect(attempts.value == count)

        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([Recorded<Event<Int>>.error(10, Failure.expected)])
        let result = scheduler.start {
            source.retry(when: { (errors: Observable<any Error>) in errors.take(count) })
        }
        #expect(result.events == [.completed(200 + 10 * (count + 1))])
        #expect(source.subscriptions.count == count + 1)
    }

    @Test(
        "retry(when:) with take(n) makes n attempts if the n-th fails on subscription, however the first one fails",
        arguments: 2...4, [true, false])
    func limitedByLaterAttempts(_ count: Int, isFirstSynchronous: Bool) {
        let attempts = Counter()
        let first = PublishSubject<Int>()
        let source = Observable<Int>.deferred {
            attempts.add(1)
            return attempts.value > 1 || isFirstSynchronous ? .error(Failure.expected) : first.asObservable()
        }
        let events = Record()
        let subscription = source.retry(when: { (errors: Observable<any Error>) in errors.take(count) })
            .subscribe { events.add($0) }
        first.onError(Failure.expected)
        #expect(attempts.value == count)
        #expect(events.words == ["completed"])
        subscription.dispose()
    }

    @Test("retry(when:) makes n + 1 attempts with take(n) if the n-th fails later than its subscription")
    func limitedByALateAttempt() {
        let attempts = Counter()
        let second = PublishSubject<Int>()
        let source = Observable<Int>.deferred {
            attempts.add(1)
            return attempts.value == 2 ? second.asObservable() : .error(Failure.expected)
        }
        let events = Record()
        let subscription = source.retry(when: { (errors: Observable<any Error>) in errors.take(2) })
            .subscribe { events.add($0) }
        #expect(attempts.value == 2)
        second.onError(Failure.expected)
        #expect(attempts.value == 3)
        #expect(events.words == ["completed"])
        subscription.dispose()
    }

    @Test("attempts that fail on subscription after one that failed later need no stack")
    func manyAttempts() {
        let attempts = Counter()
        let first = PublishSubject<Int>()
        let source = Observable<Int>.deferred {
            attempts.add(1)
            return attempts.value == 1 ? first.asObservable() : .error(Failure.expected)
        }
        let subscription = source.retry(when: { (errors: Observable<any Error>) in errors.take(100_000) }).subscribe()
        first.onError(Failure.expected)
        #expect(attempts.value == 100_000)
        subscription.dispose()
    }

    @Test("retry(when:) fails with an error that follows the last element of the trigger")
    func failingTrigger() {
        let stream = Observable<Int>.error(Failure.expected).retry(when: { (errors: Observable<any Error>) in
            errors.flatMap { _ in
                Observable<Int>.create { observer in
                    observer.onNext(1)
                    observer.onError(Failure.other)
                    return Disposables.create()
                }
            }
        })
        expect(stream, "!other")
    }

    @Test("retry(when:) ignores elements of the trigger during an attempt")
    func earlyTrigger() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable(Self.source)
        let trigger = scheduler.createHotObservable([.next(207, 0), .next(230, 0), .completed(233)])
        let result = scheduler.start { source.retry(when: { (_: Observable<any Error>) in trigger }) }
        #expect(result.events == [.next(205, 1), .next(235, 1), .completed(240)])
    }

    @Test("retry(when:) fails with an error that is not of the trigger's type")
    func otherError() {
        struct Special: Error {}
        let stream = Observable<Int>.error(Failure.expected)
            .retry(when: { (errors: Observable<Special>) in errors.map { _ in 0 } })
        expect(stream, "!expected")
    }

    @Test("retry(when:) completes when an attempt completes")
    func completion() {
        let trigger = PublishSubject<Int>()
        let stream = Observable.of(1, 2).retry(when: { (_: Observable<any Error>) in trigger })
        expect(stream, "1 2 |")
        #expect(!trigger.hasObservers)
    }
}
