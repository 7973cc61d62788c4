import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("Blocking observables", .takesTurns)
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

@Suite("Recorded events", .takesTurns)
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
