import Foundation
import Streams
import StreamsTesting
import XCTest

/// Custom observers, subjects, schedulers and operators of Rx code, with state that is not `Sendable`.
final class CustomTypeTests: XCTestCase {
    private final class Recorder<Element>: ObserverType {
        var events: [Event<Element>] = []

        func on(_ event: Event<Element>) { events.append(event) }
    }

    private final class HandMadeSubject<Element>: SubjectType, ObserverType {
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

    private final class HandMadeConnectable<Element>: ConnectableObservableType {
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

    private struct Ticks: VirtualTimeConverterType {
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

    private final class Metronome: VirtualTimeScheduler<Ticks>, @unchecked Sendable {
        init() {
            super.init(initialClock: 0, converter: Ticks())
        }

        override func adjustScheduledTime(_ time: Int) -> Int { max(time, clock + 2) }
    }

    private let bag = DisposeBag()

    func testObserver() {
        let recorder = Recorder<Int>()
        Observable.of(1, 2).subscribe(recorder).disposed(by: bag)
        Observable.just(3).bind(to: recorder).disposed(by: bag)
        recorder.onNext(4)
        XCTAssertEqual(recorder.events, [.next(1), .next(2), .completed, .next(3), .completed, .next(4)])
    }

    func testSubject() {
        let subject = HandMadeSubject<Int>()
        let recorder = Recorder<Int>()
        let subscription = subject.map { $0 + 1 }.subscribe(recorder)
        subject.onNext(1)
        Observable.of(5).subscribe(subject.asObserver()).disposed(by: bag)
        XCTAssertEqual(recorder.events, [.next(2), .next(6), .completed])
        subscription.dispose()
        XCTAssertFalse(subject.hasObservers)
        let shared = HandMadeSubject<Int>()
        let connectable = Observable.of(1, 2).multicast(shared)
        connectable.subscribe(recorder).disposed(by: bag)
        connectable.connect().disposed(by: bag)
        XCTAssertEqual(recorder.events.count, 6)
    }

    func testConnectable() {
        let source = PublishSubject<Int>()
        let connectable = HandMadeConnectable(source)
        let counted = connectable.refCount()
        let recorder = Recorder<Int>()
        let first = counted.subscribe(recorder)
        let second = counted.subscribe(recorder)
        source.onNext(1)
        first.dispose()
        second.dispose()
        XCTAssertFalse(source.hasObservers)
        XCTAssertEqual(connectable.connections, 1)
        XCTAssertEqual(recorder.events, [.next(1), .next(1)])
    }

    func testVirtualTime() {
        let metronome = Metronome()
        var ticks: [Int] = []
        _ = metronome.scheduleRelative((), dueTime: .seconds(50)) {
            ticks.append(metronome.clock)
            return Disposables.create()
        }
        _ = metronome.scheduleRelativeVirtual(1, dueTime: 3) { number in
            ticks.append(metronome.clock + number)
            return Disposables.create()
        }
        _ = metronome.scheduleAbsoluteVirtual((), time: 9) { _ in
            ticks.append(metronome.clock)
            return Disposables.create()
        }
        let periodic = metronome.schedulePeriodic(0, startAfter: .seconds(10), period: .seconds(20)) { count -> Int in
            ticks.append(100 + count)
            return count + 1
        }
        metronome.advanceTo(6)
        periodic.dispose()
        metronome.sleep(1)
        XCTAssertEqual(metronome.clock, 7)
        metronome.start()
        XCTAssertEqual(ticks, [100, 4, 101, 5, 102, 9])
        XCTAssertEqual(metronome.now, Date(timeIntervalSince1970: 90))
        let history = HistoricalScheduler(initialClock: Date(timeIntervalSince1970: 5))
        history.advanceTo(Date(timeIntervalSince1970: 8))
        XCTAssertEqual(history.clock, Date(timeIntervalSince1970: 8))
    }

    func testOperators() {
        XCTAssertEqual(trace(Observable.of(true, false).not()), "false true |")
        XCTAssertEqual(trace(Observable.of(1, nil, 3).unwrapped()), "1 3 |")
        XCTAssertEqual(trace(Observable.of(1, 2, 4).pairwise().map { $1 - $0 }), "1 2 |")
        XCTAssertEqual(trace(Observable<Int>.error(Failure.expected).endingQuietly()), "|")
        XCTAssertEqual(trace(Single.just(2).plus(3)), "5 |")
        XCTAssertEqual(trace(Completable.empty().asVoid()), "() |")
        let activity = Activity()
        let states = BehaviorRelay<[Bool]>(value: [])
        activity.drive(onNext: { states.accept(states.value + [$0]) }).disposed(by: bag)
        XCTAssertEqual(trace(Observable.of(1, 2).track(activity)), "1 2 |")
        XCTAssertEqual(states.value, [false, true, false])
    }
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
