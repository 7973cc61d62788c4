import Dispatch
import Foundation
import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("bind(to:), Binder, rx, controls", .limitedConcurrency)
struct BindTests {
    @Test("bind(to:) forwards every event to observers, of optional elements as well")
    func observers() {
        let (one, other, optional) = (PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int?>())
        let log = Record()
        let bag = CompositeDisposable(
            one.subscribe { log.add("a \($0)") }, other.subscribe { log.add("b \($0)") },
            optional.subscribe { log.add("c \($0)") })
        Observable.just(1).bind(to: one, other).dispose()
        Observable.just(2).bind(to: optional).dispose()
        #expect(
            log.words == [
                "a next(1)", "b next(1)", "a completed", "b completed", "c next(Optional(2))", "c completed",
            ])
        bag.dispose()
    }

    @Test("bind(to:) sends elements to relays and ignores completion")
    func relays() {
        let (behavior, optional) = (BehaviorRelay(value: 0), BehaviorRelay<Int?>(value: nil))
        let (replay, optionalReplay) = (ReplayRelay<Int>.create(bufferSize: 1), ReplayRelay<Int?>.create(bufferSize: 1))
        let (publish, optionalPublish) = (PublishRelay<Int>(), PublishRelay<Int?>())
        let log = Record()
        let bag = CompositeDisposable(
            publish.subscribe(onNext: { log.add($0) }), optionalPublish.subscribe(onNext: { log.add($0 ?? 0) }))
        func bind(_ bind: (Observable<Int>) -> any Disposable) { bind(Observable.of(1, 2)).dispose() }
        bind { $0.bind(to: behavior) }
        bind { $0.bind(to: optional) }
        bind { $0.bind(to: replay) }
        bind { $0.bind(to: optionalReplay) }
        bind { $0.bind(to: publish) }
        bind { $0.bind(to: optionalPublish) }
        #expect(behavior.value == 2)
        #expect(optional.value == 2)
        expect(replay, "2")
        expect(optionalReplay, "Optional(2)")
        #expect(log.text == "1 2 1 2")
        behavior.accept(3)
        #expect(behavior.value == 3)
        bag.dispose()
    }

    @Test("bind(to:) accepts a function")
    func functions() {
        let count: (Observable<Int>) -> Int = { _ in 7 }
        #expect(Observable.just(1).bind(to: count) == 7)
        let curried: (Observable<Int>) -> (Int) -> String = { _ in { "\($0)" } }
        #expect(Observable.just(1).bind(to: curried, curriedArgument: 8) == "8")
        let log = Record()
        Observable.of(1, 2).bind(onNext: { log.add($0) }).dispose()
        Observable.of(3).bind(with: log) { log, number in log.add(number) }.dispose()
        #expect(log.text == "1 2 3")
    }

    @Test("a binder runs on its scheduler, and does nothing after its target's deallocation")
    func binder() {
        let scheduler = TestScheduler(initialClock: 0)
        let log = Record()
        var target: Token? = Token(1)
        let binder = Binder<Int>(target!, scheduler: scheduler) { target, value in log.add("\(target) \(value)") }
        binder.onNext(5)
        binder.onCompleted()
        #expect(log.text == "")
        scheduler.start()
        #expect(log.text == "1 5")
        target = nil
        binder.asObserver().onNext(6)
        scheduler.start()
        #expect(log.text == "1 5")
    }

    @MainActor
    @Test("a binder without a scheduler runs immediately on the main thread")
    func mainBinder() {
        let label = Label()
        Observable.of("a", "b").bind(to: label.rx.text).dispose()
        #expect(label.text == "b")
        Observable.just("c").bind(to: label.rx.uppercase).dispose()
        #expect(label.text == "C")
    }

    @MainActor
    @Test("a control property subscribes on the main thread and sets received values")
    func controlProperty() {
        let values = BehaviorSubject<String?>(value: "a")
        let property = ControlProperty(values: values, valueSink: values)
        let log = Record()
        let bag = CompositeDisposable(
            property.orEmpty.subscribe(onNext: { log.add("[\($0)]") }),
            property.changed.subscribe(onNext: { log.add("changed \($0 ?? "nil")") }))
        property.onNext(nil)
        property.orEmpty.onNext("b")
        #expect(log.words == ["[a]", "[]", "changed nil", "[b]", "changed b"])
        bag.dispose()
        expect(property.asControlProperty(), "Optional(\"b\")")
        expect(property.asInfallible().map { $0 ?? "" }, "b")
    }

    @MainActor
    @Test("a control event emits the events of its source")
    func controlEvent() {
        let taps = PublishSubject<Int>()
        let event = ControlEvent(events: taps)
        let log = Record()
        let subscription = event.asControlEvent().map { $0 + 1 }.subscribe { log.add($0) }
        taps.onNext(1)
        taps.onCompleted()
        #expect(log.text == "next(2) completed")
        subscription.dispose()
    }
}

private final class Label: ReactiveCompatible, @unchecked Sendable {
    // Accessed on the main thread only.
    var text = ""
}

extension Reactive where Base == Label {
    fileprivate var uppercase: Binder<String> {
        Binder(base) { label, text in label.text = text.uppercased() }
    }
}
