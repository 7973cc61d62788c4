import Dispatch
import Streams
import StreamsTesting
import Testing
import TestReporting
import TestConcurrency

@Suite("TestScheduler", .limitedConcurrency)
struct TestSchedulerTests {
    @Test("start creates at 100, subscribes at 200 and disposes at 1000")
    func defaultTicks() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([
            .next(199, 0), .next(200, 1), .next(210, 2), .next(999, 3), .next(1000, 4),
        ])
        var created = 0
        let result = scheduler.start { () -> Observable<Int> in
            created = scheduler.clock
            return hot.map { $0 * 10 }
        }
        #expect(created == 100)
        // Work that is scheduled first runs first: the stream's events at 200 and 1000 precede the subscription and the
        // disposal.
        #expect(result.events == [.next(210, 20), .next(999, 30), .next(1000, 40)])
        #expect(hot.subscriptions == [Subscription(200, 1000)])
        #expect(scheduler.clock == 1000)
    }

    @Test("Termination disposes the subscription at its tick", arguments: [true, false])
    func endDisposes(fails: Bool) {
        let scheduler = TestScheduler(initialClock: 0)
        let end: Recorded<Event<Int>> = fails ? .error(230, Failure.expected) : .completed(230)
        let hot = scheduler.createHotObservable([.next(210, 1), end, .next(240, 2)])
        let result = scheduler.start { hot.filter { _ in true } }
        #expect(result.events == [.next(210, 1), end])
        #expect(hot.subscriptions == [Subscription(200, 230)])
    }

    @Test("A cold stream counts its ticks from each subscription")
    func cold() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable([.next(0, "a"), .next(10, "b"), .completed(20)])
        let first = scheduler.createObserver(String.self)
        let second = scheduler.createObserver(String.self)
        scheduler.scheduleAt(100) { _ = cold.subscribe(first) }
        scheduler.scheduleAt(105) { _ = cold.subscribe(second) }
        scheduler.start()
        #expect(first.events == [.next(100, "a"), .next(110, "b"), .completed(120)])
        #expect(second.events == [.next(105, "a"), .next(115, "b"), .completed(125)])
    }

    @Test("Disposal stops a cold stream")
    func coldDisposed() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .next(30, 3)])
        let result = scheduler.start(disposed: 220) { cold }
        #expect(result.events == [.next(210, 1)])
        #expect(cold.subscriptions == [Subscription(200, 220)])
        #expect(scheduler.clock == 220)
    }

    @Test("Periodic work ticks at its first delay and then every period")
    func periodic() {
        let scheduler = TestScheduler(initialClock: 0)
        let recorded = scheduler.createObserver(Int.self)
        let work = scheduler.schedulePeriodic(0, startAfter: .seconds(5), period: .seconds(10)) { count in
            recorded.onNext(count)
            return count + 1
        }
        scheduler.scheduleAt(30) { work.dispose() }
        scheduler.start()
        #expect(recorded.events.map(\.time) == [5, 15, 25])
        #expect(recorded.events.compactMap(\.value.element) == [0, 1, 2])
    }

    @Test("advanceTo runs work that is due up to its tick, inclusive, and sets the clock")
    func advanceTo() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.createObserver(Int.self)
        for tick in [10, 20, 21] { scheduler.scheduleAt(tick) { observer.onNext(tick) } }
        scheduler.advanceTo(20)
        #expect(observer.events == [.next(10, 10), .next(20, 20)])
        #expect(scheduler.clock == 20)
        scheduler.advanceTo(25)
        #expect(observer.events.count == 3)
        #expect(scheduler.clock == 25)
    }

    @Test("Resolution turns seconds into ticks, to the nearest", arguments: [(0.001, 1500), (0.1, 15), (1.0, 2)])
    func resolution(of resolution: Double, ticks: Int) {
        let scheduler = TestScheduler(initialClock: 0, resolution: resolution)
        let observer = scheduler.createObserver(Int.self)
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(1500)) {
            observer.onCompleted()
            return Disposables.create()
        }
        scheduler.start()
        #expect(observer.events == [.completed(ticks)])
    }

    @Test("Immediate work runs a tick later only if processing delay is simulated", arguments: [true, false])
    func processingDelay(simulated: Bool) {
        let scheduler = TestScheduler(initialClock: 7, simulateProcessingDelay: simulated)
        let observer = scheduler.createObserver(Int.self)
        _ = scheduler.schedule(1) {
            observer.onNext($0)
            return Disposables.create()
        }
        scheduler.start()
        #expect(observer.events == [.next(simulated ? 8 : 7, 1)])
    }
}

