import Foundation
import Streams
import StreamsTesting
import XCTest

/// Rx code in the Swift 5 language mode: captured variables, elements and observers that are not `Sendable`, and view
/// models without isolation. Compiling without a warning is part of the test.
final class CounterViewModel {
    final class Reading {
        var value: Int
        var note: String?

        init(value: Int) {
            self.value = value
        }
    }

    struct Input {
        let increment: Observable<Void>
        let decrement: Observable<Void>
    }

    struct Output {
        let reading: Observable<Reading>
        let label: Driver<String>
    }

    private let bag = DisposeBag()
    private let total = BehaviorRelay(value: 0)
    var lastSeen = 0

    func transform(_ input: Input) -> Output {
        Observable.merge(input.increment.map { 1 }, input.decrement.map { -1 })
            .withLatestFrom(total) { $0 + $1 }
            .subscribe(onNext: { [weak self] value in
                self?.lastSeen = value
                self?.total.accept(value)
            })
            .disposed(by: bag)
        return Output(
            reading: total.map { Reading(value: $0) },
            label: total.map { "\($0)" }.asDriver(onErrorJustReturn: "?"))
    }
}

final class CounterViewModelTests: XCTestCase {
    var scheduler: TestScheduler!
    var bag: DisposeBag!

    override func setUp() {
        scheduler = TestScheduler(initialClock: 0)
        bag = DisposeBag()
    }

    private func load(_ number: Int) -> Single<Int> { .just(number * 10) }

    func testReadings() {
        let model = CounterViewModel()
        let increment = scheduler.createHotObservable([.next(210, ()), .next(220, ()), .next(240, ())])
        let decrement = scheduler.createHotObservable([.next(230, ())])
        let output = model.transform(
            .init(increment: increment.asObservable(), decrement: decrement.asObservable()))

        let values = scheduler.createObserver(Int.self)
        output.reading.map { $0.value }.subscribe(values).disposed(by: bag)
        scheduler.start()

        XCTAssertEqual(values.events, [.next(0, 0), .next(210, 1), .next(220, 2), .next(230, 1), .next(240, 2)])
        XCTAssertRecordedElements(values.events, [0, 1, 2, 1, 2])
        XCTAssertEqual(model.lastSeen, 2)
    }

    func testCapturedVariables() {
        var seen: [Int] = []
        var ended = false
        Observable.of(1, 2, 3)
            .do(onNext: { seen.append($0) })
            .filter { $0 > 1 }
            .subscribe(onNext: { seen.append($0 * 10) }, onCompleted: { ended = true })
            .disposed(by: bag)
        XCTAssertEqual(seen, [1, 2, 20, 3, 30])
        XCTAssertTrue(ended)
    }

    func testCapturedStateOfFactories() {
        final class Handle: Disposable {
            var isDisposed = false
            func dispose() { isDisposed = true }
        }
        var isDisposed = false
        let letters = Observable<String>.create { observer in
            observer.onNext("a")
            observer.on(.completed)
            observer.onNext("c")
            return Disposables.create { isDisposed = true }
        }
        XCTAssertEqual(trace(letters), "a |")
        XCTAssertTrue(isDisposed)
        var count = 0
        let deferred = Observable.deferred { () -> Observable<Int> in
            count += 1
            return .just(count)
        }
        XCTAssertEqual(trace(deferred) + trace(deferred), "1 |2 |")
        let handle = Handle()
        let using = Observable.using({ handle }, observableFactory: { handle in Observable.just(handle.isDisposed) })
        XCTAssertEqual(trace(using), "false |")
        XCTAssertTrue(handle.isDisposed)
    }

