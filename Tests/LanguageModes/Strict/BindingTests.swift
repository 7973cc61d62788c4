import Foundation
import Streams
import StreamsTesting
import Testing

/// Relays, binders and `rx`, as used in Rx code.
@Suite("Binding", .timeLimit(.minutes(5)))
struct BindingTests {
    private let bag = DisposeBag()
    private let seen = Record()

    @MainActor
    @Test("streams are bound to functions, relays and observers")
    func bind() async {
        let source = Observable.of(1, 2)
        let label = Label()
        let relay = BehaviorRelay(value: 0)
        let optional = BehaviorRelay<Int?>(value: nil)
        let subject = ReplaySubject<Int>.createUnbounded()
        let words = Record()
        source.bind(onNext: { [unowned seen] in seen.note($0) }).disposed(by: bag)
        source.bind { [weak seen] in seen?.note($0) }.disposed(by: bag)
        source.bind(onNext: seen.note).disposed(by: bag)
        source.bind(with: seen) { owner, number in owner.note(number) }.disposed(by: bag)
        source.bind(to: relay, BehaviorRelay(value: 3)).disposed(by: bag)
        source.bind(to: optional).disposed(by: bag)
        source.bind(to: PublishRelay<Int>()).disposed(by: bag)
        source.bind(to: ReplayRelay<Int?>.create(bufferSize: 1)).disposed(by: bag)
        source.bind(to: subject).disposed(by: bag)
        source.bind(to: subject.asObserver()).disposed(by: bag)
        source.bind(to: Binder(label) { $0.number = $1 }).disposed(by: bag)
        source.bind(to: AnyObserver { event in words.add("\(event)") }).disposed(by: bag)
        source.bind(to: { $0.subscribe() }).disposed(by: bag)
        source.bind(
            to: { source in { (text: String) in source.subscribe(onNext: { words.add("\(text)\($0)") }) } },
            curriedArgument: "n"
        )
        .disposed(by: bag)
        await mainQueue()
        #expect(seen.text == "1 2 1 2 1 2 1 2")
        #expect(relay.value == 2)
        #expect(optional.value == 2)
        #expect(label.number == 2)
        #expect(words.text == "next(1) next(2) completed n1 n2")
    }

    @Test("functions receive the events of a stream")
    func subscribe() {
        let source = Observable.of(1, 2)
        let words = Record()
        source.subscribe { event in words.add("\(event)") }.disposed(by: bag)
        source.subscribe(onNext: seen.note).disposed(by: bag)
        source.subscribe(
            onNext: { words.add("\($0)") }, onError: { _ in }, onCompleted: { words.add("|") },
            onDisposed: { words.add("gone") }
        ).disposed(by: bag)
        source.subscribe(with: seen, onNext: { $0.note($1) }, onError: { _, _ in }, onCompleted: { _ in })
            .disposed(by: bag)
        source.withUnretained(seen).subscribe(onNext: { owner, number in owner.note(number) }).disposed(by: bag)
        source.withUnretained(seen) { $1 }.subscribe(onNext: { words.add("\($0)") }).disposed(by: bag)
        #expect(words.words == ["next(1)", "next(2)", "completed", "1", "2", "|", "gone", "1", "2"])
        #expect(seen.text == "1 2 1 2 1 2")
    }

    @MainActor
    @Test("properties of a view are binders")
    func reactive() async {
        let label = Label()
        Observable.just("a").bind(to: label.rx.text).disposed(by: bag)
        Observable.just(1).bind(to: label.rx.number).disposed(by: bag)
        Driver.just(true).drive(label.rx.hidden).disposed(by: bag)
        await mainQueue()
        #expect(label.text == "a")
        #expect(label.number == 1)
        #expect(label.isHidden)
        let property = label.rx.value
        property.onNext("b")
        await mainQueue()
        expect(property.orEmpty, "b |")
        expect(property.changed, "|")
        expect(property.asDriver(), "Optional(\"b\") |")
        Observable.just("c").bind(to: property).disposed(by: bag)
        await mainQueue()
        #expect(label.text == "c")
        expect(label.rx.tap.withLatestFrom(property.orEmpty), "c |")
        #expect(trace(label.rx.tap.asSignal()) + trace(label.rx.tap.asDriver()) == "() |() |")
        expect(Label.rx.all, "1 |")
    }
}

extension Label: ReactiveCompatible {}

extension Reactive where Base: Label {
    static var all: Observable<Int> { .just(1) }

    var hidden: Binder<Bool> { Binder(base) { label, isHidden in label.isHidden = isHidden } }
    var tap: ControlEvent<Void> { ControlEvent(events: Observable.just(())) }

    var value: ControlProperty<String?> {
        let values = Observable<String?>.deferred { [weak label = base] in
            .just(MainActor.assumeIsolated { label?.text })
        }
        return ControlProperty(values: values, valueSink: Binder(base) { $0.text = $1 ?? "" })
    }
}
