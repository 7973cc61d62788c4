import Foundation
import Streams
import StreamsTesting
import Testing

/// `Driver` and `Signal`: conversions, factories and operators. Compiling without a warning is part of the test.
@MainActor
@Suite("Operators of drivers and signals", .timeLimit(.minutes(5)))
struct SharedSequenceOperatorTests {
    @Test("streams become drivers and signals")
    func conversions() {
        let failing = Observable<Int>.error(Failure.expected)
        expectElements(failing.asDriver(onErrorJustReturn: 1), "1")
        expectElements(failing.asDriver(onErrorDriveWith: .of(1, 2)), "1 2")
        expectElements(failing.asDriver(onErrorRecover: { _ in .just(3) }), "3")
        expectElements(failing.asDriver { _ in Driver.empty() }, "")
        expectElements(failing.asSignal(onErrorJustReturn: 1), "1")
        expectElements(failing.asSignal(onErrorSignalWith: .just(4)), "4")
        expectElements(failing.asSignal { _ in Signal.just(5) }, "5")
        expectElements(failing.asSharedSequence(sharingStrategy: DriverSharingStrategy.self, onErrorJustReturn: 6), "6")
        var inferred: Signal<Int> { failing.asSharedSequence(onErrorDriveWith: .just(7)) }
        var recovered: Driver<Int> { failing.asSharedSequence(onErrorRecover: { _ in .just(8) }) }
        expectElements(inferred, "7")
        expectElements(recovered, "8")
        expectElements(Single.just(9).asDriver(onErrorJustReturn: 0), "9")
        expectElements(Infallible.just(9).asDriver(), "9")
    }

