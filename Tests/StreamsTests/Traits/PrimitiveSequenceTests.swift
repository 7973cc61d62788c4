import Dispatch
import Streams
import StreamsTesting
import TestConcurrency
import Testing

@Suite("Single", .limitedConcurrency)
struct SingleTests {
    @Test("a single emits only its first event")
    func firstWord() {
        func single(_ words: SingleEvent<Int>...) -> String {
            trace(
                of: Single<Int>.create { answer in
                    for word in words { answer(word) }
                    return Disposables.create()
                }.asObservable())
        }
        #expect(single(.success(1)) == "1 |")
        #expect(single(.failure(Failure.expected)) == "!expected")
        #expect(single(.success(1), .success(2), .failure(Failure.expected)) == "1 |")
        #expect(single(.failure(Failure.expected), .success(2)) == "!expected")
        #expect(single() == "")
    }

    @Test("a single emits once when several threads send")
    func race() async {
        for _ in 0..<200 {
            let count = Counter()
            let answer = PublishSubject<Int>()
            let single = Single<Int>.create { observer in
                answer.subscribe(onNext: { _ in observer(.success(1)) }, onCompleted: { observer(.success(2)) })
            }
            let subscription = single.subscribe { _ in count.add(1) }
            await withTaskGroup { group in
                group.addTask { answer.onNext(1) }
                group.addTask { answer.onCompleted() }
            }
            #expect(count.value == 1)
            subscription.dispose()
        }
    }

    @Test("disposing a single disposes its resource once")
    func disposal() {
        let count = Counter()
        let single = Single<Int>.create { _ in Disposables.create { count.add(1) } }
        let subscription = single.subscribe { _ in }
        subscription.dispose()
        subscription.dispose()
        #expect(count.value == 1)
    }

    @Test("each overload of subscribe of a trait calls its functions")
    func subscribing() {
        let log = Record()
        let (one, failing) = (Single.just(1), Single<Int>.error(Failure.expected))
        one.subscribe { log.add($0) }.dispose()
        failing.subscribe { log.add($0) }.dispose()
        one.subscribe(onSuccess: { log.add("success \($0)") }, onDisposed: { log.add("disposed") }).dispose()
        failing.subscribe(onFailure: { log.add("failure \($0)") }, onDisposed: { log.add("disposed") }).dispose()
        one.subscribe(with: log, onSuccess: { $0.add("with \($1)") }, onDisposed: { $0.add("disposed") }).dispose()
        failing.subscribe(with: log, onFailure: { $0.add("with \($1)") }).dispose()
        #expect(
            log.words == [
                "success(1)", "failure(StreamsTests.Failure.expected)", "success 1", "disposed", "failure expected",
                "disposed", "with 1",
                "disposed", "with expected",
            ])
    }

    @Test("operators of a single return traits")
    func operators() {
        let one = Single.just(1)
        let failing = Single<Int>.error(Failure.expected)
        expect(one.map { $0 + 1 }, "2 |")
        expect(one.map { _ -> Int in throw Failure.other }, "!other")
        expect(one.filter { $0 > 1 }, "|")
        expect(one.compactMap { $0 == 1 ? "a" : nil }, "a |")
        expect(one.flatMap { Single.just($0 + 1) }, "2 |")
        expect(one.flatMap { _ in failing }, "!expected")
        expect(one.flatMapMaybe { _ in Maybe<Int>.empty() }, "|")
        expect(one.flatMapCompletable { _ in Completable.empty() }, "|")
        expect(failing.catchAndReturn(3), "3 |")
        expect(failing.catch { _ in .just(4) }, "4 |")
        expect(failing.retry(2), "!expected")
        expect(failing.retry(when: { (_: Observable<any Error>) in Observable.just(1).take(0) }), "|")
        expect(one.asMaybe(), "1 |")
        expect(one.asCompletable(), "|")
        expect(failing.asCompletable(), "!expected")
        expect(Single.deferred { .just(5) }, "5 |")
        expect(Single<Int>.never(), "")
        expect(one.debug("single"), "1 |")
        expect(failing.asInfallible(onErrorJustReturn: 6), "6 |")
    }

    @Test("do of a trait calls each function at its event")
    func watching() {
        let log = Record()
        func watch(_ single: Single<Int>) {
            single.do(
                onSuccess: { log.add("on \($0)") }, afterSuccess: { log.add("after \($0)") },
                onError: { log.add("on \($0)") }, afterError: { log.add("after \($0)") },
                onSubscribe: { log.add("subscribe") }, onSubscribed: { log.add("subscribed") },
                onDispose: { log.add("dispose") }
            ).subscribe { log.add($0) }.dispose()
        }
        watch(.just(1))
        watch(.error(Failure.expected))
        #expect(
            log.words == [
                "subscribe", "on 1", "success(1)", "after 1", "subscribed", "dispose", "subscribe", "on expected",
                "failure(StreamsTests.Failure.expected)", "after expected", "subscribed", "dispose",
            ])
    }

    @Test("zip combines two to eight singles, and collections of them")
    func zip() {
        let (a, b, c) = (Single.just(1), Single.just("b"), Single.just(3))
        expect(Single.zip(a, b) { "\($0)\($1)" }, "1b |")
        expect(Single.zip(a, b, c) { "\($0)\($1)\($2)" }, "1b3 |")
        expect(Single.zip(a, b).map { "\($0)\($1)" }, "1b |")
        expect(Single.zip(a, b, c, a, b, c, a, b) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" }, "1b31b31b |")
        expect(Single.zip(a, b, c, a, b, c, a, b).map { "\($0.6)\($0.7)" }, "1b |")
        expect(Single.zip([a, c]), "[1, 3] |")
        expect(Single.zip([a, c]) { $0.count }, "2 |")
        expect(Single.zip([Single<Int>]()), "[] |")
        expect(Single.zip(a, Single<Int>.error(Failure.expected)) { $0 + $1 }, "!expected")
        expect(Single.zip(a, b) { _, _ -> Int in throw Failure.other }, "!other")
        expect(Maybe.zip(Maybe.just(1), Maybe<Int>.empty()) { $0 + $1 }, "|")
    }

    @Test("timed operators of a single act at their tick")
    func time() {
        let scheduler = TestScheduler(initialClock: 0)
        let delayed = scheduler.start { Single.just(1).delay(.seconds(10), scheduler: scheduler) }
        // Each event is scheduled separately, which takes a tick.
        #expect(delayed.events == [.next(210, 1), .completed(211)])
        let other = TestScheduler(initialClock: 0)
        let late = other.start {
            Single<Int>.never().timeout(.seconds(30), other: .just(9), scheduler: other)
        }
        #expect(late.events == [.next(230, 9), .completed(230)])
        let third = TestScheduler(initialClock: 0)
        let timer = third.start { Single<Int>.timer(.seconds(30), scheduler: third) }
        #expect(timer.events == [.next(230, 0), .completed(230)])
    }

    @Test("using of a single disposes its resource on termination")
    func using() {
        let log = Record()
        let single = Single.using({ BooleanDisposable() }) { resource in
            Single.just(1).do(onDispose: { log.add("disposed before: \(resource.isDisposed)") })
        }
        expect(single, "1 |")
        #expect(log.words.count == 1)
    }
}