@Suite("Marbles", .limitedConcurrency)
struct MarbleTests {
    private struct Failure: Error, Equatable {}

    let scheduler = TestScheduler(initialClock: 0)

    @Test("A marble diagram describes events, one frame for each character")
    func events() {
        let cold = scheduler.cold("-a-(bc)-|", ["a": 1, "b": 2, "c": 3])
        #expect(cold.recordedEvents == [.next(10, 1), .next(30, 2), .next(30, 3), .completed(80)])
        let failing = scheduler.cold("-a #", error: Failure())
        #expect(failing.recordedEvents == [.next(10, "a"), .error(20, Failure())])
    }

    @Test("In a hot stream ^ marks the current tick")
    func hotOrigin() {
        scheduler.advance(to: 100)
        let hot = scheduler.hot("-a-^-b-|")
        #expect(hot.recordedEvents == [.next(80, "a"), .next(120, "b"), .completed(140)])
    }

    @Test("expect compares a stream with a marble diagram")
    func expectation() {
        let letters = scheduler.hot("-a-b-a--|")
        scheduler.expect(letters.filter { $0 == "a" }, "-a---a--|")
        scheduler.expectSubscriptions(of: letters, "^-------!")
    }

    @Test("Marble characters stand for values")
    func values() {
        let numbers = scheduler.cold("-1-2-(3|)", ["1": 1, "2": 2, "3": 3])
        scheduler.expect(numbers.map { $0 * 10 }, "-a-b-(c|)", ["a": 10, "b": 20, "c": 30])
    }

    @Test("A failed expectation shows both diagrams, one below the other")
    func difference() {
        let letters = scheduler.hot("-a-b-(cd)|")
        let findings = collectFindings { scheduler.expect(letters.filter { $0 != "b" }, "-a-b-c---|") }
        #expect(
            findings.map(\.message) == [
                """
                recorded  -a---(cd)|
                expected  -a-b-c---|
                4 and 4 events differ at:
                  [1] next(c) @ 50
                   != next(b) @ 30
                  [2] next(d) @ 50
                   != next(c) @ 50
                """
            ])
    }

    @Test("A failed expectation of subscriptions shows the recorded and the expected ones")
    func subscriptionDifference() {
        let letters = scheduler.hot("-a-|")
        scheduler.expect(letters, "-a-|")
        let missing = collectFindings { scheduler.expectSubscriptions(of: letters, "^--!", "^") }
        #expect(
            missing.map(\.message) == [
                """
                recorded subscriptions  [(0 : 30)]
                expected subscriptions  [(0 : 30), (0 : Infinity)]
                """
            ])
        #expect(collectFindings { scheduler.expectSubscriptions(of: letters, "^-!") }.count == 1)
    }
}

