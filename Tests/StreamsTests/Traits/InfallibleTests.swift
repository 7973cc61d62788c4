import Dispatch
import Streams
import StreamsTesting
import TestConcurrency
import Testing

@Suite("Infallible", .limitedConcurrency)
struct InfallibleTests {
    private func expect<Element: Sendable>(
        _ stream: Infallible<Element>, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) { StreamsTests.expect(stream, words, sourceLocation: sourceLocation) }

    @Test("an infallible emits the events of its observer")
    func creating() {
        let made = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.next(2))
            observer(.completed)
            return Disposables.create()
        }
        expect(made, "1 2 |")
        expect(.just(1), "1 |")
        expect(.of(1, 2), "1 2 |")
        expect(.from([1, 2]), "1 2 |")
        expect(.from(Set([1])), "1 |")
        expect(.from(optional: 1), "1 |")
        expect(Infallible<Int>.from(optional: nil), "|")
        expect(Infallible<Int>.empty(), "|")
        expect(Infallible<Int>.never(), "")
        expect(.deferred { .just(1) }, "1 |")
        expect(.range(start: 1, count: 3), "1 2 3 |")
    }

    @Test("asInfallible replaces an error")
    func conversions() {
        let failing = Observable.just(1).concat(Observable.error(Failure.expected))
        expect(failing.asInfallible(onErrorJustReturn: 7), "1 7 |")
        expect(failing.asInfallible(onErrorFallbackTo: .of(8, 9)), "1 8 9 |")
        expect(failing.asInfallible(onErrorRecover: { _ in .just(5) }), "1 5 |")
        expect(Single<Int>.error(Failure.expected).asInfallible(onErrorJustReturn: 7), "7 |")
    }

    @Test("each overload of Infallible.subscribe calls its functions")
    func subscribing() {
        let log = Record()
        let stream = Infallible.of(1, 2)
        stream.subscribe { log.add($0) }.dispose()
        stream.subscribe(onNext: { log.add($0) }, onCompleted: { log.add("|") }, onDisposed: { log.add("x") }).dispose()
        stream.subscribe(with: log, onNext: { $0.add($1) }, onCompleted: { $0.add("|") }).dispose()
        stream.bind(onNext: { log.add($0) }).dispose()
        let relay = BehaviorRelay(value: 0)
        stream.bind(to: relay).dispose()
        #expect(relay.value == 2)
        #expect(log.text == "next(1) next(2) completed 1 2 | x 1 2 | 1 2")
    }

    @Test("infallible operators transform and filter")
    func operators() {
        let numbers = Infallible.of(1, 1, 2, 3)
        expect(numbers.map { $0 * 2 }, "2 2 4 6 |")
        expect(numbers.compactMap { $0 > 1 ? $0 : nil }, "2 3 |")
        expect(numbers.filter { $0 > 1 }, "2 3 |")
        expect(numbers.scan(0) { $0 + $1 }, "1 2 4 7 |")
        expect(numbers.scan(into: 0) { $0 += $1 }, "1 2 4 7 |")
        expect(numbers.distinctUntilChanged(), "1 2 3 |")
        expect(numbers.distinctUntilChanged { $0 / 2 }, "1 2 |")
        expect(numbers.distinctUntilChanged { $0 == $1 }, "1 2 3 |")
        expect(numbers.distinctUntilChanged({ $0 }, comparer: ==), "1 2 3 |")
        expect(numbers.distinctUntilChanged(at: \.bitWidth), "1 |")
        expect(numbers.startWith(0), "0 1 1 2 3 |")
        expect(numbers.flatMap { Infallible.just($0) }, "1 1 2 3 |")
        expect(numbers.flatMapLatest { Infallible.just($0) }, "1 1 2 3 |")
        expect(numbers.flatMapFirst { Infallible.just($0) }, "1 1 2 3 |")
        expect(numbers.concatMap { Infallible.just($0) }, "1 1 2 3 |")
        expect(numbers.take(2), "1 1 |")
        expect(numbers.take(while: { $0 < 2 }), "1 1 |")
        expect(numbers.take(until: { $0 == 2 }, behavior: .inclusive), "1 1 2 |")
        expect(numbers.take(until: Infallible.just(1)), "|")
        expect(numbers.take(until: Observable<Int>.error(Failure.expected)), "|")
        expect(numbers.takeLast(1), "3 |")
        expect(numbers.skip(2), "2 3 |")
        expect(numbers.skip(while: { $0 < 2 }), "2 3 |")
        expect(numbers.skip(until: Infallible.just(1)), "1 1 2 3 |")
        expect(numbers.skip(until: Observable.just(1)), "1 1 2 3 |")
        expect(numbers.share(replay: 1), "1 1 2 3 |")
        expect(numbers.debug("infallible"), "1 1 2 3 |")
        let log = Record()
        expect(numbers.do(onNext: { log.add($0) }, onCompleted: { log.add("|") }), "1 1 2 3 |")
        #expect(log.text == "1 1 2 3 |")
    }

    @Test("infallible operators combine streams")
    func combining() {
        let (a, b) = (Infallible.of(1, 2), Infallible.of("a", "b"))
        expect(Infallible.combineLatest(a, b) { "\($0)\($1)" }, "1a 2a 2b |")
        expect(Infallible.combineLatest(a, b).map { "\($0)\($1)" }, "1a 2a 2b |")
        expect(Infallible.combineLatest(a, b, a) { "\($0)\($1)\($2)" }, "1a1 2a1 2b1 2b2 |")
        expect(Infallible.combineLatest([a, a]) { $0.reduce(0, +) }, "2 3 4 |")
        expect(Infallible.combineLatest([a, a]), "[1, 1] [2, 1] [2, 2] |")
        expect(Infallible.zip(a, b) { "\($0)\($1)" }, "1a 2b |")
        expect(Infallible.zip(a, b).map { "\($0)\($1)" }, "1a 2b |")
        expect(Infallible.zip([a, a]) { $0.reduce(0, +) }, "2 4 |")
        expect(Infallible.zip([a, a]), "[1, 1] [2, 2] |")
        expect(Infallible.merge(a, a), "1 1 2 2 |")
        expect(Infallible.merge([a]), "1 2 |")
        expect(Infallible.concat(a, a), "1 2 1 2 |")
        expect(Infallible.concat([a, a]), "1 2 1 2 |")
        expect(a.concat(a), "1 2 1 2 |")
        expect(Infallible.of(a, a).concat(), "1 2 1 2 |")
        expect(Infallible.of(a).merge(), "1 2 |")
        expect(Infallible.of(a, a).merge(maxConcurrent: 1), "1 2 1 2 |")
        expect(a.withLatestFrom(Infallible.just("x")), "x x |")
        expect(a.withLatestFrom(Infallible.just("x")) { "\($0)\($1)" }, "1x 2x |")
        let token = Token(7)
        expect(a.withUnretained(token) { $0.number + $1 }, "8 9 |")
        expect(a.withUnretained(token).map { "\($0)\($1)" }, "71 72 |")
    }

    @Test("timed operators of an infallible act at their tick")
    func time() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(212, 2), .next(230, 3), .completed(250)])
        let stream = source.asInfallible(onErrorJustReturn: 0)
        let (debounced, throttled) = (scheduler.createObserver(Int.self), scheduler.createObserver(Int.self))
        let delayed = scheduler.createObserver(Int.self)
        let bag = CompositeDisposable()
        scheduler.scheduleAt(200) {
            bag.insert(stream.debounce(.seconds(5), scheduler: scheduler).asObservable().subscribe(debounced))
            bag.insert(
                stream.throttle(.seconds(5), latest: false, scheduler: scheduler).asObservable().subscribe(throttled))
            bag.insert(stream.delay(.seconds(5), scheduler: scheduler).asObservable().subscribe(delayed))
        }
        scheduler.start()
        #expect(debounced.events == [.next(217, 2), .next(235, 3), .completed(250)])
        #expect(throttled.events == [.next(210, 1), .next(230, 3), .completed(250)])
        #expect(delayed.events == [.next(215, 1), .next(217, 2), .next(235, 3), .completed(255)])
        bag.dispose()
    }
}
