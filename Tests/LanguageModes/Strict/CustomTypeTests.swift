import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing

/// Custom observers, subjects, schedulers and operators. Compiling without a warning is part of the test.
@Suite("Custom types", .timeLimit(.minutes(5)))
struct CustomTypeTests {
    nonisolated private final class Recorder<Element: Sendable>: ObserverType {
        private let list = Mutex<[Event<Element>]>([])
        var events: [Event<Element>] { list.withLock { $0 } }

        func on(_ event: Event<Element>) { list.withLock { $0.append(event) } }
    }

    nonisolated private final class HandMadeSubject<Element: Sendable>: SubjectType, ObserverType {
        typealias Observer = HandMadeSubject<Element>

        private struct State {
            var observers: [Int: AnyObserver<Element>] = [:]
            var nextKey = 0
        }

        private let state = Mutex(State())
        var hasObservers: Bool { state.withLock { !$0.observers.isEmpty } }

        func subscribe<O: ObserverType>(_ observer: O) -> any Disposable where O.Element == Element {
            let key = state.withLock { state in
                state.nextKey += 1
                state.observers[state.nextKey] = AnyObserver(observer)
                return state.nextKey
            }
            return Disposables.create { [self] in state.withLock { $0.observers[key] = nil } }
        }

        func asObserver() -> HandMadeSubject<Element> { self }

        func on(_ event: Event<Element>) {
            let observers = state.withLock { $0.observers.sorted { $0.key < $1.key } }
            for (_, observer) in observers { observer.on(event) }
        }
    }

    nonisolated private final class HandMadeConnectable<Element: Sendable>: ConnectableObservableType {
        private let source: Observable<Element>
        private let subject = PublishSubject<Element>()
        private let count = Atomic(0)
        var connections: Int { count.load(ordering: .relaxed) }

        init(_ source: Observable<Element>) {
            self.source = source
        }

        func connect() -> any Disposable {
            count.add(1, ordering: .relaxed)
            return source.subscribe(subject)
        }

        func subscribe<O: ObserverType>(_ observer: O) -> any Disposable where O.Element == Element {
            subject.subscribe(observer)
        }
    }