    func testCapturedStateOfOperators() {
        var log: [String] = []
        let watched = Observable.of(1, 2).take(1)
            .do(onNext: { log.append("next \($0)") }, onError: { _ in }, onCompleted: { log.append("completed") })
            .do(onSubscribe: { log.append("subscribe") }, onSubscribed: { log.append("subscribed") })
            .do(afterNext: { log.append("after \($0)") }, onDispose: { log.append("disposed") })
            .do { log.append("element \($0)") }
        XCTAssertEqual(trace(watched), "1 |")
        XCTAssertEqual(log, ["subscribe", "subscribed", "next 1", "element 1", "after 1", "completed", "disposed"])
        XCTAssertEqual(trace(Observable.of(1, 2).flatMap { [weak self] in self?.load($0) ?? .never() }), "10 20 |")
        XCTAssertEqual(trace(Observable.of(1, 2).flatMap(load)), "10 20 |")
        let giveUp = Observable<Int>.error(Failure.expected).retry(when: { (errors: Observable<Error>) in
            errors.flatMap { error -> Observable<Int> in .error(error) }
        })
        XCTAssertEqual(trace(giveUp), "!expected")
    }

    func testElementsThatAreNotSendable() {
        let subject = PublishSubject<CounterViewModel.Reading>()
        var notes: [String] = []
        subject
            .scan(into: [CounterViewModel.Reading]()) { $0.append($1) }
            .compactMap { $0.last?.note }
            .subscribe(onNext: { notes.append($0) })
            .disposed(by: bag)
        let reading = CounterViewModel.Reading(value: 1)
        subject.onNext(reading)
        reading.note = "one"
        subject.onNext(reading)
        XCTAssertEqual(notes, ["one"])
    }

    func testSchedulerClosures() {
        var ticks: [Int] = []
        scheduler.scheduleAt(10) { ticks.append(self.scheduler.clock) }
        let result = scheduler.start(created: 0, subscribed: 5, disposed: 50) {
            Observable<Int>.interval(.seconds(10), scheduler: self.scheduler).take(3)
        }
        XCTAssertEqual(ticks, [10])
        XCTAssertEqual(result.events, [.next(15, 0), .next(25, 1), .next(35, 2), .completed(35)])
    }

    func testCustomObserversAndObservables() {
        struct Letters: ObservableType {
            typealias Element = String

            func subscribe<Observer: ObserverType>(_ observer: Observer) -> Disposable
            where Observer.Element == String {
                observer.on(.next("a"))
                observer.onCompleted()
                return Disposables.create()
            }
        }
        final class Collector: ObserverType {
            typealias Element = String

            var events: [Event<String>] = []

            func on(_ event: Event<String>) { events.append(event) }
        }
        let collector = Collector()
        Letters().map { $0.uppercased() }.subscribe(collector).disposed(by: bag)
        XCTAssertEqual(collector.events, [.next("A"), .completed])
    }

    func testBlocking() throws {
        XCTAssertEqual(try Observable.of(1, 2, 3).toBlocking().toArray(), [1, 2, 3])
        XCTAssertEqual(try Single.just(1).toBlocking(timeout: 1).first(), 1)
        // The waiting main thread runs the work of the main queue.
        let numbers = Observable.of(1, 2)
            .observe(on: SerialDispatchQueueScheduler(qos: .userInitiated))
            .observe(on: MainScheduler.instance)
        XCTAssertEqual(try numbers.toBlocking(timeout: 30).toArray(), [1, 2])
    }

    func testCustomScheduler() {
        final class Immediate: SchedulerType {
            let now = Date(timeIntervalSince1970: 0)
            var count = 0

            func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> Disposable) -> Disposable {
                count += 1
                return action(state)
            }

            func scheduleRelative<StateType>(
                _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> Disposable
            ) -> Disposable {
                count += 1
                return action(state)
            }
        }
        let scheduler = Immediate()
        var elements: [Int] = []
        Observable.just(1, scheduler: scheduler).delay(.seconds(1), scheduler: scheduler)
            .subscribe(onNext: { elements.append($0) }).disposed(by: bag)
        XCTAssertEqual(elements, [1])
        XCTAssertEqual(scheduler.count > 0, true)
    }
}
