import Foundation
import Streams
import StreamsTesting
import XCTest

/// `Driver` and `Signal` as used in Rx code: on the main thread, in classes without isolation.
final class SharedSequenceCallSiteTests: XCTestCase {
    private let bag = DisposeBag()
    private let numbers = BehaviorRelay(value: 1)

    func testDrive() {
        let label = Label()
        let driver = numbers.asDriver()
        let relay = BehaviorRelay(value: 0)
        let optional = BehaviorRelay<Int?>(value: nil)
        let subject = ReplaySubject<Int>.createUnbounded()
        driver.drive().disposed(by: bag)
        driver.do(onNext: { label.isHidden = $0 > 0 }, onCompleted: {}, onDispose: {})
            .drive(onNext: { label.number = $0 }).disposed(by: bag)
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
        XCTAssertTrue(label.isHidden)
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
}
