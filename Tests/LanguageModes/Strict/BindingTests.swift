import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing

/// Relays, binders, `rx`, disposables and schedulers, as used in Rx code.
@Suite("Binding", .timeLimit(.minutes(5)))
struct BindingTests {
    private final class Handle: Disposable {
        private let disposals = Atomic(0)
        var count: Int { disposals.load(ordering: .relaxed) }
        func dispose() { disposals.add(1, ordering: .relaxed) }
    }

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

    @Test("disposables are disposed")
    func disposables() {
        var bag: DisposeBag! = DisposeBag()
        let handle = Handle()
        let closure = Disposables.create { handle.dispose() }
        Disposables.create(closure, handle).dispose()
        #expect(closure.isDisposed)
        Disposables.create(handle, handle, Disposables.create(), Disposables.create(with: {})).dispose()
        Disposables.create([handle]).dispose()
        #expect(handle.count == 5)
        let composite = CompositeDisposable(handle, Disposables.create())
        let key = composite.insert(Handle())
        composite.remove(for: key!)
        #expect(composite.count == 2)
        let serial = SerialDisposable()
        serial.disposable = handle
        serial.disposable = composite
        #expect(handle.count == 6)
        let single = SingleAssignmentDisposable()
        single.setDisposable(serial)
        single.dispose()
        #expect(handle.count == 7)
        handle.disposed(by: bag)
        bag.insert(handle)
        bag.insert(handle, handle)
        bag.insert([handle])
        bag.insert {
            handle
            Disposables.create()
        }
        bag = DisposeBag(disposing: handle, handle)
        #expect(handle.count == 13)
        bag = DisposeBag {
            handle
        }
        bag = nil
        #expect(handle.count == 16)
    }

    @Test("schedulers run work")
    func schedulers() async throws {
        let queue = DispatchQueue(label: "q")
        let schedulers: [any ImmediateSchedulerType] = [
            MainScheduler(), MainScheduler.asyncInstance, ConcurrentMainScheduler.instance,
            CurrentThreadScheduler.instance, SerialDispatchQueueScheduler(internalSerialQueueName: "s"),
            SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "s", leeway: .milliseconds(1)),
            SerialDispatchQueueScheduler(qos: .utility, internalSerialQueueName: "s"),
            SerialDispatchQueueScheduler(qos: .utility), ConcurrentDispatchQueueScheduler(queue: queue),
            ConcurrentDispatchQueueScheduler(qos: .background),
            OperationQueueScheduler(operationQueue: OperationQueue(), queuePriority: .high),
        ]
        for scheduler in schedulers {
            let numbers = Observable.of(1, 2).observe(on: scheduler).subscribe(on: scheduler)
            #expect(try await numbers.toArray().value == [1, 2])
        }
        let interval: SerialDispatchQueueScheduler.TimeInterval = 1
        let time: ConcurrentMainScheduler.Time = ConcurrentDispatchQueueScheduler.Time(timeIntervalSince1970: interval)
        #expect(time == MainScheduler.Time(timeIntervalSince1970: 1))
    }

    @MainActor
    @Test("schedulers of the current thread run work immediately")
    func currentThread() {
        MainScheduler.ensureExecutingOnScheduler()
        MainScheduler.ensureRunningOnMainThread(errorMessage: "not on the main thread")
        let count = Atomic(0)
        _ = CurrentThreadScheduler.instance.scheduleRecursive(0) { number, recurse in
            count.add(1, ordering: .relaxed)
            if number < 3 { recurse(number + 1) }
        }
        _ = MainScheduler().schedule(()) {
            count.add(1, ordering: .relaxed)
            return Disposables.create()
        }
        #expect(count.load(ordering: .relaxed) == 5)
        #expect(CurrentThreadScheduler.isScheduleRequired)
    }

    @Test("events and errors have descriptions")
    func eventsAndErrors() {
        let event = Event.next(1)
        #expect("\(event) \(event.map { "\($0)" }) \(Event<Int>.completed)" == "next(1) next(1) completed")
        #expect(event.element == 1)
        #expect(event.error == nil)
        #expect(!(event.isStopEvent || event.isCompleted))
        let errors: [RxError] = [
            .unknown, .disposed(object: Handle()), .overflow, .argumentOutOfRange, .noElements, .moreThanOneElement,
            .timeout,
        ]
        #expect(Set(errors.map { $0.debugDescription }).count == errors.count)
        let observer = AnyObserver<Int>(eventHandler: { seen.note($0.element ?? 0) })
        observer.mapObserver { (text: String) in text.count }.onNext("abc")
        observer.asObserver().onNext(4)
        #expect(seen.text == "3 4")
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
