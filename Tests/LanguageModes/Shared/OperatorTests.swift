import Foundation
import Streams
import StreamsTesting
import Testing

/// The operators of a single stream, with closures, key paths and method references. Compiling without a warning is
/// part of the test.
@Suite("Operators of one stream", .timeLimit(.minutes(5)))
struct OperatorTests {
    nonisolated private struct Item: Equatable, Sendable {
        var id: Int
        var name: String
    }

    private let numbers = Observable.of(1, 2, 3)
    private let items = Observable.of(Item(id: 1, name: "a"), Item(id: 1, name: "b"), Item(id: 2, name: "b"))

    nonisolated private func load(_ number: Int) -> Single<Int> { .just(number * 10) }
    nonisolated private func isOdd(_ number: Int) -> Bool { number % 2 == 1 }

    @Test("operators that transform take closures, key paths and method references")
    func transforming() {
        expect(numbers.map(String.init), "1 2 3 |")
        expect(items.map(\.id), "1 1 2 |")
        expect(Observable.of("1", "x").compactMap(Int.init), "1 |")
        expect(numbers.flatMap(load), "10 20 30 |")
        expect(numbers.flatMap { number in load(number) }, "10 20 30 |")
        expect(
            numbers.flatMapLatest { number -> Observable<Int> in
                if number == 2 { throw Failure.expected }
                return .just(number)
            }, "1 !expected")
        expect(numbers.flatMapFirst { Maybe.just($0) }, "1 2 3 |")
        expect(numbers.concatMap { Observable.of($0, $0) }, "1 1 2 2 3 3 |")
        expect(numbers.flatMap { $0 > 1 ? Observable.just($0) : Observable.empty() }, "2 3 |")
        expect(numbers.scan(0) { $0 + $1 }, "1 3 6 |")
        expect(numbers.scan(into: [Int]()) { $0.append($1) }, "[1] [1, 2] [1, 2, 3] |")
        expect(numbers.scan([]) { $0 + [$1] }.map { (list: [Int]) in list.count }, "1 2 3 |")
        expect(numbers.reduce(0) { $0 + $1 }, "6 |")
        expect(numbers.reduce(0, accumulator: { $0 + $1 }, mapResult: { "sum \($0)" }), "sum 6 |")
        expect(numbers.enumerated().map { $0.index + $0.element }, "1 3 5 |")
        expect(numbers.enumerated().filter { index, _ in index > 0 }.map { $1 }, "2 3 |")
        expect(items.groupBy { $0.id }.flatMap { group in group.map { "\(group.key)\($0.name)" } }, "1a 1b 2b |")
        expect(items.groupBy(keySelector: { $0.id }).map { $0.key }, "1 2 |")
        expect(numbers.materialize().compactMap(\.element), "1 2 3 |")
        expect(numbers.materialize().dematerialize(), "1 2 3 |")
        expect(numbers.toArray(), "[1, 2, 3] |")
        expect(Observable.just(Data("[1]".utf8)).decode(type: [Int].self, decoder: JSONDecoder()), "[1] |")
    }

    @Test("operators that filter take closures and key paths")
    func filtering() {
        expect(numbers.filter(isOdd), "1 3 |")
        expect(Observable.of("", "a").filter(\.isEmpty), " |")
        expect(items.distinctUntilChanged().map(\.name), "a b b |")
        expect(items.distinctUntilChanged(at: \.id).map(\.name), "a b |")
        expect(items.distinctUntilChanged(\.name).map(\.id), "1 1 |")
        expect(items.distinctUntilChanged { $0.id }.map(\.name), "a b |")
        expect(items.distinctUntilChanged { $0.id == $1.id }.map(\.name), "a b |")
        expect(items.distinctUntilChanged({ $0.id }, comparer: { $0 == $1 }).map(\.name), "a b |")
        expect(numbers.take(2).skip(1), "2 |")
        expect(numbers.takeLast(1), "3 |")
        expect(numbers.take(while: { $0 < 2 }), "1 |")
        expect(numbers.take(while: { $0 < 2 }, behavior: .inclusive), "1 2 |")
        expect(numbers.take(until: { $0 == 2 }, behavior: .inclusive), "1 2 |")
        expect(numbers.take(until: Observable<Void>.never()), "1 2 3 |")
        expect(numbers.skip(while: { $0 < 3 }), "3 |")
        expect(numbers.skip(until: Observable.just(())), "1 2 3 |")
        expect(numbers.element(at: 1), "2 |")
        expect(numbers.first(), "Optional(1) |")
        expect(numbers.single { $0 > 2 }, "3 |")
        expect(Observable.just(1).single(), "1 |")
        expect(numbers.ignoreElements(), "|")
    }

