import Foundation
import Streams
import StreamsTesting
import Testing

/// Custom observers, subjects, schedulers and operators, whose types each language mode declares in its own way.
@Suite("Custom types", .timeLimit(.minutes(5)))
struct CustomTypeTests {
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
}
