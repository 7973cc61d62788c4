import Streams
import XCTest

/// Every arity of `zip` and `combineLatest`, with and without a selector, and the other operators of several streams.
final class CombiningCallSiteTests: XCTestCase {
    private struct Pair {
        let first: Int
        let second: Int
    }

    private let o = Observable.just(1)

    func testZip() {
        XCTAssertEqual(trace(Observable.zip(o, o)), "(1, 1) |")
        XCTAssertEqual(trace(Observable.zip(o, o) { $0 + $1 }), "2 |")
        XCTAssertEqual(trace(Observable.zip(o, o, resultSelector: { $0 + $1 })), "2 |")
        XCTAssertEqual(trace(Observable.zip(o, o, resultSelector: Pair.init).map { $0.second }), "1 |")
        XCTAssertEqual(trace(Observable.zip(o, o).map(Pair.init).map { $0.first }), "1 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o)), "(1, 1, 1) |")
        XCTAssertEqual(trace(Observable.zip(o, o, o) { $0 + $1 + $2 }), "3 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o).map { $3 }), "1 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o) { a, b, c, d in a + d }), "2 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o, o).map { $4 }), "1 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o, o) { a, b, c, d, e in a + e }), "2 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o, o, o).map { $5 }), "1 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o, o, o) { a, b, c, d, e, f in a + f }), "2 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o, o, o, o).map { $6 }), "1 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o, o, o, o) { a, b, c, d, e, f, g in a + g }), "2 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o, o, o, o, o).map { $7 }), "1 |")
        XCTAssertEqual(trace(Observable.zip(o, o, o, o, o, o, o, o) { a, b, c, d, e, f, g, h in a + h }), "2 |")
        XCTAssertEqual(trace(Observable.zip([o, o])), "[1, 1] |")
        XCTAssertEqual(trace(Observable.zip([o, o]) { $0.reduce(0, +) }), "2 |")
    }

    func testCombineLatest() {
        XCTAssertEqual(trace(Observable.combineLatest(o, o)), "(1, 1) |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o) { $0 + $1 }), "2 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, resultSelector: Pair.init).map { $0.first }), "1 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o)), "(1, 1, 1) |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o) { $0 + $1 + $2 }), "3 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o).map { $3 }), "1 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o) { a, b, c, d in a + d }), "2 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o, o).map { $4 }), "1 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o, o) { a, b, c, d, e in a + e }), "2 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o, o, o).map { $5 }), "1 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o, o, o) { a, b, c, d, e, f in a + f }), "2 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o, o, o, o).map { $6 }), "1 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o, o, o, o) { a, b, c, d, e, f, g in a + g }), "2 |")
        XCTAssertEqual(trace(Observable.combineLatest(o, o, o, o, o, o, o, o).map { $7 }), "1 |")
        XCTAssertEqual(
            trace(Observable.combineLatest(o, o, o, o, o, o, o, o) { a, b, c, d, e, f, g, h in a + h }), "2 |")
        XCTAssertEqual(trace(Observable.combineLatest([o, o])), "[1, 1] |")
        XCTAssertEqual(trace(Observable.combineLatest([o, o]) { $0.max() ?? 0 }), "1 |")
    }

    func testStreamsOfEveryKind() {
        let relay = BehaviorRelay(value: 1)
        let subject = BehaviorSubject(value: "s")
        let combined = Observable.combineLatest(relay, subject, o.asInfallible(onErrorJustReturn: 0).asObservable())
        XCTAssertEqual(trace(combined.map { "\($0)\($1)\($2)" }), "1s1")
        XCTAssertEqual(trace(Observable.merge(relay.map { _ in }, subject.map { _ in () })), "() ()")
        XCTAssertEqual(trace(relay.concat(Observable.just(2)).take(1)), "1 |")
        XCTAssertEqual(trace(o.concat(Single.just(2)).concat(Maybe.empty())), "1 2 |")
        XCTAssertEqual(trace(Observable.of(o, .just(2)).merge()), "1 2 |")
        XCTAssertEqual(trace(Observable.of(Single.just(1), .just(2)).merge(maxConcurrent: 1)), "1 2 |")
        XCTAssertEqual(trace(Observable.of(o, .just(2)).concat()), "1 2 |")
        XCTAssertEqual(trace(Observable.of(o, .just(2)).switchLatest()), "1 2 |")
        XCTAssertEqual(trace(o.amb(Observable.never())), "1 |")
        XCTAssertEqual(trace(o.withLatestFrom(subject)), "s |")
        XCTAssertEqual(trace(o.withLatestFrom(subject) { "\($0)\($1)" }), "1s |")
        XCTAssertEqual(trace(o.withLatestFrom(relay, resultSelector: { ($0, $1) })), "(1, 1) |")
        XCTAssertEqual(trace(o.sample(Observable<Void>.never(), defaultValue: 3)), "")
        XCTAssertEqual(trace(o.startWith(0).startWith(8, 9)), "8 9 0 1 |")
        XCTAssertEqual(trace(Observable<Int>.empty().ifEmpty(default: 4)), "4 |")
        XCTAssertEqual(trace(Observable<Int>.empty().ifEmpty(switchTo: .just(5))), "5 |")
    }
}
