import Foundation
import Streams
import StreamsTesting
import XCTest

/// Relays, binders and `rx`, as used in Rx code.
final class BindingCallSiteTests: XCTestCase {
    private let bag = DisposeBag()
    private var seen: [Int] = []

    private func remember(_ number: Int) { seen.append(number) }

    func testBind() {
        let source = Observable.of(1, 2)
        let label = Label()
        let relay = BehaviorRelay(value: 0)
        let optional = BehaviorRelay<Int?>(value: nil)
        let subject = ReplaySubject<Int>.createUnbounded()
        source.bind(onNext: { [unowned self] in remember($0) }).disposed(by: bag)
        source.bind { [weak self] in self?.remember($0) }.disposed(by: bag)
        source.bind(onNext: remember).disposed(by: bag)
        source.bind(with: self) { owner, number in owner.remember(number) }.disposed(by: bag)
        source.bind(to: relay, BehaviorRelay(value: 3)).disposed(by: bag)
        source.bind(to: optional).disposed(by: bag)
        source.bind(to: PublishRelay<Int>()).disposed(by: bag)
        source.bind(to: ReplayRelay<Int?>.create(bufferSize: 1)).disposed(by: bag)
        source.bind(to: subject).disposed(by: bag)
        source.bind(to: subject.asObserver()).disposed(by: bag)
        source.bind(to: AnyObserver { event in label.number = event.element ?? label.number }).disposed(by: bag)
        source.bind(to: { $0.subscribe() }).disposed(by: bag)
        source.bind(
            to: { source in { (text: String) in source.subscribe { label.text = "\(text)\($0)" } } },
            curriedArgument: "n"
        )
        .disposed(by: bag)
        XCTAssertEqual(seen, [1, 2, 1, 2, 1, 2, 1, 2])
        XCTAssertEqual(relay.value, 2)
        XCTAssertEqual(optional.value, 2)
        XCTAssertEqual(label.number, 2)
        XCTAssertEqual(label.text, "ncompleted")
    }

    func testUnappliedReferences() {
        let source = Observable.of(1, 2)
        let infallible = Infallible.of(3, 4)
        let bindings: [(@escaping (Int) -> Void) -> Disposable] = [
            source.bind(onNext:), infallible.bind(onNext:),
        ]
        for bind in bindings { bind(remember).disposed(by: bag) }
        let bindWith: (BindingCallSiteTests, @escaping (BindingCallSiteTests, Int) -> Void) -> Disposable =
            source.bind(with:onNext:)
        bindWith(self) { $0.remember($1) }.disposed(by: bag)
        let subscribe: (@escaping (Event<Int>) -> Void) -> Disposable = source.subscribe(_:)
        subscribe { [unowned self] in remember($0.element ?? 0) }.disposed(by: bag)
        let single: (@escaping (SingleEvent<Int>) -> Void) -> Disposable = Single.just(5).subscribe(_:)
        single { [unowned self] in remember((try? $0.get()) ?? 0) }.disposed(by: bag)
        let maybe: (@escaping (MaybeEvent<Int>) -> Void) -> Disposable = Maybe<Int>.empty().subscribe(_:)
        maybe { [unowned self] _ in remember(6) }.disposed(by: bag)
        let completable: (@escaping (CompletableEvent) -> Void) -> Disposable =
            Completable.empty().subscribe(_:)
        completable { [unowned self] _ in remember(7) }.disposed(by: bag)
        XCTAssertEqual(seen, [1, 2, 3, 4, 1, 2, 1, 2, 0, 5, 6, 7])
    }

    func testSubscribe() {
        let source = Observable.of(1, 2)
        var words: [String] = []
        source.subscribe { event in words.append("\(event)") }.disposed(by: bag)
        source.subscribe(onNext: remember).disposed(by: bag)
        source.subscribe(
            onNext: { words.append("\($0)") }, onError: { _ in }, onCompleted: { words.append("|") },
            onDisposed: { words.append("gone") }
        ).disposed(by: bag)
        source.subscribe(with: self, onNext: { $0.remember($1) }, onError: { _, _ in }, onCompleted: { _ in })
            .disposed(by: bag)
        source.withUnretained(self).subscribe(onNext: { owner, number in owner.remember(number) }).disposed(by: bag)
        source.withUnretained(self) { $1 }.subscribe(onNext: { words.append("\($0)") }).disposed(by: bag)
        XCTAssertEqual(words, ["next(1)", "next(2)", "completed", "1", "2", "|", "gone", "1", "2"])
        XCTAssertEqual(seen, [1, 2, 1, 2, 1, 2])
    }

    func testReactive() {
        let label = Label()
        Observable.just("s").bind(to: Binder(label, scheduler: MainScheduler.instance) { $0.text = $1 })
            .disposed(by: bag)
        XCTAssertEqual(label.text, "s")
        Observable.just("t").bind(to: Binder(label, scheduler: CurrentThreadScheduler.instance) { $0.text = $1 })
            .disposed(by: bag)
        XCTAssertEqual(label.text, "t")
        Observable.just("a").bind(to: label.rx.text).disposed(by: bag)
        Observable.just(1).bind(to: label.rx.number).disposed(by: bag)
        Driver.just(true).drive(label.rx.hidden).disposed(by: bag)
        XCTAssertEqual(label.text, "a")
        XCTAssertEqual(label.number, 1)
        XCTAssertTrue(label.isHidden)
        let property = label.rx.value
        property.onNext("b")
        XCTAssertEqual(trace(property.orEmpty), "b |")
        XCTAssertEqual(trace(property.changed), "|")
        XCTAssertEqual(trace(property.asDriver()), "Optional(\"b\") |")
        Observable.just("c").bind(to: property).disposed(by: bag)
        XCTAssertEqual(label.text, "c")
        XCTAssertEqual(trace(label.rx.tap.withLatestFrom(property.orEmpty)), "c |")
        XCTAssertEqual(trace(label.rx.tap.asSignal()) + trace(label.rx.tap.asDriver()), "() |() |")
        XCTAssertEqual(trace(Label.rx.all), "1 |")
    }
}

extension Label: ReactiveCompatible {}

extension Reactive where Base: Label {
    static var all: Observable<Int> { .just(1) }

    var hidden: Binder<Bool> { Binder(base) { label, isHidden in label.isHidden = isHidden } }
    var tap: ControlEvent<Void> { ControlEvent(events: Observable.just(())) }

    var value: ControlProperty<String?> {
        let values = Observable<String?>.deferred { [weak label = base] in .just(label?.text) }
        return ControlProperty(values: values, valueSink: Binder(base) { $0.text = $1 ?? "" })
    }
}

/// A reference type that is not `Sendable`, like most types in Rx code.
final class Label {
    var text = ""
    var number: Int?
    var isHidden = false
}