    @Test("error operators replace errors or retry")
    func errors() {
        let failing = numbers.concat(Observable.error(Failure.expected))
        expect(failing.catch { _ in .just(9) }, "1 2 3 9 |")
        expect(failing.catch { error -> Observable<Int> in throw error }, "1 2 3 !expected")
        expect(failing.catchAndReturn(9), "1 2 3 9 |")
        expect(failing.retry(2), "1 2 3 1 2 3 !expected")
        expect(failing.retry().take(4), "1 2 3 1 |")
        expect(failing.retry(when: { errors in errors.take(1) }).take(5), "1 2 3 1 2 |")
        expect(failing.retry { (errors: Observable<Failure>) in errors.take(1) }.take(4), "1 2 3 1 |")
        let giveUp = failing.retry(when: { (errors: Observable<any Error>) in
            errors.enumerated().flatMap { attempt, error -> Observable<Int> in
                attempt < 1 ? .just(attempt) : .error(error)
            }
        })
        expect(giveUp, "1 2 3 1 2 3 !expected")
    }

    @Test("timed operators run on the given scheduler")
    func timing() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
        let result = scheduler.start {
            source.throttle(.milliseconds(1), scheduler: scheduler)
                .throttle(.seconds(1), latest: false, scheduler: scheduler)
                .debounce(.seconds(1), scheduler: scheduler)
                .delay(.seconds(1), scheduler: scheduler)
                .delaySubscription(.seconds(1), scheduler: scheduler)
                .timeout(.seconds(100), scheduler: scheduler)
                .timeout(.seconds(100), other: Observable.just(0), scheduler: scheduler)
                .take(for: .seconds(500), scheduler: scheduler)
                .skip(.seconds(1), scheduler: scheduler)
        }
        #expect(result.events.compactMap(\.value.element) == [1, 2])
        let windows = TestScheduler(initialClock: 0)
        let hot = windows.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
        let counted = windows.start {
            Observable.zip(
                hot.buffer(timeSpan: .seconds(50), count: 2, scheduler: windows).map { $0.count },
                hot.window(timeSpan: .seconds(50), count: 2, scheduler: windows).flatMap { $0.toArray() }.map {
                    $0.count
                }
            ) { $0 + $1 }
        }
        #expect(counted.events.first == .next(220, 4))
    }

    @Test("sharing operators make one subscription")
    func sharing() {
        expect(numbers.share(), "1 2 3 |")
        expect(numbers.share(replay: 1), "1 2 3 |")
        expect(numbers.share(replay: 1, scope: .forever), "1 2 3 |")
        expect(numbers.share(scope: .whileConnected), "1 2 3 |")
        expect(numbers.publish().refCount(), "1 2 3 |")
        expect(numbers.multicast { PublishSubject<Int>() }.refCount(), "1 2 3 |")
        expect(numbers.multicast(makeSubject: { AsyncSubject<Int>() }).refCount(), "3 |")
        expect(
            numbers.multicast({ PublishSubject<Int>() }, selector: { Observable.zip($0, $0) { $0 + $1 } }), "2 4 6 |")
        let replayed: ConnectableObservable<Int> = numbers.replay(2)
        replayed.connect().dispose()
        let all = numbers.replayAll()
        let connection = all.connect()
        expect(all, "")
        connection.dispose()
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        let through = numbers.multicast(subject)
        through.connect().dispose()
        expect(through, "3 |")
    }

    @Test("do observes every event")
    func watching() {
        let log = Record()
        let watched = numbers.take(1)
            .do(onNext: { log.add("next \($0)") }, onError: { _ in }, onCompleted: { log.add("completed") })
            .do(onSubscribe: { log.add("subscribe") }, onSubscribed: { log.add("subscribed") })
            .do(afterNext: { log.add("after \($0)") }, onDispose: { log.add("disposed") })
            .do { log.add("element \($0)") }
        expect(watched, "1 |")
        #expect(log.words == ["subscribe", "subscribed", "next 1", "element 1", "after 1", "completed", "disposed"])
        expect(Observable.just(1).debug("numbers", trimOutput: true), "1 |")
    }

    @Test("closures without annotations compile in chains of operators")
    func unannotated() {
        let sums = unannotatedExpressions(.just(())).enumerated()
            .filter { $0.offset != 18 }  // a timer
            .map { trace($0.element.reduce(0) { $0 + $1 }) }
        let expected = [
            41, 41, 21, 41, 41, 41, 41, 20, 6, 6, 3, 6, 9, 20, 14, 20, 115, 21, 48, 48, 69, 20,
        ]
        #expect(sums == expected.map { "\($0) |" })
    }
}
