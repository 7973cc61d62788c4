import Foundation
import Streams
import StreamsTesting
import XCTest

/// Every way to create a stream, as used in Rx code.
final class CreatingCallSiteTests: XCTestCase {
    private final class Handle: Disposable {
        var isDisposed = false
        func dispose() { isDisposed = true }
    }

    func testElements() {
        XCTAssertEqual(trace(Observable.just(1)), "1 |")
        XCTAssertEqual(trace(Observable.of(1, 2, 3)), "1 2 3 |")
        XCTAssertEqual(trace(Observable<Int>.of()), "|")
        XCTAssertEqual(trace(Observable.of(1, 2, scheduler: CurrentThreadScheduler.instance)), "1 2 |")
        XCTAssertEqual(trace(Observable.from([1, 2])), "1 2 |")
        XCTAssertEqual(trace(Observable.from(1...3)), "1 2 3 |")
        XCTAssertEqual(trace(Observable.from(Set([1]))), "1 |")
        XCTAssertEqual(trace(Observable.from("ab")), "a b |")
        XCTAssertEqual(trace(Observable.from(["k": 1]).map { $0.key }), "k |")
        XCTAssertEqual(trace(Observable.from(stride(from: 0, to: 6, by: 2))), "0 2 4 |")
        XCTAssertEqual(trace(Observable.from(optional: Optional(1))), "1 |")
        XCTAssertEqual(trace(Observable<Int>.from(optional: nil)), "|")
        XCTAssertEqual(trace(Observable.from(optional: 1, scheduler: CurrentThreadScheduler.instance)), "1 |")
        XCTAssertEqual(trace(Observable.range(start: 5, count: 2)), "5 6 |")
        XCTAssertEqual(
            trace(Observable.range(start: Int64(5), count: 2, scheduler: CurrentThreadScheduler.instance)), "5 6 |")
        XCTAssertEqual(trace(Observable.repeatElement("a").take(2)), "a a |")
        XCTAssertEqual(
            trace(Observable.generate(initialState: 0, condition: { $0 < 3 }, iterate: { $0 + 1 })), "0 1 2 |")
        XCTAssertEqual(trace(Observable.generate(initialState: 0, condition: { $0 < 3 }) { $0 + 2 }), "0 2 |")
        XCTAssertEqual(trace(Observable<Void>.just(())), "() |")
    }

    func testEnds() {
        XCTAssertEqual(trace(Observable<Int>.empty()), "|")
        XCTAssertEqual(trace(Observable<Int>.never()), "")
        XCTAssertEqual(trace(Observable<Int>.error(Failure.expected)), "!expected")
        XCTAssertEqual(trace(Observable<Int>.error(NSError(domain: "d", code: 1)).catchAndReturn(0)), "0 |")
    }

    func testImplicitMembers() {
        let just: Observable<Int> = .just(1)
        let merged: Observable<Int> = .merge(.just(1), .empty(), just)
        let pairs: Observable<(Int, Int)> = .combineLatest(just, just) { ($0, $1) }
        let labelled: Observable<(Int, Int)> = .zip(just, just, resultSelector: { ($0, $1) })
        XCTAssertEqual(trace(merged), "1 1 |")
        XCTAssertEqual(trace(pairs.map { $0.0 + $0.1 }), "2 |")
        XCTAssertEqual(trace(labelled.map { $0 + $1 }), "2 |")
        XCTAssertEqual(trace(Observable<Int>.concat([.just(1), .error(Failure.expected)])), "1 !expected")
    }

    func testCreate() {
        var isDisposed = false
        let letters = Observable<String>.create { observer in
            observer.onNext("a")
            observer.on(.next("b"))
            observer.on(.completed)
            observer.onNext("c")
            return Disposables.create { isDisposed = true }
        }
        XCTAssertEqual(trace(letters), "a b |")
        XCTAssertTrue(isDisposed)
        let inferred: Observable<Int> = Observable.create { observer -> Disposable in
            observer.onError(Failure.expected)
            return Disposables.create()
        }
        XCTAssertEqual(trace(inferred), "!expected")
    }

    func testFactories() {
        var count = 0
        let deferred = Observable.deferred { () -> Observable<Int> in
            count += 1
            return .just(count)
        }
        XCTAssertEqual(trace(deferred) + trace(deferred), "1 |2 |")
        XCTAssertEqual(trace(Observable<Int>.deferred { throw Failure.expected }), "!expected")
        let handle = Handle()
        let using = Observable.using({ handle }, observableFactory: { handle in Observable.just(handle.isDisposed) })
        XCTAssertEqual(trace(using), "false |")
        XCTAssertTrue(handle.isDisposed)
    }

    func testTimers() {
        let scheduler = TestScheduler(initialClock: 0)
        let interval = scheduler.start(disposed: 500) {
            Observable<Int>.interval(.seconds(100), scheduler: scheduler)
        }
        XCTAssertEqual(interval.events, [.next(300, 0), .next(400, 1)])
        let once = TestScheduler(initialClock: 0)
        XCTAssertEqual(
            once.start { Observable<Int64>.timer(.milliseconds(300_000), scheduler: once) }.events,
            [.next(500, 0), .completed(500)])
        let periodic = TestScheduler(initialClock: 0)
        let timer = periodic.start(disposed: 320) {
            Observable<Int>.timer(.seconds(100), period: .seconds(10), scheduler: periodic)
        }
        XCTAssertEqual(timer.events, [.next(300, 0), .next(310, 1)])
    }

    func testSequences() {
        XCTAssertEqual(trace(Observable.concat((1...3).map { Observable.just($0) })), "1 2 3 |")
        XCTAssertEqual(trace(Observable.concat(Observable.just(1), .just(2))), "1 2 |")
        XCTAssertEqual(trace(Observable.merge([Observable.just(1), .just(2)])), "1 2 |")
        XCTAssertEqual(trace(Observable.amb([Observable.never(), .just(2)])), "2 |")
        XCTAssertEqual(trace(Observable.catch(sequence: [Observable.error(Failure.expected), .just(2)])), "2 |")
    }
}
