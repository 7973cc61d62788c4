import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing

/// Every way to create a stream. Compiling without a warning is part of the test.
@Suite("Creating streams", .timeLimit(.minutes(5)))
struct CreatingTests {
    @Test("factories of elements emit them")
    func elements() {
        expect(Observable.just(1), "1 |")
        expect(Observable.of(1, 2, 3), "1 2 3 |")
        expect(Observable<Int>.of(), "|")
        expect(Observable.of(1, 2, scheduler: CurrentThreadScheduler.instance), "1 2 |")
        expect(Observable.from([1, 2]), "1 2 |")
        expect(Observable.from(1...3), "1 2 3 |")
        expect(Observable.from(Set([1])), "1 |")
        expect(Observable.from("ab"), "a b |")
        expect(Observable.from(["k": 1]).map { $0.key }, "k |")
        expect(Observable.from(stride(from: 0, to: 6, by: 2)), "0 2 4 |")
        expect(Observable.from(optional: Optional(1)), "1 |")
        expect(Observable<Int>.from(optional: nil), "|")
        expect(Observable.from(optional: 1, scheduler: CurrentThreadScheduler.instance), "1 |")
        expect(Observable.range(start: 5, count: 2), "5 6 |")
        expect(Observable.range(start: Int64(5), count: 2, scheduler: CurrentThreadScheduler.instance), "5 6 |")
        expect(Observable.repeatElement("a").take(2), "a a |")
        expect(Observable.generate(initialState: 0, condition: { $0 < 3 }, iterate: { $0 + 1 }), "0 1 2 |")
        expect(Observable.generate(initialState: 0, condition: { $0 < 3 }) { $0 + 2 }, "0 2 |")
        expect(Observable<Void>.just(()), "() |")
    }

    @Test("factories of terminal events emit them")
    func ends() {
        expect(Observable<Int>.empty(), "|")
        expect(Observable<Int>.never(), "")
        expect(Observable<Int>.error(Failure.expected), "!expected")
        expect(Observable<Int>.error(NSError(domain: "d", code: 1)).catchAndReturn(0), "0 |")
    }

    @Test("factories are found as implicit members")
    func implicitMembers() {
        let just: Observable<Int> = .just(1)
        let merged: Observable<Int> = .merge(.just(1), .empty(), just)
        let pairs: Observable<(Int, Int)> = .combineLatest(just, just) { ($0, $1) }
        let labelled: Observable<(Int, Int)> = .zip(just, just, resultSelector: { ($0, $1) })
        expect(merged, "1 1 |")
        expect(pairs.map { $0.0 + $0.1 }, "2 |")
        expect(labelled.map { $0 + $1 }, "2 |")
        expect(Observable<Int>.concat([.just(1), .error(Failure.expected)]), "1 !expected")
    }

    @Test("create emits the events of its observer until termination")
    func create() {
        let disposals = Record()
        let letters = Observable<String>.create { observer in
            observer.onNext("a")
            observer.on(.next("b"))
            observer.on(.completed)
            observer.onNext("c")
            return Disposables.create { disposals.add("disposed") }
        }
        expect(letters, "a b |")
        #expect(disposals.text == "disposed")
        let inferred: Observable<Int> = Observable.create { observer -> any Disposable in
            observer.onError(Failure.expected)
            return Disposables.create()
        }
        expect(inferred, "!expected")
    }

    @Test("deferred and using call their factories for each subscription")
    func factories() {
        let count = Atomic(0)
        let deferred = Observable.deferred { () -> Observable<Int> in
            .just(count.add(1, ordering: .relaxed).newValue)
        }
        #expect(trace(deferred) + trace(deferred) == "1 |2 |")
        expect(Observable<Int>.deferred { throw Failure.expected }, "!expected")
        let handle = BooleanDisposable()
        let using = Observable.using({ handle }, observableFactory: { handle in Observable.just(handle.isDisposed) })
        expect(using, "false |")
        #expect(handle.isDisposed)
    }

    @Test("timers count on their scheduler")
    func timers() {
        let scheduler = TestScheduler(initialClock: 0)
        let interval = scheduler.start(disposed: 500) {
            Observable<Int>.interval(.seconds(100), scheduler: scheduler)
        }
        #expect(interval.events == [.next(300, 0), .next(400, 1)])
        let once = TestScheduler(initialClock: 0)
        #expect(
            once.start { Observable<Int64>.timer(.milliseconds(300_000), scheduler: once) }.events == [
                .next(500, 0), .completed(500),
            ])
        let periodic = TestScheduler(initialClock: 0)
        let timer = periodic.start(disposed: 320) {
            Observable<Int>.timer(.seconds(100), period: .seconds(10), scheduler: periodic)
        }
        #expect(timer.events == [.next(300, 0), .next(310, 1)])
    }

    @Test("sequences of streams can be concatenated and merged")
    func sequences() {
        expect(Observable.concat((1...3).map { Observable.just($0) }), "1 2 3 |")
        expect(Observable.concat(Observable.just(1), .just(2)), "1 2 |")
        expect(Observable.merge([Observable.just(1), .just(2)]), "1 2 |")
        expect(Observable.amb([Observable.never(), .just(2)]), "2 |")
        expect(Observable.catch(sequence: [Observable.error(Failure.expected), .just(2)]), "2 |")
    }
}
