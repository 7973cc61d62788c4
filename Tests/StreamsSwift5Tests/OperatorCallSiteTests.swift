import Foundation
import Streams
import StreamsTesting
import XCTest

/// The operators of a single stream, with closures, key paths and method references as in Rx code.
final class OperatorCallSiteTests: XCTestCase {
    private struct Item: Equatable {
        var id: Int
        var name: String
    }

    private let numbers = Observable.of(1, 2, 3)
    private let items = Observable.of(Item(id: 1, name: "a"), Item(id: 1, name: "b"), Item(id: 2, name: "b"))

    private func load(_ number: Int) -> Single<Int> { .just(number * 10) }
    private func isOdd(_ number: Int) -> Bool { number % 2 == 1 }

    func testTransforming() {
        XCTAssertEqual(trace(numbers.map(String.init)), "1 2 3 |")
        XCTAssertEqual(trace(items.map(\.id)), "1 1 2 |")
        XCTAssertEqual(trace(Observable.of("1", "x").compactMap(Int.init)), "1 |")
        XCTAssertEqual(trace(numbers.flatMap(load)), "10 20 30 |")
        XCTAssertEqual(trace(numbers.flatMap { [weak self] in self?.load($0) ?? .never() }), "10 20 30 |")
        XCTAssertEqual(
            trace(
                numbers.flatMapLatest { number -> Observable<Int> in
                    if number == 2 { throw Failure.expected }
                    return .just(number)
                }), "1 !expected")
        XCTAssertEqual(trace(numbers.flatMapFirst { Maybe.just($0) }), "1 2 3 |")
        XCTAssertEqual(trace(numbers.concatMap { Observable.of($0, $0) }), "1 1 2 2 3 3 |")
        XCTAssertEqual(trace(numbers.flatMap { $0 > 1 ? Observable.just($0) : Observable.empty() }), "2 3 |")
        XCTAssertEqual(trace(numbers.scan(0) { $0 + $1 }), "1 3 6 |")
        XCTAssertEqual(trace(numbers.scan(into: [Int]()) { $0.append($1) }), "[1] [1, 2] [1, 2, 3] |")
        XCTAssertEqual(trace(numbers.scan([]) { $0 + [$1] }.map { (list: [Int]) in list.count }), "1 2 3 |")
        XCTAssertEqual(trace(numbers.reduce(0) { $0 + $1 }), "6 |")
        XCTAssertEqual(trace(numbers.reduce(0, accumulator: { $0 + $1 }, mapResult: { "sum \($0)" })), "sum 6 |")
        XCTAssertEqual(trace(numbers.enumerated().map { $0.index + $0.element }), "1 3 5 |")
        XCTAssertEqual(trace(numbers.enumerated().filter { index, _ in index > 0 }.map { $1 }), "2 3 |")
        XCTAssertEqual(
            trace(items.groupBy { $0.id }.flatMap { group in group.map { "\(group.key)\($0.name)" } }), "1a 1b 2b |")
        XCTAssertEqual(trace(items.groupBy(keySelector: { $0.id }).map { $0.key }), "1 2 |")
        XCTAssertEqual(trace(numbers.materialize().compactMap(\.element)), "1 2 3 |")
        XCTAssertEqual(trace(numbers.materialize().dematerialize()), "1 2 3 |")
        XCTAssertEqual(trace(numbers.toArray()), "[1, 2, 3] |")
        XCTAssertEqual(
            trace(Observable.just(Data("[1]".utf8)).decode(type: [Int].self, decoder: JSONDecoder())), "[1] |")
    }

