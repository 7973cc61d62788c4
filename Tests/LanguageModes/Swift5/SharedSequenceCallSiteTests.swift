import Foundation
import Streams
import StreamsTesting
import XCTest

/// `Driver` and `Signal` as used in Rx code: on the main thread, in classes without isolation.
final class SharedSequenceCallSiteTests: XCTestCase {
    private let bag = DisposeBag()
    private let numbers = BehaviorRelay(value: 1)

    /// The events of a sequence until it completes, while the main thread runs the work of the main queue.
    private func words<Strategy, Element>(_ sequence: SharedSequence<Strategy, Element>) -> String {
        let result = sequence.toBlocking(timeout: 60).materialize()
        guard case .completed(let elements) = result else { return "\(result)" }
        return elements.map { "\($0)" }.joined(separator: " ")
    }

    func testDrive() {
        let label = Label()
        let driver = numbers.asDriver()
        let relay = BehaviorRelay(value: 0)
        let optional = BehaviorRelay<Int?>(value: nil)
        let subject = ReplaySubject<Int>.createUnbounded()
        driver.drive().disposed(by: bag)
        driver.drive(onNext: { label.number = $0 }).disposed(by: bag)
        driver.drive { label.text = "\($0)" }.disposed(by: bag)
        driver.drive(with: label, onNext: { $0.number = $1 }, onCompleted: { _ in }, onDisposed: { _ in })
            .disposed(by: bag)
        driver.drive(relay, BehaviorRelay(value: 0)).disposed(by: bag)
        driver.drive(optional).disposed(by: bag)
        driver.drive(ReplayRelay<Int>.create(bufferSize: 1)).disposed(by: bag)
        driver.drive(subject).disposed(by: bag)
        driver.drive(Binder(label) { $0.number = $1 }).disposed(by: bag)
        _ = driver.drive({ observable in observable.subscribe() })
        driver.drive(
            { (observable: Observable<Int>) in
                { (text: String) in observable.subscribe { label.text = "\(text)\($0)" } }
            },
            curriedArgument: "n"
        ).disposed(by: bag)
        XCTAssertEqual(label.number, 1)
        XCTAssertEqual(relay.value, 1)
        XCTAssertEqual(optional.value, 1)
        XCTAssertEqual(label.text, "nnext(1)")
    }

    func testEmit() {
        let taps = PublishRelay<Int>()
        let label = Label()
        let echo = BehaviorRelay<Int?>(value: nil)
        let signal = taps.asSignal()
        signal.emit().disposed(by: bag)
        signal.emit(onNext: { label.number = $0 }).disposed(by: bag)
        signal.emit(with: label) { $0.text = "\($1)" }.disposed(by: bag)
        signal.emit(to: echo).disposed(by: bag)
        signal.emit(to: PublishRelay<Int>(), PublishRelay<Int>()).disposed(by: bag)
        signal.emit(to: Binder(label) { $0.isHidden = $1 > 0 }).disposed(by: bag)
        signal.emit(to: PublishSubject<Int?>()).disposed(by: bag)
        taps.accept(3)
        XCTAssertEqual(label.number, 3)
        XCTAssertEqual(label.text, "3")
        XCTAssertEqual(echo.value, 3)
        XCTAssertTrue(label.isHidden)
    }

    func testConversions() {
        let failing = Observable<Int>.error(Failure.expected)
        XCTAssertEqual(words(failing.asDriver(onErrorJustReturn: 1)), "1")
        XCTAssertEqual(words(failing.asDriver(onErrorDriveWith: .of(1, 2))), "1 2")
        XCTAssertEqual(words(failing.asDriver(onErrorRecover: { _ in .just(3) })), "3")
        XCTAssertEqual(words(failing.asDriver { _ in Driver.empty() }), "")
        XCTAssertEqual(words(failing.asSignal(onErrorJustReturn: 1)), "1")
        XCTAssertEqual(words(failing.asSignal(onErrorSignalWith: .just(4))), "4")
        XCTAssertEqual(words(failing.asSignal { _ in Signal.just(5) }), "5")
        XCTAssertEqual(
            words(failing.asSharedSequence(sharingStrategy: DriverSharingStrategy.self, onErrorJustReturn: 6)), "6")
        let inferred: Signal<Int> = failing.asSharedSequence(onErrorDriveWith: .just(7))
        let recovered: Driver<Int> = failing.asSharedSequence(onErrorRecover: { _ in .just(8) })
        XCTAssertEqual(words(inferred) + words(recovered), "78")
        XCTAssertEqual(words(Single.just(9).asDriver(onErrorJustReturn: 0)), "9")
        XCTAssertEqual(words(Infallible.just(9).asDriver()), "9")
    }

