import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("just, of, from, empty, never, error, create, deferred", .takesTurns)
struct JustTests {
    @Test("just and from schedule each event separately")
    func scheduled() {
        func events(_ make: (TestScheduler) -> Observable<Int>) -> [Recorded<Event<Int>>] {
            let scheduler = TestScheduler(initialClock: 0)
            let stream = make(scheduler)
            return scheduler.start { stream }.events
        }
        #expect(events { .just(42, scheduler: $0) } == [.next(201, 42), .completed(202)])
        #expect(events { .of(1, 2, scheduler: $0) } == [.next(201, 1), .next(202, 2), .completed(203)])
        #expect(events { .from([1, 2], scheduler: $0) } == [.next(201, 1), .next(202, 2), .completed(203)])
        #expect(events { .from(1...2, scheduler: $0) } == [.next(201, 1), .next(202, 2), .completed(203)])
        #expect(events { .from(optional: 7, scheduler: $0) } == [.next(201, 7), .completed(202)])
        #expect(events { .from(optional: nil, scheduler: $0) } == [.completed(201)])
    }

    @Test("disposing just or from between two work items stops them")
    func scheduledDisposed() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 202) { Observable.just(42, scheduler: scheduler) }
        #expect(result.events == [.next(201, 42)])
    }

    @Test("synchronous sources emit on subscription")
    func immediate() {
        #expect(trace(of: Observable.just(1)) == "1 |")
        #expect(trace(of: Observable.of(1, 2, 3)) == "1 2 3 |")
        #expect(trace(of: Observable<Int>.of()) == "|")
        #expect(trace(of: Observable.from([1, 2])) == "1 2 |")
        #expect(trace(of: Observable.from(Set([7]))) == "7 |")
        #expect(trace(of: Observable.from(optional: 1)) == "1 |")
        #expect(trace(of: Observable<Int>.from(optional: nil)) == "|")
        #expect(trace(of: Observable<Int>.empty()) == "|")
        #expect(trace(of: Observable<Int>.never()) == "")
        #expect(trace(of: Observable<Int>.error(Failure.expected)) == "!expected")
    }

    @Test("deferred creates a stream for each subscription and forwards the error of its factory")
    func deferring() {
        let made = Record()
        let stream = Observable<Int>.deferred {
            made.add("made")
            if made.words.count == 3 { throw Failure.expected }
            return .just(made.words.count)
        }
        #expect(made.words.isEmpty)
        #expect(trace(of: stream) == "1 |")
        #expect(trace(of: stream) == "2 |")
        #expect(trace(of: stream) == "!expected")
    }

    @Test("create emits nothing after termination and disposes once")
    func creating() {
        let disposals = Record()
        let stream = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onCompleted()
            observer.onNext(2)
            observer.onError(Failure.other)
            return Disposables.create { disposals.add("disposed") }
        }
        #expect(trace(of: stream) == "1 |")
        #expect(disposals.text == "disposed")
    }
}