@Suite("Maybe and Completable", .limitedConcurrency)
struct MaybeTests {
    @Test("a maybe emits one event")
    func firstWord() {
        func maybe(_ words: MaybeEvent<Int>...) -> String {
            let log = Record()
            let maybe = Maybe<Int>.create { answer in
                for word in words { answer(word) }
                return Disposables.create()
            }
            maybe.subscribe { log.add($0) }.dispose()
            return log.text
        }
        #expect(maybe(.success(1)) == "success(1)")
        #expect(maybe(.completed, .success(1)) == "completed")
        #expect(maybe(.error(Failure.expected), .completed) == "error(StreamsTests.Failure.expected)")
        #expect(maybe(.success(1), .completed) == "success(1)")
    }

    @Test("each overload of subscribe of a trait calls its functions")
    func subscribing() {
        for (maybe, expected) in [
            (Maybe.just(1), "1 disposed"), (.empty(), "completed disposed"),
            (.error(Failure.expected), "expected disposed"),
        ] {
            let log = Record()
            maybe.subscribe(
                onSuccess: { log.add($0) }, onError: { log.add($0) }, onCompleted: { log.add("completed") },
                onDisposed: { log.add("disposed") }
            ).dispose()
            #expect(log.text == expected)
            let with = Record()
            maybe.subscribe(
                with: with, onSuccess: { $0.add($1) }, onError: { $0.add($1) }, onCompleted: { $0.add("completed") },
                onDisposed: { $0.add("disposed") }
            ).dispose()
            #expect(with.text == expected)
        }
    }

    @Test("operators of a maybe transform its event")
    func operators() {
        let (one, none, failing) = (Maybe.just(1), Maybe<Int>.empty(), Maybe<Int>.error(Failure.expected))
        expect(one.map { $0 + 1 }, "2 |")
        expect(none.map { $0 + 1 }, "|")
        expect(one.filter { $0 > 1 }, "|")
        expect(one.compactMap { Optional($0) }, "1 |")
        expect(one.flatMap { _ in none }, "|")
        expect(none.ifEmpty(default: 7), "7 |")
        expect(none.ifEmpty(switchTo: Maybe.just(8)), "8 |")
        expect(none.ifEmpty(switchTo: Single.just(9)), "9 |")
        expect(one.ifEmpty(default: 7), "1 |")
        expect(failing.catchAndReturn(3), "3 |")
        expect(none.asSingle(), "!\(RxError.noElements)")
        expect(one.asSingle(), "1 |")
        expect(one.asCompletable(), "|")
        let log = Record()
        one.do(onNext: { log.add($0) }, onCompleted: { log.add("completed") }).subscribe().dispose()
        none.do(onNext: { log.add($0) }, onCompleted: { log.add("completed") }).subscribe().dispose()
        #expect(log.text == "1 completed completed")
    }

