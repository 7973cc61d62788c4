import Foundation
import Streams
import StreamsTesting
import XCTest

/// Relays, binders, `rx`, disposables and schedulers, as used in Rx code.
final class BindingCallSiteTests: XCTestCase {
    private final class Handle: Disposable {
        var count = 0
        func dispose() { count += 1 }
    }

    private var bag: DisposeBag! = DisposeBag()
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

    func testDisposables() {
        let handle = Handle()
        let closure = Disposables.create { handle.dispose() }
        Disposables.create(closure, handle).dispose()
        XCTAssertTrue(closure.isDisposed)
        Disposables.create(handle, handle, Disposables.create(), Disposables.create(with: {})).dispose()
        Disposables.create([handle]).dispose()
        XCTAssertEqual(handle.count, 5)
        let composite = CompositeDisposable(handle, Disposables.create())
        let key = composite.insert(Handle())
        composite.remove(for: key!)
        XCTAssertEqual(composite.count, 2)
        let serial = SerialDisposable()
        serial.disposable = handle
        serial.disposable = composite
        XCTAssertEqual(handle.count, 6)
        let single = SingleAssignmentDisposable()
        single.setDisposable(serial)
        single.dispose()
        XCTAssertEqual(handle.count, 7)
        handle.disposed(by: bag)
        bag.insert(handle)
        bag.insert(handle, handle)
        bag.insert([handle])
        bag.insert {
            handle
            Disposables.create()
        }
        bag = DisposeBag(disposing: handle, handle)
        XCTAssertEqual(handle.count, 13)
        bag = DisposeBag {
            handle
        }
        bag = nil
        XCTAssertEqual(handle.count, 16)
    }

    func testSchedulers() {
        let queue = DispatchQueue(label: "q")
        let schedulers: [ImmediateSchedulerType] = [
            MainScheduler.instance, MainScheduler.asyncInstance, ConcurrentMainScheduler.instance,
            CurrentThreadScheduler.instance, SerialDispatchQueueScheduler(internalSerialQueueName: "s"),
            SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "s", leeway: .milliseconds(1)),
            SerialDispatchQueueScheduler(qos: .utility, internalSerialQueueName: "s"),
            SerialDispatchQueueScheduler(qos: .utility), ConcurrentDispatchQueueScheduler(queue: queue),
            ConcurrentDispatchQueueScheduler(qos: .background),
            OperationQueueScheduler(operationQueue: OperationQueue(), queuePriority: .high),
        ]
        for scheduler in schedulers {
            let numbers = Observable.of(1, 2).observe(on: scheduler).subscribe(on: scheduler)
            XCTAssertEqual(try numbers.toBlocking(timeout: 60).toArray(), [1, 2])
        }
        MainScheduler.ensureExecutingOnScheduler()
        MainScheduler.ensureRunningOnMainThread(errorMessage: "not on the main thread")
        let interval: SerialDispatchQueueScheduler.TimeInterval = 1
        let time: ConcurrentMainScheduler.Time = ConcurrentDispatchQueueScheduler.Time(timeIntervalSince1970: interval)
        XCTAssertEqual(time, MainScheduler.Time(timeIntervalSince1970: 1))
        var count = 0
        _ = CurrentThreadScheduler.instance.scheduleRecursive(0) { number, recurse in
            count += 1
            if number < 3 { recurse(number + 1) }
        }
        _ = MainScheduler.instance.schedule(()) {
            count += 1
            return Disposables.create()
        }
        XCTAssertEqual(count, 5)
        XCTAssertTrue(CurrentThreadScheduler.isScheduleRequired)
    }

    func testEventsAndErrors() {
        let event = Event.next(1)
        XCTAssertEqual("\(event) \(event.map { "\($0)" }) \(Event<Int>.completed)", "next(1) next(1) completed")
        XCTAssertEqual(event.element, 1)
        XCTAssertNil(event.error)
        XCTAssertFalse(event.isStopEvent || event.isCompleted)
        let errors: [RxError] = [
            .unknown, .disposed(object: Handle()), .overflow, .argumentOutOfRange, .noElements, .moreThanOneElement,
            .timeout,
        ]
        XCTAssertEqual(Set(errors.map { $0.debugDescription }).count, errors.count)
        let observer = AnyObserver<Int>(eventHandler: { self.remember($0.element ?? 0) })
        observer.mapObserver { (text: String) in text.count }.onNext("abc")
        observer.asObserver().onNext(4)
        XCTAssertEqual(seen, [3, 4])
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
