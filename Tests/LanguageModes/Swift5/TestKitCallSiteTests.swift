import Foundation
import Streams
import StreamsTesting
import XCTest

/// The test scheduler, recorded events and blocking observables, as used in tests of Rx code.
final class TestKitCallSiteTests: XCTestCase {
    private struct Point: Equatable {
        let x: Int
        let y: Int?
    }

    private let error = NSError(domain: "test", code: -1)
    private var scheduler: TestScheduler!
    private var bag: DisposeBag!

    override func setUp() {
        super.setUp()
        scheduler = TestScheduler(initialClock: 0)
        bag = DisposeBag()
    }

    override func tearDown() {
        scheduler = nil
        bag = nil
        super.tearDown()
    }

    func testHotAndCold() {
        let hot = scheduler.createHotObservable([.next(150, 1), .next(210, 2), .next(220, 3), .completed(250)])
        let cold = scheduler.createColdObservable([Recorded.next(5, "a"), .completed(10)])
        let result = scheduler.start { hot.flatMap { number in cold.map { "\(number)\($0)" } } }
        XCTAssertEqual(result.events, [.next(215, "2a"), .next(225, "3a"), .completed(250)])
        XCTAssertEqual(hot.subscriptions, [Subscription(200, 250)])
        XCTAssertEqual(cold.subscriptions, [Subscription(210, 220), Subscription(220, 230)])
        XCTAssertEqual(hot.recordedEvents.count, 4)
    }

    func testWaysToStart() {
        let hot = scheduler.createHotObservable([.next(210, 1), .error(350, error)])
        let all = scheduler.start(created: 100, subscribed: 200, disposed: 400) { hot.map { $0 } }
        XCTAssertEqual(all.events, [.next(210, 1), .error(350, error)])
        let other = TestScheduler(initialClock: 0, resolution: 1, simulateProcessingDelay: false)
        let quick: TestableObserver<Int> = other.start(disposed: 201) { Observable.of(1, 2, scheduler: other) }
        XCTAssertEqual(quick.events, [.next(200, 1), .next(200, 2), .completed(200)])
        let third = TestScheduler(initialClock: 0)
        let trait = third.start { Single.just(1) }
        XCTAssertEqual(trait.events, [.next(TestScheduler.Defaults.subscribed, 1), .completed(200)])
        let fourth = TestScheduler(initialClock: 0)
        let multiline = fourth.start(disposed: 300) { () -> Observable<Int> in
            let numbers = Observable.of(1)
            return numbers.concat(Observable.never())
        }
        XCTAssertEqual(multiline.events, [.next(200, 1)])
    }

