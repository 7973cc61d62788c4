import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("just, of, from, empty, never, error, create, deferred", .takesTurns)
struct JustTests {
    @Test("on a scheduler, each event is a piece of work")
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

    @Test("disposed between two pieces of work, they stop there")
    func scheduledDisposed() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 202) { Observable.just(42, scheduler: scheduler) }
        #expect(result.events == [.next(201, 42)])
    }

    @Test("what is there is sent on subscription")
    func immediate() {
        #expect(said(by: Observable.just(1)) == "1 |")
        #expect(said(by: Observable.of(1, 2, 3)) == "1 2 3 |")
        #expect(said(by: Observable<Int>.of()) == "|")
        #expect(said(by: Observable.from([1, 2])) == "1 2 |")
        #expect(said(by: Observable.from(Set([7]))) == "7 |")
        #expect(said(by: Observable.from(optional: 1)) == "1 |")
        #expect(said(by: Observable<Int>.from(optional: nil)) == "|")
        #expect(said(by: Observable<Int>.empty()) == "|")
        #expect(said(by: Observable<Int>.never()) == "")
        #expect(said(by: Observable<Int>.error(Failure.expected)) == "!expected")
    }

    @Test("deferred makes a stream for each subscription, and passes on what its function throws")
    func deferring() {
        let made = Record()
        let stream = Observable<Int>.deferred {
            made.add("made")
            if made.words.count == 3 { throw Failure.expected }
            return .just(made.words.count)
        }
        #expect(made.words.isEmpty)
        #expect(said(by: stream) == "1 |")
        #expect(said(by: stream) == "2 |")
        #expect(said(by: stream) == "!expected")
    }

    @Test("create says nothing after its end, and disposes once")
    func creating() {
        let disposals = Record()
        let stream = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onCompleted()
            observer.onNext(2)
            observer.onError(Failure.other)
            return Disposables.create { disposals.add("disposed") }
        }
        #expect(said(by: stream) == "1 |")
        #expect(disposals.text == "disposed")
    }
}