@Suite("Blocking observables", .limitedConcurrency)
struct BlockingObservableTests {
    private let failing = Observable.concat(.of(1, 2), .error(Failure.expected))
    private let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)

    @Test("toArray waits for the elements of any thread", arguments: [false, true])
    func toArray(onAnotherThread: Bool) throws {
        var numbers = Observable.of(1, 2, 3)
        if onAnotherThread { numbers = numbers.observe(on: scheduler) }
        #expect(try numbers.toBlocking().toArray() == [1, 2, 3])
        #expect(throws: Failure.expected) { try failing.toBlocking().toArray() }
    }

    @Test("first and last return nil for an empty stream, and throw its error")
    func firstAndLast() throws {
        #expect(try Observable.of(1, 2, 3).toBlocking().first() == 1)
        #expect(try Observable.of(1, 2, 3).toBlocking().last() == 3)
        #expect(try Observable<Int>.empty().toBlocking().first() == nil)
        #expect(try Observable<Int>.empty().toBlocking().last() == nil)
        #expect(try failing.toBlocking().first() == 1)
        #expect(throws: Failure.expected) { try failing.toBlocking().last() }
    }

    @Test("first disposes an endless source")
    func endless() throws { #expect(try Observable.repeatElement(7).toBlocking().first() == 7) }

    @Test("single requires exactly one matching element")
    func single() throws {
        #expect(try Observable.just(1).toBlocking().single() == 1)
        #expect(try Observable.of(1, 2, 3).toBlocking().single { $0 > 2 } == 3)
        #expect(throws: RxError.self) { try Observable<Int>.empty().toBlocking().single() }
        #expect(throws: RxError.self) { try Observable.of(1, 2).toBlocking().single() }
        #expect(throws: Failure.expected) {
            try Observable.of(1, 2).toBlocking().single { _ in throw Failure.expected }
        }
    }

    @Test("materialize returns the elements and the terminal event")
    func materialize() {
        guard case .completed(elements: [1, 2]) = Observable.of(1, 2).toBlocking().materialize() else {
            Issue.record("not completed with 1, 2")
            return
        }
        guard case .failed(elements: [1, 2], error: let error) = failing.toBlocking().materialize() else {
            Issue.record("not failed after 1, 2")
            return
        }
        #expect(error is Failure)
    }

    @Test("A blocking timeout throws an error and disposes the subscription")
    func timeout() {
        let subject = PublishSubject<Int>()
        #expect(throws: RxError.self) { try subject.toBlocking(timeout: 0.01).toArray() }
        #expect(!subject.hasObservers)
    }
}

@Suite("Recorded events", .limitedConcurrency)
struct RecordedTests {
    private struct OtherFailure: Error {}

    @Test("Events compare elements with ==, and errors by type and description")
    func equality() {
        #expect(Event.next(1) == .next(1))
        #expect(Event.next(1) != .next(2))
        #expect(Event<Int>.completed == .completed)
        #expect(Event<Int>.completed != .error(Failure.expected))
        #expect(Event<Int>.error(Failure.expected) == .error(Failure.expected))
        #expect(Event<Int>.error(Failure.expected) != .error(OtherFailure()))
    }

    @Test("Events of traits compare like other events")
    func traits() {
        #expect(InfallibleEvent.next(1) == .next(1))
        #expect(InfallibleEvent<Int>.completed != .next(1))
        #expect(MaybeEvent.success(1) == .success(1))
        #expect(MaybeEvent<Int>.error(Failure.expected) != .completed)
        #expect(CompletableEvent.error(Failure.expected) == .error(Failure.expected))
        #expect(CompletableEvent.error(Failure.expected) != .error(OtherFailure()))
        #expect(SingleEvent.success(1) == .success(1))
        #expect(!(SingleEvent<Int>.failure(Failure.expected) == .failure(OtherFailure())))
    }

    @Test("Recorded events compare ticks as well")
    func recorded() {
        let events: [Recorded<Event<Int>>] = Recorded.events(.next(210, 1), .error(220, Failure.expected))
        #expect(events == [next(210, 1), error(220, Failure.expected)])
        #expect(events != [.next(211, 1), .error(220, Failure.expected)])
        #expect(Recorded.next(210, "a").debugDescription == "next(a) @ 210")
        #expect(completed(5, Int.self) == .completed(5))
    }

    @Test("Subscriptions describe their ticks")
    func subscription() {
        #expect(Subscription(200).debugDescription == "(200 : Infinity)")
        #expect(Subscription(200, 300) == Subscription(200, 300))
        #expect(Set([Subscription(200), Subscription(200, .max)]).count == 1)
    }
}