    @Test("factory methods create drivers")
    func creating() {
        var d: Driver<Int> { .just(1) }
        expectElements(Driver.of(1, 2), "1 2")
        expectElements(Driver.from([1]), "1")
        expectElements(Driver.from(1...2), "1 2")
        expectElements(Driver.from(optional: Optional(1)), "1")
        expectElements(Driver<Int>.empty(), "")
        expect(Driver<Int>.never(), "")
        expectElements(Driver.deferred { Driver.just(1) }, "1")
        expectElements(Driver.merge(d, d), "1 1")
        expectElements(Driver.merge([d, d]), "1 1")
        expectElements(Driver.merge(CollectionOfOne(d)), "1")
        expectElements(Driver.concat([d, .just(2)]), "1 2")
        expectElements(Driver.zip(d, d), "(1, 1)")
        expectElements(Driver.zip(d, d, d) { $0 + $1 + $2 }, "3")
        expectElements(Driver.zip([d, d]), "[1, 1]")
        expectElements(Driver.zip([d, d]) { $0.count }, "2")
        expectElements(Driver.combineLatest(d, d), "(1, 1)")
        expectElements(Driver.combineLatest(d, d, resultSelector: { $0 + $1 }), "2")
        var list: Driver<[Int]> { Driver.combineLatest([d, d]) }
        expectElements(list, "[1, 1]")
        expectElements(Driver.combineLatest([d, d]) { $0.reduce(0, +) }, "2")
        expectElements(Driver.combineLatest(d, d, d, d, d, d, d, d).map { $7 }, "1")
        let ticks = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: ticks) {
            let result = ticks.start(disposed: 325) {
                Driver.merge(Driver<Int>.interval(.seconds(100)), .timer(.seconds(110), period: .seconds(10)))
            }
            #expect(result.events == [.next(300, 0), .next(310, 0), .next(320, 1)])
        }
    }

    @Test("operators of drivers return drivers")
    func operators() {
        var d: Driver<Int> { .of(1, 2) }
        expectElements(d.map { $0 * 2 }.filter { $0 > 2 }, "4")
        expectElements(d.compactMap { $0 > 1 ? $0 : nil }, "2")
        expectElements(d.flatMapLatest { number -> Driver<String> in .just("\(number)") }, "1 2")
        expectElements(d.flatMap { Driver.just($0) }, "1 2")
        expectElements(d.flatMapFirst { Signal.just($0) }, "1 2")
        expectElements(d.map { Driver.just($0) }.switchLatest(), "1 2")
        expectElements(d.map { Driver.just($0) }.merge(maxConcurrent: 1), "1 2")
        expectElements(d.distinctUntilChanged { $0 > 0 }, "1")
        expectElements(d.distinctUntilChanged(), "1 2")
        expectElements(d.distinctUntilChanged { $0 == $1 }, "1 2")
        expectElements(d.startWith(0).skip(1).scan(0) { $0 + $1 }, "1 3")
        expectElements(d.withLatestFrom(Driver.just("a")) { "\($0)\($1)" }, "1a 2a")
        expectElements(d.withLatestFrom(Driver.just("a")), "a a")
        let owner = Record()
        expectElements(d.withUnretained(owner) { $1 }, "1 2")
        expectElements(Driver.just(()).map { _ in 1 }.asSignal(onErrorJustReturn: 0), "1")
        expectElements(d.asInfallible().map { $0 + 1 }.asDriver(), "2 3")
    }

    @Test("withLatestFrom combines signals and drivers")
    func strategies() {
        var taps: Signal<Int> { .of(1, 2) }
        expectElements(taps.withLatestFrom(Driver.just("a")), "a a")
        expectElements(taps.withLatestFrom(Driver.just("a")) { "\($0)\($1)" }, "1a 2a")
        expectElements(Driver.of(1, 2).withLatestFrom(Signal.just("a")) { "\($0)\($1)" }, "1a 2a")
        let state = BehaviorRelay(value: "s")
        let events = PublishRelay<Int>()
        let log = Record()
        let bag = DisposeBag()
        events.asSignal().withLatestFrom(state.asDriver()) { "\($1)\($0)" }
            .emit(onNext: { log.add($0) }).disposed(by: bag)
        events.accept(1)
        #expect(log.text == "s1")
    }

    @Test("combineLatest and zip take two to eight drivers")
    func arities() {
        var d: Driver<Int> { .just(1) }
        var s: Signal<Int> { .just(1) }
        expectElements(Driver.combineLatest(d, d).map { $0 + $1 }, "2")
        expectElements(Driver.combineLatest(d, d) { $0 + $1 }, "2")
        expectElements(Driver.combineLatest(d, d, d), "(1, 1, 1)")
        expectElements(Driver.combineLatest(d, d, d) { $0 + $1 + $2 }, "3")
        expectElements(Driver.combineLatest(d, d, d, d).map { $3 }, "1")
        expectElements(Driver.combineLatest(d, d, d, d) { a, b, c, d in a + d }, "2")
        expectElements(Driver.combineLatest(d, d, d, d, d).map { $4 }, "1")
        expectElements(Driver.combineLatest(d, d, d, d, d) { a, b, c, d, e in a + e }, "2")
        expectElements(Driver.combineLatest(d, d, d, d, d, d).map { $5 }, "1")
        expectElements(Driver.combineLatest(d, d, d, d, d, d) { a, b, c, d, e, f in a + f }, "2")
        expectElements(Driver.combineLatest(d, d, d, d, d, d, d).map { $6 }, "1")
        expectElements(Driver.combineLatest(d, d, d, d, d, d, d) { a, b, c, d, e, f, g in a + g }, "2")
        expectElements(Driver.combineLatest(d, d, d, d, d, d, d, d) { a, b, c, d, e, f, g, h in a + h }, "2")
        expectElements(Driver.zip(d, d).map { $0 + $1 }, "2")
        expectElements(Driver.zip(d, d) { $0 + $1 }, "2")
        expectElements(Driver.zip(d, d, d), "(1, 1, 1)")
        expectElements(Driver.zip(d, d, d, d).map { $3 }, "1")
        expectElements(Driver.zip(d, d, d, d) { a, b, c, d in a + d }, "2")
        expectElements(Driver.zip(d, d, d, d, d).map { $4 }, "1")
        expectElements(Driver.zip(d, d, d, d, d) { a, b, c, d, e in a + e }, "2")
        expectElements(Driver.zip(d, d, d, d, d, d).map { $5 }, "1")
        expectElements(Driver.zip(d, d, d, d, d, d) { a, b, c, d, e, f in a + f }, "2")
        expectElements(Driver.zip(d, d, d, d, d, d, d).map { $6 }, "1")
        expectElements(Driver.zip(d, d, d, d, d, d, d) { a, b, c, d, e, f, g in a + g }, "2")
        expectElements(Driver.zip(d, d, d, d, d, d, d, d).map { $7 }, "1")
        expectElements(Driver.zip(d, d, d, d, d, d, d, d) { a, b, c, d, e, f, g, h in a + h }, "2")
        expectElements(Signal.combineLatest(s, s), "(1, 1)")
        expectElements(Signal.zip(s, s, s), "(1, 1, 1)")
    }

    @Test("an error of a selector of zip or combineLatest terminates the sequence")
    func throwing() {
        let scheduler = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: scheduler) {
            let result = scheduler.start {
                Driver.combineLatest(Driver.of(1, 2), Driver.just(1)) { first, second in
                    if first > 1 { throw Failure.expected }
                    return first + second
                }
            }
            #expect(result.events.last?.value.error is Failure)
        }
    }

    @Test("timed operators run on the sharing scheduler")
    func timing() {
        let scheduler = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: scheduler) {
            let hot = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(300)])
            let result = scheduler.start {
                hot.asDriver(onErrorJustReturn: 0).throttle(.seconds(5)).debounce(.seconds(5)).delay(.seconds(5))
            }
            #expect(result.events.compactMap(\.value.element) == [1, 2])
        }
    }
}

extension SharedSequenceConvertibleType {
    func mapToVoid() -> SharedSequence<SharingStrategy, Void> { map { _ in } }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    func asSelf() -> Driver<Element> { asDriver() }
}

extension Driver where Element == Int {
    func doubled() -> SharedSequence<SharingStrategy, Int> { map { $0 * 2 } }
}