    func testCreating() {
        let d = Driver.just(1)
        XCTAssertEqual(words(Driver.of(1, 2)), "1 2")
        XCTAssertEqual(words(Driver.from([1])) + words(Driver.from(1...2)), "11 2")
        XCTAssertEqual(words(Driver.from(optional: Optional(1))), "1")
        XCTAssertEqual(words(Driver<Int>.empty()) + trace(Driver<Int>.never()), "")
        XCTAssertEqual(words(Driver.deferred { Driver.just(1) }), "1")
        XCTAssertEqual(words(Driver.merge(d, d)) + words(Driver.merge([d, d])), "1 11 1")
        XCTAssertEqual(words(Driver.merge(CollectionOfOne(d))), "1")
        XCTAssertEqual(words(Driver.concat([d, .just(2)])), "1 2")
        XCTAssertEqual(words(Driver.zip(d, d)), "(1, 1)")
        XCTAssertEqual(words(Driver.zip(d, d, d) { $0 + $1 + $2 }), "3")
        XCTAssertEqual(words(Driver.zip([d, d])), "[1, 1]")
        XCTAssertEqual(words(Driver.zip([d, d]) { $0.count }), "2")
        XCTAssertEqual(words(Driver.combineLatest(d, d)), "(1, 1)")
        XCTAssertEqual(words(Driver.combineLatest(d, d, resultSelector: { $0 + $1 })), "2")
        let list: Driver<[Int]> = Driver.combineLatest([d, d])
        XCTAssertEqual(words(list), "[1, 1]")
        XCTAssertEqual(words(Driver.combineLatest([d, d]) { $0.reduce(0, +) }), "2")
        XCTAssertEqual(words(Driver.combineLatest(d, d, d, d, d, d, d, d).map { $7 }), "1")
        let ticks = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: ticks) {
            let result = ticks.start(disposed: 325) {
                Driver.merge(Driver<Int>.interval(.seconds(100)), .timer(.seconds(110), period: .seconds(10)))
            }
            XCTAssertEqual(result.events, [.next(300, 0), .next(310, 0), .next(320, 1)])
        }
    }

    func testOperators() {
        let d = Driver.of(1, 2)
        XCTAssertEqual(words(d.map { $0 * 2 }.filter { $0 > 2 }), "4")
        XCTAssertEqual(words(d.compactMap { $0 > 1 ? $0 : nil }), "2")
        XCTAssertEqual(words(d.flatMapLatest { number -> Driver<String> in .just("\(number)") }), "1 2")
        XCTAssertEqual(words(d.flatMap { Driver.just($0) }), "1 2")
        XCTAssertEqual(words(d.flatMapFirst { Signal.just($0) }), "1 2")
        XCTAssertEqual(words(d.map { Driver.just($0) }.switchLatest()), "1 2")
        XCTAssertEqual(words(d.map { Driver.just($0) }.merge(maxConcurrent: 1)), "1 2")
        XCTAssertEqual(words(d.distinctUntilChanged { $0 > 0 }), "1")
        XCTAssertEqual(words(d.distinctUntilChanged()), "1 2")
        XCTAssertEqual(words(d.distinctUntilChanged { $0 == $1 }), "1 2")
        XCTAssertEqual(words(d.startWith(0).skip(1).scan(0) { $0 + $1 }), "1 3")
        XCTAssertEqual(words(d.withLatestFrom(Driver.just("a")) { "\($0)\($1)" }), "1a 2a")
        XCTAssertEqual(words(d.withLatestFrom(Driver.just("a"))), "a a")
        XCTAssertEqual(words(Signal.of(1, 2).withLatestFrom(d)), "1 2")
        XCTAssertEqual(words(d.withLatestFrom(Signal.just("a")) { "\($0)\($1)" }), "1a 2a")
        XCTAssertEqual(trace(d.asInfallible().take(0)), "|")
        let label = Label()
        XCTAssertEqual(words(d.withUnretained(label) { $1 }), "1 2")
        XCTAssertEqual(words(d.do(onNext: { label.number = $0 }, onCompleted: {}, onDispose: {}).debug("d")), "1 2")
        XCTAssertEqual(label.number, 2)
        XCTAssertEqual(words(Driver.just(()).map { _ in 1 }.asSignal(onErrorJustReturn: 0)), "1")
    }

    func testTiming() {
        let scheduler = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: scheduler) {
            let hot = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(300)])
            let result = scheduler.start {
                hot.asDriver(onErrorJustReturn: 0).throttle(.seconds(5)).debounce(.seconds(5)).delay(.seconds(5))
            }
            XCTAssertRecordedElements(result.events, [1, 2])
        }
    }
}

extension SharedSequenceConvertibleType {
    func mapToVoid() -> SharedSequence<SharingStrategy, Void> { map { _ in } }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    func asSelf() -> Driver<Element> { asDriver() }
}

extension Driver where Element == Int {
    func doubled() -> SharedSequence<SharingStrategy, Int> { map { $0 * 2 } }
}
