import Foundation
import Streams
import StreamsTesting
import XCTest

/// Spellings that RxSwift 6 deprecates: this module compiles them with a warning, and they behave like their
/// replacements. The tests are deprecated as well, so that they cause no warnings themselves.
final class DeprecatedCallSiteTests: XCTestCase {
    private let numbers = Observable.of(1, 2, 3)
    private let failing = Observable.of(1).concat(Observable.error(Failure.expected))

    @available(*, deprecated)
    func testOperators() {
        let scheduler = CurrentThreadScheduler.instance
        XCTAssertEqual(trace(numbers.observeOn(scheduler).subscribeOn(scheduler)), "1 2 3 |")
        XCTAssertEqual(trace(failing.catchError { _ in .just(9) }), "1 9 |")
        XCTAssertEqual(trace(failing.catchErrorJustReturn(9)), "1 9 |")
        XCTAssertEqual(trace(Observable.catchError([failing, .just(9)])), "1 9 |")
        XCTAssertEqual(trace(failing.retryWhen { errors in errors.take(1) }.take(2)), "1 1 |")
        XCTAssertEqual(trace(failing.retryWhen { (errors: Observable<Failure>) in errors.take(1) }.take(2)), "1 1 |")
        XCTAssertEqual(trace(numbers.elementAt(1)), "2 |")
        XCTAssertEqual(trace(numbers.takeWhile { $0 < 2 }), "1 |")
        XCTAssertEqual(trace(numbers.takeWhile(.inclusive) { $0 < 2 }), "1 2 |")
        XCTAssertEqual(trace(numbers.takeUntil(Observable<Void>.never())), "1 2 3 |")
        let behavior: TakeUntilBehavior = .inclusive
        XCTAssertEqual(trace(numbers.takeUntil(behavior) { $0 == 2 }), "1 2 |")
        XCTAssertEqual(trace(numbers.skipWhile { $0 < 3 }), "3 |")
        XCTAssertEqual(trace(numbers.skipUntil(Observable.just(()))), "1 2 3 |")
        XCTAssertEqual(trace(numbers.mapWithIndex { $0 * $1 }), "0 2 6 |")
        XCTAssertEqual(trace(numbers.flatMapWithIndex { Observable.just($0 * $1) }), "0 2 6 |")
        XCTAssertEqual(trace(numbers.skipWhileWithIndex { $1 < 2 }), "3 |")
        XCTAssertEqual(trace(numbers.takeWhileWithIndex { $1 < 2 }), "1 2 |")
        let none: Int? = nil
        XCTAssertEqual(trace(Observable.from(none)), "|")
        XCTAssertEqual(trace(Observable.from(Optional(1), scheduler: scheduler)), "1 |")
        XCTAssertEqual(
            trace(numbers.shareReplay(1)) + trace(numbers.shareReplayLatestWhileConnected()), "1 2 3 |1 2 3 |")
        numbers.subscribe().addDisposableTo(DisposeBag())
    }

    @available(*, deprecated)
    func testTraits() {
        let scheduler = CurrentThreadScheduler.instance
        let single = Single<Int>.error(Failure.expected)
        XCTAssertEqual(trace(single.observeOn(scheduler).subscribeOn(scheduler).catchError { _ in .just(9) }), "9 |")
        XCTAssertEqual(trace(single.catchErrorJustReturn(9)), "9 |")
        XCTAssertEqual(trace(Maybe<Int>.error(Failure.expected).catchErrorJustReturn(9)), "9 |")
        XCTAssertEqual(trace(Completable.error(Failure.expected).catchError { _ in .empty() }), "|")
        XCTAssertEqual(trace(single.retryWhen { (errors: Observable<Error>) in errors.take(1) }), "|")
        XCTAssertEqual(trace(single.retryWhen { (errors: Observable<Failure>) in errors.take(1) }), "|")
        var words: [String] = []
        single.subscribe(onSuccess: { words.append("\($0)") }, onError: { words.append("\($0)") }).dispose()
        single.subscribe(onError: { words.append("\($0)") }).dispose()
        XCTAssertEqual(words, ["expected", "expected"])
        let completables = [Completable.empty(), .empty()]
        XCTAssertEqual(trace(Completable.merge(completables)) + trace(Completable.merge(.empty(), .empty())), "||")
        XCTAssertEqual(trace(Completable.merge(Set([1, 2]).map { _ in Completable.empty() })), "|")
    }

    @available(*, deprecated)
    func testInfalliblesWithStreamsThatCanFail() {
        let numbers = Infallible.of(1, 2)
        XCTAssertEqual(trace(numbers.flatMap { Observable.just($0) }), "1 2 |")
        XCTAssertEqual(trace(numbers.flatMapLatest { Single.just($0) }), "1 2 |")
        XCTAssertEqual(trace(numbers.flatMapFirst { Maybe.just($0) }), "1 2 |")
        XCTAssertEqual(trace(numbers.concatMap { Observable.just($0) }), "1 2 |")
        XCTAssertEqual(trace(numbers.concat(Observable.just(3))), "1 2 3 |")
        XCTAssertEqual(trace(numbers.skip(until: Observable.just(0))), "1 2 |")
    }

    @available(*, deprecated)
    func testTimeInSeconds() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
        let result = scheduler.start {
            source.throttle(0.5, scheduler: scheduler).throttle(1, latest: false, scheduler: scheduler)
                .debounce(1, scheduler: scheduler).delay(1, scheduler: scheduler)
                .delaySubscription(1, scheduler: scheduler).timeout(.infinity, scheduler: scheduler)
                .timeout(100, other: Observable.just(0), scheduler: scheduler).take(500, scheduler: scheduler)
                .take(.seconds(500), scheduler: scheduler).skip(1, scheduler: scheduler)
                .buffer(timeSpan: 50, count: 1, scheduler: scheduler).map { $0.count }
                .window(timeSpan: 50, count: 1, scheduler: scheduler).merge()
        }
        XCTAssertEqual(result.events.filter { !$0.value.isStopEvent }.count, 3)
        let timers = TestScheduler(initialClock: 0)
        let ticks = timers.start(disposed: 450) {
            Observable.merge(
                Observable<Int>.interval(100, scheduler: timers), .timer(150, scheduler: timers),
                .timer(220, period: 10, scheduler: timers).take(1),
                Single<Int>.timer(50, scheduler: timers).delay(1, scheduler: timers)
                    .delaySubscription(1, scheduler: timers).timeout(100, scheduler: timers)
                    .timeout(100, other: .just(7), scheduler: timers).asObservable())
        }
        XCTAssertEqual(
            ticks.events, [.next(252, 0), .next(300, 0), .next(350, 0), .next(400, 1), .next(420, 0)])
        let shared = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: shared) {
            let result = shared.start(disposed: 430) {
                Driver.merge(Driver<Int>.interval(100), .timer(110, period: 100))
                    .throttle(1).debounce(1).delay(1)
            }
            XCTAssertEqual(result.events, [.next(302, 0), .next(312, 0), .next(402, 1), .next(412, 1)])
        }
    }
}