    @Test("a completable emits one event")
    func completable() {
        let log = Record()
        Completable.create { answer in
            answer(.completed)
            answer(.error(Failure.expected))
            return Disposables.create()
        }.subscribe { log.add($0) }.dispose()
        Completable.error(Failure.expected).subscribe { log.add($0) }.dispose()
        Completable.empty().subscribe(onCompleted: { log.add("done") }, onDisposed: { log.add("disposed") }).dispose()
        Completable.error(Failure.other).subscribe(onError: { log.add($0) }).dispose()
        Completable.empty().subscribe(with: log, onCompleted: { $0.add("with") }).dispose()
        Completable.never().subscribe(onCompleted: { log.add("never") }).dispose()
        #expect(
            log.words == ["completed", "error(StreamsTests.Failure.expected)", "done", "disposed", "other", "with"])
    }

    @Test("andThen subscribes at the tick of completion")
    func andThen() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createColdObservable([Recorded<Event<Never>>.completed(20)])
        let second = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .completed(30)])
        let result = scheduler.start { first.asCompletable().andThen(second.asObservable()) }
        #expect(result.events == [.next(230, 1), .next(240, 2), .completed(250)])
        #expect(first.subscriptions == [Subscription(200, 220)])
        #expect(second.subscriptions == [Subscription(220, 250)])
        let done = Completable.empty()
        expect(done.andThen(Single.just(1)), "1 |")
        expect(done.andThen(Maybe<Int>.empty()), "|")
        expect(done.andThen(Completable.error(Failure.expected)), "!expected")
        expect(Completable.error(Failure.expected).andThen(Single.just(1)), "!expected")
    }

    @Test("completables run sequentially with concat and concurrently with zip")
    func combining() {
        let log = Record()
        func step(_ number: Int) -> Completable {
            Completable.create { answer in
                log.add(number)
                answer(.completed)
                return Disposables.create()
            }
        }
        let all: [Completable] = [
            step(1).concat(step(2)), .concat(step(3), step(4)), .concat([step(5), step(6)]),
            .concat(Made([step(7), step(8)].makeIterator)), .zip(step(9), step(10)), .zip([step(11)]),
            .zip(ContiguousArray([step(12)])),
        ]
        for completable in all { expect(completable, "|") }
        #expect(log.words == (1...12).map { "\($0)" })
        let failing = Completable.concat(step(13), .error(Failure.expected), step(14))
        expect(failing, "!expected")
        #expect(log.words.last == "13")
        let watched = Record()
        step(15).do(onCompleted: { watched.add("completed") }, onDispose: { watched.add("dispose") })
            .subscribe().dispose()
        #expect(watched.text == "completed dispose")
    }

    @Test("a stream converts to a trait if its number of elements permits")
    func conversions() {
        let (none, one) = (Observable<Int>.empty(), Observable.just(1))
        let (two, failing) = (Observable.of(1, 2), Observable<Int>.error(Failure.expected))
        expect(none.asSingle(), "!\(RxError.noElements)")
        expect(one.asSingle(), "1 |")
        expect(two.asSingle(), "!\(RxError.moreThanOneElement)")
        expect(failing.asSingle(), "!expected")
        expect(none.asMaybe(), "|")
        expect(one.asMaybe(), "1 |")
        expect(two.asMaybe(), "!\(RxError.moreThanOneElement)")
        expect(none.first(), "nil |")
        expect(two.first(), "Optional(1) |")
        expect(failing.first(), "!expected")
        expect(two.toArray(), "[1, 2] |")
        expect(none.toArray(), "[] |")
        expect(failing.toArray(), "!expected")
        expect(two.ignoreElements().asCompletable(), "|")
    }

    @Test(
        "asSingle emits at the tick of completion and fails at a second element",
        arguments: [
            HotCase("one", "1@210 |@250", "1@250 |@250"),
            HotCase("two", "1@210 2@220", "!\(RxError.moreThanOneElement)@220", until: 220),
            HotCase("none", "|@250", "!\(RxError.noElements)@250", until: 250),
            HotCase("an error", "1@210 !expected@220", "!expected@220"),
        ])
    func singleTicks(_ table: HotCase) { table.check { $0.asSingle().asObservable() } }
}
