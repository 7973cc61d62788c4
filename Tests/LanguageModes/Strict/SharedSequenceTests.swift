import Foundation
import Streams
import StreamsTesting
import Testing

/// `Driver` and `Signal` with functions that access main-actor state. Compiling without a warning is part of the test.
@MainActor
@Suite("Drivers and signals", .timeLimit(.minutes(5)))
struct SharedSequenceTests {
    private let bag = DisposeBag()
    private let numbers = BehaviorRelay(value: 1)

    @Test("drive accepts views, relays and observers")
    func drive() async {
        let label = Label()
        let driver = numbers.asDriver()
        let relay = BehaviorRelay(value: 0)
        let optional = BehaviorRelay<Int?>(value: nil)
        let subject = ReplaySubject<Int>.createUnbounded()
        driver.drive().disposed(by: bag)
        driver.drive(onNext: { label.number = $0 }).disposed(by: bag)
        driver.drive { label.text = "\($0)" }.disposed(by: bag)
        driver.drive(with: label, onNext: { $0.number = $1 }, onCompleted: { $0.isHidden = true }, onDisposed: { _ in })
            .disposed(by: bag)
        driver.drive(relay, BehaviorRelay(value: 0)).disposed(by: bag)
        driver.drive(optional).disposed(by: bag)
        driver.drive(ReplayRelay<Int>.create(bufferSize: 1)).disposed(by: bag)
        driver.drive(subject).disposed(by: bag)
        driver.drive(Binder(label) { $0.number = $1 }).disposed(by: bag)
        _ = driver.drive({ observable in observable.subscribe() })
        driver.drive(
            { (observable: Observable<Int>) in
                { (text: String) in observable.bind(to: Binder(label) { $0.text = "\(text)\($1)" }) }
            },
            curriedArgument: "n"
        ).disposed(by: bag)
        await mainQueue()
        #expect(label.number == 1)
        #expect(relay.value == 1)
        #expect(optional.value == 1)
        #expect(label.text == "n1")
    }

    @Test("emit accepts views, relays and observers")
    func emit() async {
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
        await mainQueue()
        #expect(label.number == 3)
        #expect(label.text == "3")
        #expect(echo.value == 3)
        #expect(label.isHidden)
    }

    @Test("do accesses main-actor state, once for each element")
    func effects() {
        let label = Label()
        var words: [String] { label.text.split(separator: " ").map(String.init) }
        let log = Record()
        let driver = numbers.asDriver()
            .do(
                onNext: { label.text += "next\($0) " }, afterNext: { label.number = $0 },
                onCompleted: { label.isHidden = true }, afterCompleted: { label.text += "over " },
                onSubscribe: { log.add("subscribe") }, onSubscribed: { log.add("subscribed") },
                onDispose: { log.add("dispose") })
        let first = driver.drive()
        let second = driver.do { label.text += "again\($0) " }.drive(onNext: { label.text += "received\($0) " })
        #expect(words == ["next1", "again1", "received1"])
        #expect(label.number == 1)
        #expect(log.words == ["subscribe", "subscribed"])
        first.dispose()
        second.dispose()
        #expect(log.words == ["subscribe", "subscribed", "dispose"])
        expectElements(
            Signal<Int>.of(1, 2).do(onNext: { label.number = $0 }, onCompleted: { label.isHidden = true }), "1 2")
        #expect(label.number == 2)
        #expect(label.isHidden)
    }
}
