import Streams
import XCTest

/// Every arity of `zip` and `combineLatest`, with and without a selector, and what else takes several streams.
final class CombiningCallSiteTests: XCTestCase {
    private struct Pair {
        let first: Int
        let second: Int
    }

    private let o = Observable.just(1)

    func testZip() {
        XCTAssertEqual(said(Observable.zip(o, o)), "(1, 1) |")
        XCTAssertEqual(said(Observable.zip(o, o) { $0 + $1 }), "2 |")
        XCTAssertEqual(said(Observable.zip(o, o, resultSelector: { $0 + $1 })), "2 |")
        XCTAssertEqual(said(Observable.zip(o, o, resultSelector: Pair.init).map { $0.second }), "1 |")
        XCTAssertEqual(said(Observable.zip(o, o).map(Pair.init).map { $0.first }), "1 |")
        XCTAssertEqual(said(Observable.zip(o, o, o)), "(1, 1, 1) |")
        XCTAssertEqual(said(Observable.zip(o, o, o) { $0 + $1 + $2 }), "3 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o).map { $3 }), "1 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o) { a, b, c, d in a + d }), "2 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o, o).map { $4 }), "1 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o, o) { a, b, c, d, e in a + e }), "2 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o, o, o).map { $5 }), "1 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o, o, o) { a, b, c, d, e, f in a + f }), "2 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o, o, o, o).map { $6 }), "1 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o, o, o, o) { a, b, c, d, e, f, g in a + g }), "2 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o, o, o, o, o).map { $7 }), "1 |")
        XCTAssertEqual(said(Observable.zip(o, o, o, o, o, o, o, o) { a, b, c, d, e, f, g, h in a + h }), "2 |")
        XCTAssertEqual(said(Observable.zip([o, o])), "[1, 1] |")
        XCTAssertEqual(said(Observable.zip([o, o]) { $0.reduce(0, +) }), "2 |")
    }

    func testCombineLatest() {
        XCTAssertEqual(said(Observable.combineLatest(o, o)), "(1, 1) |")
        XCTAssertEqual(said(Observable.combineLatest(o, o) { $0 + $1 }), "2 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, resultSelector: Pair.init).map { $0.first }), "1 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o)), "(1, 1, 1) |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o) { $0 + $1 + $2 }), "3 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o).map { $3 }), "1 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o) { a, b, c, d in a + d }), "2 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o, o).map { $4 }), "1 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o, o) { a, b, c, d, e in a + e }), "2 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o, o, o).map { $5 }), "1 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o, o, o) { a, b, c, d, e, f in a + f }), "2 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o, o, o, o).map { $6 }), "1 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o, o, o, o) { a, b, c, d, e, f, g in a + g }), "2 |")
        XCTAssertEqual(said(Observable.combineLatest(o, o, o, o, o, o, o, o).map { $7 }), "1 |")
        XCTAssertEqual(
            said(Observable.combineLatest(o, o, o, o, o, o, o, o) { a, b, c, d, e, f, g, h in a + h }), "2 |")
        XCTAssertEqual(said(Observable.combineLatest([o, o])), "[1, 1] |")
        XCTAssertEqual(said(Observable.combineLatest([o, o]) { $0.max() ?? 0 }), "1 |")
    }

    func testStreamsOfEveryKind() {
        let relay = BehaviorRelay(value: 1)
        let subject = BehaviorSubject(value: "s")
        let combined = Observable.combineLatest(relay, subject, o.asInfallible(onErrorJustReturn: 0).asObservable())
        XCTAssertEqual(said(combined.map { "\($0)\($1)\($2)" }), "1s1")
        XCTAssertEqual(said(Observable.merge(relay.map { _ in }, subject.map { _ in () })), "() ()")
        XCTAssertEqual(said(relay.concat(Observable.just(2)).take(1)), "1 |")
        XCTAssertEqual(said(o.concat(Single.just(2)).concat(Maybe.empty())), "1 2 |")
        XCTAssertEqual(said(Observable.of(o, .just(2)).merge()), "1 2 |")
        XCTAssertEqual(said(Observable.of(Single.just(1), .just(2)).merge(maxConcurrent: 1)), "1 2 |")
        XCTAssertEqual(said(Observable.of(o, .just(2)).concat()), "1 2 |")
        XCTAssertEqual(said(Observable.of(o, .just(2)).switchLatest()), "1 2 |")
        XCTAssertEqual(said(o.amb(Observable.never())), "1 |")
        XCTAssertEqual(said(o.withLatestFrom(subject)), "s |")
        XCTAssertEqual(said(o.withLatestFrom(subject) { "\($0)\($1)" }), "1s |")
        XCTAssertEqual(said(o.withLatestFrom(relay, resultSelector: { ($0, $1) })), "(1, 1) |")
        XCTAssertEqual(said(o.sample(Observable<Void>.never(), defaultValue: 3)), "")
        XCTAssertEqual(said(o.startWith(0).startWith(8, 9)), "8 9 0 1 |")
        XCTAssertEqual(said(Observable<Int>.empty().ifEmpty(default: 4)), "4 |")
        XCTAssertEqual(said(Observable<Int>.empty().ifEmpty(switchTo: .just(5))), "5 |")
    }
}
