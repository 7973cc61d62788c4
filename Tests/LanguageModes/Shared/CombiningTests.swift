import Streams
import Testing

/// Every arity of `zip` and `combineLatest`, with and without a selector, and the other operators of several streams.
@Suite("Operators of several streams", .timeLimit(.minutes(5)))
struct CombiningTests {
    nonisolated private struct Pair: Sendable {
        let first: Int
        let second: Int
    }

    private let o = Observable.just(1)

    @Test("zip takes two to eight streams")
    func zip() {
        expect(Observable.zip(o, o), "(1, 1) |")
        expect(Observable.zip(o, o) { $0 + $1 }, "2 |")
        expect(Observable.zip(o, o, resultSelector: { $0 + $1 }), "2 |")
        expect(Observable.zip(o, o, resultSelector: Pair.init).map { $0.second }, "1 |")
        expect(Observable.zip(o, o).map(Pair.init).map { $0.first }, "1 |")
        expect(Observable.zip(o, o, o), "(1, 1, 1) |")
        expect(Observable.zip(o, o, o) { $0 + $1 + $2 }, "3 |")
        expect(Observable.zip(o, o, o, o).map { $3 }, "1 |")
        expect(Observable.zip(o, o, o, o) { a, b, c, d in a + d }, "2 |")
        expect(Observable.zip(o, o, o, o, o).map { $4 }, "1 |")
        expect(Observable.zip(o, o, o, o, o) { a, b, c, d, e in a + e }, "2 |")
        expect(Observable.zip(o, o, o, o, o, o).map { $5 }, "1 |")
        expect(Observable.zip(o, o, o, o, o, o) { a, b, c, d, e, f in a + f }, "2 |")
        expect(Observable.zip(o, o, o, o, o, o, o).map { $6 }, "1 |")
        expect(Observable.zip(o, o, o, o, o, o, o) { a, b, c, d, e, f, g in a + g }, "2 |")
        expect(Observable.zip(o, o, o, o, o, o, o, o).map { $7 }, "1 |")
        expect(Observable.zip(o, o, o, o, o, o, o, o) { a, b, c, d, e, f, g, h in a + h }, "2 |")
        expect(Observable.zip([o, o]), "[1, 1] |")
        expect(Observable.zip([o, o]) { $0.reduce(0, +) }, "2 |")
    }

    @Test("combineLatest takes two to eight streams")
    func combineLatest() {
        expect(Observable.combineLatest(o, o), "(1, 1) |")
        expect(Observable.combineLatest(o, o) { $0 + $1 }, "2 |")
        expect(Observable.combineLatest(o, o, resultSelector: Pair.init).map { $0.first }, "1 |")
        expect(Observable.combineLatest(o, o, o), "(1, 1, 1) |")
        expect(Observable.combineLatest(o, o, o) { $0 + $1 + $2 }, "3 |")
        expect(Observable.combineLatest(o, o, o, o).map { $3 }, "1 |")
        expect(Observable.combineLatest(o, o, o, o) { a, b, c, d in a + d }, "2 |")
        expect(Observable.combineLatest(o, o, o, o, o).map { $4 }, "1 |")
        expect(Observable.combineLatest(o, o, o, o, o) { a, b, c, d, e in a + e }, "2 |")
        expect(Observable.combineLatest(o, o, o, o, o, o).map { $5 }, "1 |")
        expect(Observable.combineLatest(o, o, o, o, o, o) { a, b, c, d, e, f in a + f }, "2 |")
        expect(Observable.combineLatest(o, o, o, o, o, o, o).map { $6 }, "1 |")
        expect(Observable.combineLatest(o, o, o, o, o, o, o) { a, b, c, d, e, f, g in a + g }, "2 |")
        expect(Observable.combineLatest(o, o, o, o, o, o, o, o).map { $7 }, "1 |")
        expect(Observable.combineLatest(o, o, o, o, o, o, o, o) { a, b, c, d, e, f, g, h in a + h }, "2 |")
        expect(Observable.combineLatest([o, o]), "[1, 1] |")
        expect(Observable.combineLatest([o, o]) { $0.max() ?? 0 }, "1 |")
    }

    @Test("streams of different kinds can be combined")
    func streamsOfEveryKind() {
        let relay = BehaviorRelay(value: 1)
        let subject = BehaviorSubject(value: "s")
        let combined = Observable.combineLatest(relay, subject, o.asInfallible(onErrorJustReturn: 0).asObservable())
        expect(combined.map { "\($0)\($1)\($2)" }, "1s1")
        expect(Observable.merge(relay.map { _ in }, subject.map { _ in () }), "() ()")
        expect(relay.concat(Observable.just(2)).take(1), "1 |")
        expect(o.concat(Single.just(2)).concat(Maybe.empty()), "1 2 |")
        expect(Observable.of(o, .just(2)).merge(), "1 2 |")
        expect(Observable.of(Single.just(1), .just(2)).merge(maxConcurrent: 1), "1 2 |")
        expect(Observable.of(o, .just(2)).concat(), "1 2 |")
        expect(Observable.of(o, .just(2)).switchLatest(), "1 2 |")
        expect(o.amb(Observable.never()), "1 |")
        expect(o.withLatestFrom(subject), "s |")
        expect(o.withLatestFrom(subject) { "\($0)\($1)" }, "1s |")
        expect(o.withLatestFrom(relay, resultSelector: { ($0, $1) }), "(1, 1) |")
        expect(o.sample(Observable<Void>.never(), defaultValue: 3), "")
        expect(o.startWith(0).startWith(8, 9), "8 9 0 1 |")
        expect(Observable<Int>.empty().ifEmpty(default: 4), "4 |")
        expect(Observable<Int>.empty().ifEmpty(switchTo: .just(5)), "5 |")
    }
}
