import Foundation
import Streams

// Custom observers, subjects, schedulers and operators of Rx code, with state that is not `Sendable`.

final class Recorder<Element>: ObserverType {
    var events: [Event<Element>] = []

    func on(_ event: Event<Element>) { events.append(event) }
}

final class HandMadeSubject<Element>: SubjectType, ObserverType {
    typealias Observer = HandMadeSubject<Element>

    private var observers: [Int: AnyObserver<Element>] = [:]
    private var nextKey = 0
    var hasObservers: Bool { !observers.isEmpty }

    func subscribe<O: ObserverType>(_ observer: O) -> Disposable where O.Element == Element {
        let key = nextKey
        nextKey += 1
        observers[key] = AnyObserver(observer)
        return Disposables.create { self.observers[key] = nil }
    }

    func asObserver() -> HandMadeSubject<Element> { self }

    func on(_ event: Event<Element>) {
        for key in observers.keys.sorted() { observers[key]?.on(event) }
    }
}

final class HandMadeConnectable<Element>: ConnectableObservableType {
    private let source: Observable<Element>
    private let subject = PublishSubject<Element>()
    var connections = 0

    init(_ source: Observable<Element>) {
        self.source = source
    }

    func connect() -> Disposable {
        connections += 1
        return source.subscribe(subject)
    }

    func subscribe<O: ObserverType>(_ observer: O) -> Disposable where O.Element == Element {
        subject.subscribe(observer)
    }
}

struct Ticks: VirtualTimeConverterType {
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

final class Metronome: VirtualTimeScheduler<Ticks>, @unchecked Sendable {
    init() {
        super.init(initialClock: 0, converter: Ticks())
    }

    override func adjustScheduledTime(_ time: Int) -> Int { max(time, clock + 2) }
}

extension ObservableType where Element == Bool {
    func not() -> Observable<Bool> { map { !$0 } }
}

extension ObservableType {
    func unwrapped<Wrapped>() -> Observable<Wrapped> where Element == Wrapped? { compactMap { $0 } }
    func pairwise() -> Observable<(Element, Element)> { Observable.zip(self, skip(1)) }
    func endingQuietly() -> Observable<Element> { self.catch { _ in .empty() } }
    func track(_ activity: Activity) -> Observable<Element> { activity.track(self) }
}

extension PrimitiveSequence where Trait == SingleTrait, Element == Int {
    func plus(_ number: Int) -> Single<Int> { map { $0 + number } }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    func asVoid() -> Single<Void> { andThen(Single.just(())) }
}

/// A custom shared sequence that counts the live subscriptions.
final class Activity: SharedSequenceConvertibleType {
    typealias Element = Bool
    typealias SharingStrategy = DriverSharingStrategy

    private struct Token<Element>: ObservableConvertibleType, Disposable {
        let source: Observable<Element>
        let end: Cancelable

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