    func testFiltering() {
        XCTAssertEqual(trace(numbers.filter(isOdd)), "1 3 |")
        XCTAssertEqual(trace(Observable.of("", "a").filter(\.isEmpty)), " |")
        XCTAssertEqual(trace(items.distinctUntilChanged().map(\.name)), "a b b |")
        XCTAssertEqual(trace(items.distinctUntilChanged(at: \.id).map(\.name)), "a b |")
        XCTAssertEqual(trace(items.distinctUntilChanged(\.name).map(\.id)), "1 1 |")
        XCTAssertEqual(trace(items.distinctUntilChanged { $0.id }.map(\.name)), "a b |")
        XCTAssertEqual(trace(items.distinctUntilChanged { $0.id == $1.id }.map(\.name)), "a b |")
        XCTAssertEqual(trace(items.distinctUntilChanged({ $0.id }, comparer: { $0 == $1 }).map(\.name)), "a b |")
        XCTAssertEqual(trace(numbers.take(2).skip(1)), "2 |")
        XCTAssertEqual(trace(numbers.takeLast(1)), "3 |")
        XCTAssertEqual(trace(numbers.take(while: { $0 < 2 })), "1 |")
        XCTAssertEqual(trace(numbers.take(while: { $0 < 2 }, behavior: .inclusive)), "1 2 |")
        XCTAssertEqual(trace(numbers.take(until: { $0 == 2 }, behavior: .inclusive)), "1 2 |")
        XCTAssertEqual(trace(numbers.take(until: Observable<Void>.never())), "1 2 3 |")
        XCTAssertEqual(trace(numbers.skip(while: { $0 < 3 })), "3 |")
        XCTAssertEqual(trace(numbers.skip(until: Observable.just(()))), "1 2 3 |")
        XCTAssertEqual(trace(numbers.element(at: 1)), "2 |")
        XCTAssertEqual(trace(numbers.first()), "Optional(1) |")
        XCTAssertEqual(trace(numbers.single { $0 > 2 }), "3 |")
        XCTAssertEqual(trace(Observable.just(1).single()), "1 |")
        XCTAssertEqual(trace(numbers.ignoreElements()), "|")
    }

    func testErrors() {
        let failing = numbers.concat(Observable.error(Failure.expected))
        XCTAssertEqual(trace(failing.catch { _ in .just(9) }), "1 2 3 9 |")
        XCTAssertEqual(trace(failing.catch { error -> Observable<Int> in throw error }), "1 2 3 !expected")
        XCTAssertEqual(trace(failing.catchAndReturn(9)), "1 2 3 9 |")
        XCTAssertEqual(trace(failing.retry(2)), "1 2 3 1 2 3 !expected")
        XCTAssertEqual(trace(failing.retry().take(4)), "1 2 3 1 |")
        XCTAssertEqual(trace(failing.retry(when: { errors in errors.take(1) }).take(5)), "1 2 3 1 2 |")
        XCTAssertEqual(trace(failing.retry { (errors: Observable<Failure>) in errors.take(1) }.take(4)), "1 2 3 1 |")
        let giveUp = failing.retry(when: { (errors: Observable<Error>) in
            errors.enumerated().flatMap { attempt, error -> Observable<Int> in
                attempt < 1 ? .just(attempt) : .error(error)
            }
        })
        XCTAssertEqual(trace(giveUp), "1 2 3 1 2 3 !expected")
    }

    func testTiming() {
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
        XCTAssertRecordedElements(result.events, [1, 2])
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
        XCTAssertEqual(counted.events.first, .next(220, 4))
    }

    func testSharing() {
        XCTAssertEqual(trace(numbers.share()), "1 2 3 |")
        XCTAssertEqual(trace(numbers.share(replay: 1)), "1 2 3 |")
        XCTAssertEqual(trace(numbers.share(replay: 1, scope: .forever)), "1 2 3 |")
        XCTAssertEqual(trace(numbers.share(scope: .whileConnected)), "1 2 3 |")
        XCTAssertEqual(trace(numbers.publish().refCount()), "1 2 3 |")
        XCTAssertEqual(trace(numbers.multicast { PublishSubject<Int>() }.refCount()), "1 2 3 |")
        XCTAssertEqual(trace(numbers.multicast(makeSubject: { AsyncSubject<Int>() }).refCount()), "3 |")
        XCTAssertEqual(
            trace(numbers.multicast({ PublishSubject<Int>() }, selector: { Observable.zip($0, $0) { $0 + $1 } })),
            "2 4 6 |")
        let replayed: ConnectableObservable<Int> = numbers.replay(2)
        replayed.connect().dispose()
        let all = numbers.replayAll()
        let connection = all.connect()
        XCTAssertEqual(trace(all), "")
        connection.dispose()
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        let through = numbers.multicast(subject)
        through.connect().dispose()
        XCTAssertEqual(trace(through), "3 |")
    }

    func testWatching() {
        var log: [String] = []
        let watched = numbers.take(1)
            .do(onNext: { log.append("next \($0)") }, onError: { _ in }, onCompleted: { log.append("completed") })
            .do(onSubscribe: { log.append("subscribe") }, onSubscribed: { log.append("subscribed") })
            .do(afterNext: { log.append("after \($0)") }, onDispose: { log.append("disposed") })
            .do { log.append("element \($0)") }
        XCTAssertEqual(trace(watched), "1 |")
        XCTAssertEqual(log, ["subscribe", "subscribed", "next 1", "element 1", "after 1", "completed", "disposed"])
        XCTAssertEqual(trace(Observable.just(1).debug("numbers", trimOutput: true)), "1 |")
    }
}
