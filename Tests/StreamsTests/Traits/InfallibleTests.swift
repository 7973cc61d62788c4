import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("Infallible", .takesTurns)
struct InfallibleTests {
    private func trace<Element: Sendable>(_ stream: Infallible<Element>) -> String {
        StreamsTests.trace(of: stream.asObservable())
    }

    @Test("an infallible emits the events of its observer")
    func creating() {
        let made = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.next(2))
            observer(.completed)
            return Disposables.create()
        }
        #expect(trace(made) == "1 2 |")
        #expect(trace(.just(1)) == "1 |")
        #expect(trace(.of(1, 2)) == "1 2 |")
        #expect(trace(.from([1, 2])) == "1 2 |")
        #expect(trace(.from(Set([1]))) == "1 |")
        #expect(trace(.from(optional: 1)) == "1 |")
        #expect(trace(Infallible<Int>.from(optional: nil)) == "|")
        #expect(trace(Infallible<Int>.empty()) == "|")
        #expect(trace(Infallible<Int>.never()) == "")
        #expect(trace(.deferred { .just(1) }) == "1 |")
        #expect(trace(.range(start: 1, count: 3)) == "1 2 3 |")
    }

    @Test("asInfallible replaces an error")
    func conversions() {
        let failing = Observable.just(1).concat(Observable.error(Failure.expected))
        #expect(trace(failing.asInfallible(onErrorJustReturn: 7)) == "1 7 |")
        #expect(trace(failing.asInfallible(onErrorFallbackTo: .of(8, 9))) == "1 8 9 |")
        #expect(trace(failing.asInfallible(onErrorRecover: { _ in .just(5) })) == "1 5 |")
        #expect(trace(Single<Int>.error(Failure.expected).asInfallible(onErrorJustReturn: 7)) == "7 |")
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
        #expect(trace(numbers.map { $0 * 2 }) == "2 2 4 6 |")
        #expect(trace(numbers.compactMap { $0 > 1 ? $0 : nil }) == "2 3 |")
        #expect(trace(numbers.filter { $0 > 1 }) == "2 3 |")
        #expect(trace(numbers.scan(0) { $0 + $1 }) == "1 2 4 7 |")
        #expect(trace(numbers.scan(into: 0) { $0 += $1 }) == "1 2 4 7 |")
        #expect(trace(numbers.distinctUntilChanged()) == "1 2 3 |")
        #expect(trace(numbers.distinctUntilChanged { $0 / 2 }) == "1 2 |")
        #expect(trace(numbers.distinctUntilChanged { $0 == $1 }) == "1 2 3 |")
        #expect(trace(numbers.distinctUntilChanged({ $0 }, comparer: ==)) == "1 2 3 |")
        #expect(trace(numbers.distinctUntilChanged(at: \.bitWidth)) == "1 |")
        #expect(trace(numbers.startWith(0)) == "0 1 1 2 3 |")
        #expect(trace(numbers.flatMap { Infallible.just($0) }) == "1 1 2 3 |")
        #expect(trace(numbers.flatMapLatest { Infallible.just($0) }) == "1 1 2 3 |")
        #expect(trace(numbers.flatMapFirst { Infallible.just($0) }) == "1 1 2 3 |")
        #expect(trace(numbers.concatMap { Infallible.just($0) }) == "1 1 2 3 |")
        #expect(trace(numbers.take(2)) == "1 1 |")
        #expect(trace(numbers.take(while: { $0 < 2 })) == "1 1 |")
        #expect(trace(numbers.take(until: { $0 == 2 }, behavior: .inclusive)) == "1 1 2 |")
        #expect(trace(numbers.take(until: Infallible.just(1))) == "|")
        #expect(trace(numbers.take(until: Observable<Int>.error(Failure.expected))) == "|")
        #expect(trace(numbers.takeLast(1)) == "3 |")
        #expect(trace(numbers.skip(2)) == "2 3 |")
        #expect(trace(numbers.skip(while: { $0 < 2 })) == "2 3 |")
        #expect(trace(numbers.skip(until: Infallible.just(1))) == "1 1 2 3 |")
        #expect(trace(numbers.share(replay: 1)) == "1 1 2 3 |")
        #expect(trace(numbers.debug("infallible")) == "1 1 2 3 |")
        let log = Record()
        #expect(trace(numbers.do(onNext: { log.add($0) }, onCompleted: { log.add("|") })) == "1 1 2 3 |")
        #expect(log.text == "1 1 2 3 |")
    }

    @Test("infallible operators combine streams")
    func combining() {
        let (a, b) = (Infallible.of(1, 2), Infallible.of("a", "b"))
        #expect(trace(Infallible.combineLatest(a, b) { "\($0)\($1)" }) == "1a 2a 2b |")
        #expect(trace(Infallible.combineLatest(a, b).map { "\($0)\($1)" }) == "1a 2a 2b |")
        #expect(trace(Infallible.combineLatest(a, b, a) { "\($0)\($1)\($2)" }) == "1a1 2a1 2b1 2b2 |")
        #expect(trace(Infallible.combineLatest([a, a]) { $0.reduce(0, +) }) == "2 3 4 |")
        #expect(trace(Infallible.combineLatest([a, a])) == "[1, 1] [2, 1] [2, 2] |")
        #expect(trace(Infallible.zip(a, b) { "\($0)\($1)" }) == "1a 2b |")
        #expect(trace(Infallible.zip(a, b).map { "\($0)\($1)" }) == "1a 2b |")
        #expect(trace(Infallible.zip([a, a]) { $0.reduce(0, +) }) == "2 4 |")
        #expect(trace(Infallible.zip([a, a])) == "[1, 1] [2, 2] |")
        #expect(trace(Infallible.merge(a, a)) == "1 1 2 2 |")
        #expect(trace(Infallible.merge([a])) == "1 2 |")
        #expect(trace(Infallible.concat(a, a)) == "1 2 1 2 |")
        #expect(trace(Infallible.concat([a, a])) == "1 2 1 2 |")
        #expect(trace(a.concat(a)) == "1 2 1 2 |")
        #expect(trace(Infallible.of(a, a).concat()) == "1 2 1 2 |")
        #expect(trace(Infallible.of(a).merge()) == "1 2 |")
        #expect(trace(Infallible.of(a, a).merge(maxConcurrent: 1)) == "1 2 1 2 |")
        #expect(trace(a.withLatestFrom(Infallible.just("x"))) == "x x |")
        #expect(trace(a.withLatestFrom(Infallible.just("x")) { "\($0)\($1)" }) == "1x 2x |")
        let token = Token(7)
        #expect(trace(a.withUnretained(token) { $0.number + $1 }) == "8 9 |")
        #expect(trace(a.withUnretained(token).map { "\($0)\($1)" }) == "71 72 |")
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