    func testObservers() {
        let numbers = scheduler.createObserver(Int.self)
        let texts = scheduler.createObserver(String?.self)
        let lists = scheduler.createObserver([Int].self)
        let voids = scheduler.createObserver(Void.self)
        let points = scheduler.createObserver(Point.self)
        let source = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .completed(30)])
        source.subscribe(numbers).disposed(by: bag)
        source.map { $0 > 1 ? "\($0)" : nil }.bind(to: texts).disposed(by: bag)
        source.map { [$0] }.subscribe(lists).disposed(by: bag)
        source.map { _ in }.bind(to: voids).disposed(by: bag)
        source.map { Point(x: $0, y: nil) }.asObservable().subscribe(points).disposed(by: bag)
        scheduler.start()
        XCTAssertEqual(numbers.events, [.next(10, 1), .next(20, 2), .completed(30)])
        XCTAssertEqual(numbers.events, [Recorded.next(10, 1), .next(20, 2), .completed(30)])
        XCTAssertEqual(numbers.events, Recorded.events(.next(10, 1), .next(20, 2), .completed(30)))
        XCTAssertEqual(texts.events, [.next(10, nil), .next(20, "2"), .completed(30)])
        XCTAssertEqual(lists.events, [.next(10, [1]), .next(20, [2]), .completed(30)])
        XCTAssertEqual(points.events[0], .next(10, Point(x: 1, y: nil)))
        XCTAssertEqual(voids.events.count, 3)
        XCTAssertRecordedElements(numbers.events, [1, 2])
        XCTAssertEqual(numbers.events.map(\.value), [.next(1), .next(2), .completed])
        XCTAssertEqual(numbers.events.compactMap { $0.value.element }, [1, 2])
        XCTAssertEqual(numbers.events.map { $0.time }, [10, 20, 30])
        XCTAssertTrue(numbers.events == [next(10, 1), next(20, 2), completed(30)])
    }

    func testErrorsAreComparedByWhatTheySay() {
        let failed = scheduler.start { Observable<Int>.error(RxError.timeout) }
        XCTAssertEqual(failed.events, [.error(200, RxError.timeout)])
        XCTAssertTrue(failed.events.first?.value.error is RxError)
        XCTAssertNotEqual(failed.events.map(\.value), [.error(RxError.noElements)])
        XCTAssertEqual([Event<Int>.error(error)], [.error(NSError(domain: "test", code: -1))])
        var singles: [SingleEvent<Int>] = []
        var maybes: [MaybeEvent<Int>] = []
        var completables: [CompletableEvent] = []
        Single.just(1).subscribe { singles.append($0) }.disposed(by: bag)
        Single<Int>.error(error).subscribe { singles.append($0) }.disposed(by: bag)
        Maybe<Int>.empty().subscribe { maybes.append($0) }.disposed(by: bag)
        Completable.error(error).subscribe { completables.append($0) }.disposed(by: bag)
        XCTAssertEqual(singles, [.success(1), .failure(error)])
        XCTAssertEqual(maybes, [.completed])
        XCTAssertEqual(completables, [.error(error)])
    }

    func testScheduling() {
        let subject = PublishSubject<Int>()
        var values: [Int] = []
        var subscription: Disposable!
        scheduler.scheduleAt(200) { subscription = subject.subscribe(onNext: { values.append($0) }) }
        scheduler.scheduleAt(300, action: { subject.onNext(self.scheduler.clock) })
        _ = scheduler.scheduleRelativeVirtual((), dueTime: 310) {
            subject.onNext(self.scheduler.clock)
            return Disposables.create()
        }
        _ = scheduler.scheduleAbsoluteVirtual(320, time: 320) { number in
            subject.onNext(number)
            return Disposables.create()
        }
        scheduler.scheduleAt(330) { subscription.dispose() }
        scheduler.scheduleAt(340) { subject.onNext(340) }
        scheduler.advanceTo(315)
        XCTAssertEqual(values, [300, 310])
        scheduler.start()
        XCTAssertEqual(values, [300, 310, 320])
        XCTAssertEqual(scheduler.clock, 340)
    }

    func testBlocking() throws {
        let elsewhere = SerialDispatchQueueScheduler(qos: .userInitiated)
        let numbers = Observable.of(1, 2, 3).observe(on: elsewhere)
        // Without a timeout, the waiting main thread must be woken.
        XCTAssertEqual(try numbers.toBlocking().toArray(), [1, 2, 3])
        XCTAssertEqual(try numbers.toBlocking().first(), 1)
        XCTAssertEqual(try numbers.toBlocking(timeout: 60).last(), 3)
        XCTAssertEqual(try numbers.toBlocking().single { $0 == 2 }, 2)
        XCTAssertThrowsError(try numbers.toBlocking().single()) { error in
            guard case RxError.moreThanOneElement = error else { return XCTFail("\(error)") }
        }
        XCTAssertNil(try Maybe<Int>.empty().toBlocking().first())
        XCTAssertThrowsError(try Observable<Int>.never().toBlocking(timeout: 0.01).first())
        let ticks = Observable<Int>.interval(.milliseconds(1), scheduler: MainScheduler.instance)
        XCTAssertEqual(try ticks.take(2).toBlocking().toArray(), [0, 1])
        switch numbers.concat(Observable.error(error)).toBlocking().materialize() {
        case .completed: XCTFail("did not fail")
        case .failed(let elements, let failure):
            XCTAssertEqual(elements, [1, 2, 3])
            XCTAssertEqual(failure as NSError, error)
        }
    }

    func testExpectations() {
        let isDone = expectation(description: "done")
        Observable.just(1).delay(.milliseconds(1), scheduler: MainScheduler.instance)
            .subscribe(onNext: { _ in isDone.fulfill() }).disposed(by: bag)
        waitForExpectations(timeout: 60)
    }
}