    nonisolated private struct Ticks: VirtualTimeConverterType {
        typealias VirtualTimeUnit = Int
        typealias VirtualTimeIntervalUnit = Int

        func convertFromVirtualTime(_ virtualTime: Int) -> RxTime {
            Date(timeIntervalSince1970: Double(virtualTime) * 10)
        }
        func convertToVirtualTime(_ time: RxTime) -> Int { Int(time.timeIntervalSince1970 / 10) }
        func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
            Double(virtualTimeInterval) * 10
        }
        func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int { Int(timeInterval / 10) }
        func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time + offset }
        func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
            lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
        }
    }

    nonisolated private final class Metronome: VirtualTimeScheduler<Ticks>, @unchecked Sendable {
        // `@unchecked Sendable`: restates its superclass; it adds no state.

        init() {
            super.init(initialClock: 0, converter: Ticks())
        }

        override func adjustScheduledTime(_ time: Int) -> Int { max(time, clock + 2) }
    }

    private let bag = DisposeBag()

    @Test("a custom observer receives events")
    func observer() {
        let recorder = Recorder<Int>()
        Observable.of(1, 2).subscribe(recorder).disposed(by: bag)
        Observable.just(3).bind(to: recorder).disposed(by: bag)
        recorder.onNext(4)
        #expect(recorder.events == [.next(1), .next(2), .completed, .next(3), .completed, .next(4)])
    }

    @Test("a custom subject is a stream and an observer")
    func subject() {
        let subject = HandMadeSubject<Int>()
        let recorder = Recorder<Int>()
        let subscription = subject.map { $0 + 1 }.subscribe(recorder)
        subject.onNext(1)
        Observable.of(5).subscribe(subject.asObserver()).disposed(by: bag)
        #expect(recorder.events == [.next(2), .next(6), .completed])
        subscription.dispose()
        #expect(!subject.hasObservers)
        let shared = HandMadeSubject<Int>()
        let connectable = Observable.of(1, 2).multicast(shared)
        connectable.subscribe(recorder).disposed(by: bag)
        connectable.connect().disposed(by: bag)
        #expect(recorder.events.count == 6)
    }

    @Test("refCount accepts a custom connectable stream")
    func connectable() {
        let source = PublishSubject<Int>()
        let connectable = HandMadeConnectable(source.asObservable())
        let counted = connectable.refCount()
        let recorder = Recorder<Int>()
        let first = counted.subscribe(recorder)
        let second = counted.subscribe(recorder)
        source.onNext(1)
        first.dispose()
        second.dispose()
        #expect(!source.hasObservers)
        #expect(connectable.connections == 1)
        #expect(recorder.events == [.next(1), .next(1)])
    }

    @Test("a custom virtual time advances on request")
    func virtualTime() {
        let metronome = Metronome()
        let ticks = Record()
        _ = metronome.scheduleRelative((), dueTime: .seconds(50)) {
            ticks.note(metronome.clock)
            return Disposables.create()
        }
        _ = metronome.scheduleRelativeVirtual(1, dueTime: 3) { number in
            ticks.note(metronome.clock + number)
            return Disposables.create()
        }
        _ = metronome.scheduleAbsoluteVirtual((), time: 9) { _ in
            ticks.note(metronome.clock)
            return Disposables.create()
        }
        let periodic = metronome.schedulePeriodic(0, startAfter: .seconds(10), period: .seconds(20)) { count -> Int in
            ticks.note(100 + count)
            return count + 1
        }
        metronome.advanceTo(6)
        periodic.dispose()
        metronome.sleep(1)
        #expect(metronome.clock == 7)
        metronome.start()
        #expect(ticks.text == "100 4 101 5 102 9")
        #expect(metronome.now == Date(timeIntervalSince1970: 90))
        let history = HistoricalScheduler(initialClock: Date(timeIntervalSince1970: 5))
        history.advanceTo(Date(timeIntervalSince1970: 8))
        #expect(history.clock == Date(timeIntervalSince1970: 8))
    }

    @MainActor
    @Test("custom operators compose operators of the module")
    func operators() {
        expect(Observable.of(true, false).not(), "false true |")
        expect(Observable.of(1, nil, 3).unwrapped(), "1 3 |")
        expect(Observable.of(1, 2, 4).pairwise().map { $1 - $0 }, "1 2 |")
        expect(Observable<Int>.error(Failure.expected).endingQuietly(), "|")
        expect(Single.just(2).plus(3), "5 |")
        expect(Completable.empty().asVoid(), "() |")
        let activity = Activity()
        let states = BehaviorRelay<[Bool]>(value: [])
        activity.drive(onNext: { states.accept(states.value + [$0]) }).disposed(by: bag)
        expect(Observable.of(1, 2).track(activity), "1 2 |")
        #expect(states.value == [false, true, false])
    }

    @Test("methods can be referenced without being called")
    func unappliedReferences() {
        let record = Record()
        let bindings: [(@escaping @Sendable (Int) -> Void) -> any Disposable] = [
            Observable.of(1, 2).bind(onNext:), Infallible.of(3, 4).bind(onNext:),
        ]
        for bind in bindings { bind(record.note).disposed(by: bag) }
        let subscribe: (@escaping @Sendable (Event<Int>) -> Void) -> any Disposable = Observable.just(5).subscribe(_:)
        subscribe { record.add("\($0)") }.disposed(by: bag)
        #expect(record.text == "1 2 3 4 next(5) completed")
    }
}

extension ObservableType where Element == Bool {
    nonisolated func not() -> Observable<Bool> { map { !$0 } }
}

extension ObservableType {
    nonisolated func unwrapped<Wrapped: Sendable>() -> Observable<Wrapped> where Element == Wrapped? {
        compactMap { $0 }
    }
    nonisolated func pairwise() -> Observable<(Element, Element)> { Observable.zip(self, skip(1)) }
    nonisolated func endingQuietly() -> Observable<Element> { self.catch { _ in .empty() } }
    nonisolated func track(_ activity: Activity) -> Observable<Element> { activity.track(self) }
}

extension PrimitiveSequence where Trait == SingleTrait, Element == Int {
    nonisolated func plus(_ number: Int) -> Single<Int> { map { $0 + number } }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    nonisolated func asVoid() -> Single<Void> { andThen(Single.just(())) }
}

/// A custom shared sequence that counts the live subscriptions.
nonisolated final class Activity: SharedSequenceConvertibleType {
    typealias Element = Bool
    typealias SharingStrategy = DriverSharingStrategy

    private struct Token<Element: Sendable>: ObservableConvertibleType, Disposable {
        let source: Observable<Element>
        let end: any Cancelable

        func dispose() { end.dispose() }
        func asObservable() -> Observable<Element> { source }
    }

    private let count = BehaviorRelay(value: 0)

    fileprivate func track<Source: ObservableConvertibleType>(_ source: Source) -> Observable<Source.Element> {
        Observable.using(
            { () -> Token<Source.Element> in
                self.add(1)
                return Token(source: source.asObservable(), end: Disposables.create { self.add(-1) })
            }, observableFactory: { token in token.asObservable() })
    }

    private func add(_ change: Int) { count.accept(count.value + change) }

    func asSharedSequence() -> SharedSequence<SharingStrategy, Element> {
        count.asDriver().map { $0 > 0 }.distinctUntilChanged()
    }
}
