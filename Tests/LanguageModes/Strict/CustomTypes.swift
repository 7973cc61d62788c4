import Foundation
import Streams
import Synchronization
import Testing

// Custom observers, subjects, schedulers and operators. Compiling without a warning is part of the test.

nonisolated final class Recorder<Element: Sendable>: ObserverType {
    private let list = Mutex<[Event<Element>]>([])
    var events: [Event<Element>] { list.withLock { $0 } }

    func on(_ event: Event<Element>) { list.withLock { $0.append(event) } }
}

nonisolated final class HandMadeSubject<Element: Sendable>: SubjectType, ObserverType {
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

nonisolated final class HandMadeConnectable<Element: Sendable>: ConnectableObservableType {
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

nonisolated struct Ticks: VirtualTimeConverterType {
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

nonisolated final class Metronome: VirtualTimeScheduler<Ticks>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; it adds no state.

    init() {
        super.init(initialClock: 0, converter: Ticks())
    }

    override func adjustScheduledTime(_ time: Int) -> Int { max(time, clock + 2) }
}

@Suite("Method references", .timeLimit(.minutes(5)))
struct MethodReferenceTests {
    private let bag = DisposeBag()

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

    func track<Source: ObservableConvertibleType>(_ source: Source) -> Observable<Source.Element> {
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
