import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestTurns
import Testing

@Suite("Contract of operators", .takesTurns)
struct OperatorContractTests {
    @Test("an operator emits the expected events at the expected ticks", arguments: Operator.all)
    func values(_ operation: Operator) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([
            .next(210, Token(1)), .next(230, Token(2)), .next(255, Token(3)), .completed(290),
        ])
        let result = scheduler.start { operation.apply(source.asObservable(), scheduler) }
        #expect(words(result.events) == operation.says)
        #expect(source.subscriptions.count == 1)
    }

    @Test("disposing an operator disposes the source and stops its events", arguments: Operator.all)
    func disposal(_ operation: Operator) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(
            (1...40).map { .next(200 + $0 * 10, Token($0)) })
        let result = scheduler.start(disposed: 345) { operation.apply(source.asObservable(), scheduler) }
        #expect(result.events.allSatisfy { $0.time <= 345 })
        #expect(source.subscriptions.count == 1)
        // With a scheduler, disposal takes one tick as well.
        #expect([345, 346].contains(source.subscriptions[0].unsubscribe))
    }

    @Test("an operator forwards an error of the source and disposes it", arguments: Operator.failing)
    func failure(_ operation: Operator) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([
            .next(210, Token(1)), .next(250, Token(2)), .error(300, Failure.expected), .next(310, Token(3)),
        ])
        let result = scheduler.start { operation.apply(source.asObservable(), scheduler) }
        #expect(result.events.filter { $0.value.isStopEvent }.count == 1)
        #expect(result.events.last?.value == .error(Failure.expected))
        #expect([300, 301].contains(result.events.last?.time))
        #expect([300, 301].contains(source.subscriptions[0].unsubscribe))
    }

    @Test("an operator emits nothing after termination", arguments: Operator.all)
    func grammar(_ operation: Operator) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([
            .next(210, Token(1)), .next(220, Token(2)), .completed(240), .next(241, Token(3)), .completed(242),
            .error(243, Failure.other), .next(260, Token(4)),
        ])
        let result = scheduler.start { operation.apply(source.asObservable(), scheduler) }
        #expect(result.events.last?.value.isStopEvent ?? true)
        #expect(result.events.filter { $0.value.isStopEvent }.count <= 1)
        #expect(result.events.contains { $0.value.error != nil } == (operation.signature == "element(at:)"))
        #expect(!result.events.contains { ["3", "4"].contains($0.value.element) })
        #expect(source.subscriptions[0].unsubscribe <= 300)
    }

    @Test("two subscriptions to an operator do not share state", arguments: Operator.independent)
    func independence(_ operation: Operator) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([
            .next(10, Token(1)), .next(30, Token(2)), .next(55, Token(3)), .completed(90),
        ])
        let stream = operation.apply(source.asObservable(), scheduler)
        let first = scheduler.createObserver(String.self)
        let second = scheduler.createObserver(String.self)
        scheduler.scheduleAt(200) { stream.subscribe(first).disposed(by: forever) }
        scheduler.scheduleAt(230) { stream.subscribe(second).disposed(by: forever) }
        scheduler.start()
        #expect(second.events == first.events.map { Recorded(time: $0.time + 30, value: $0.value) })
        #expect(first.events.contains { $0.value.isStopEvent })
    }

    @Test("disposing an operator during a delivery stops it", arguments: Operator.all)
    func disposalInside(_ operation: Operator) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Token>()
        let subscription = SerialDisposable()
        let received = Record()
        subscription.disposable = operation.apply(source, scheduler).subscribe { event in
            received.add(event)
            subscription.dispose()
        }
        for number in 1...9 {
            scheduler.scheduleAt(number * 10) { source.onNext(Token(number)) }
        }
        scheduler.scheduleAt(100) { source.onCompleted() }
        scheduler.start()
        #expect(received.words.count <= 1)
        #expect(!source.hasObservers)
    }

    @Test(
        "an operator emits the same whether its observer sends the next element during a delivery or after it",
        arguments: Operator.all)
    func reentrancy(_ operation: Operator) {
        let during = answers(of: operation) { scheduler, send in send() }
        let after = answers(of: operation) { scheduler, send in scheduler.scheduleAt(scheduler.clock, action: send) }
        #expect(words(during) == words(after))
        #expect(during.last?.value.isStopEvent == true)
    }

    /// The events of the operator when its observer answers each of the first 20 elements by sending the next one.
    private func answers(
        of operation: Operator, _ answer: @escaping @Sendable (TestScheduler, @escaping @Sendable () -> Void) -> Void
    ) -> [Recorded<Event<String>>] {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Token>()
        let isInside = Mutex(false)
        let last = Mutex(1)
        let received = scheduler.createObserver(String.self)
        let subscription = operation.apply(source, scheduler).subscribe { event in
            #expect(!isInside.withLock { $0 }, "a delivery inside another")
            isInside.withLock { $0 = true }
            received.on(event)
            let isTurn = scheduler.clock >= 10 && !event.isStopEvent
            let number =
                isTurn
                ? last.withLock {
                    $0 += 1; return $0
                } : .max
            if number <= 20 { answer(scheduler) { source.onNext(Token(number)) } }
            isInside.withLock { $0 = false }
        }
        scheduler.scheduleAt(10) { source.onNext(Token(1)) }
        scheduler.scheduleAt(900) { source.onCompleted() }
        scheduler.advanceTo(1000)
        subscription.dispose()
        #expect(!source.hasObservers || operation.signature == "subscribe(on:)")
        return received.events
    }

    @Test("an operator releases its state on disposal", arguments: Operator.all)
    func releaseOnDisposal(_ operation: Operator) { expectRelease(by: operation) { $1.dispose() } }

    @Test("an operator releases its state on failure", arguments: Operator.failing)
    func releaseOnFailure(_ operation: Operator) {
        expectRelease(by: operation) { source, _ in source.onError(Failure.expected) }
    }

    @Test("an operator releases its state on completion", arguments: Operator.all)
    func releaseOnCompletion(_ operation: Operator) {
        expectRelease(by: operation) { source, _ in source.onCompleted() }
    }

    private func expectRelease(
        by operation: Operator, after end: @escaping (PublishSubject<Token>, any Disposable) -> Void
    ) {
        weak var first: Token?
        weak var second: Token?
        let source = PublishSubject<Token>()
        let scheduler = TestScheduler(initialClock: 0)
        func send(_ number: Int) -> Token {
            let token = Token(number)
            source.onNext(token)
            return token
        }
        expectNothingSurvives {
            let subscription = operation.apply(source, scheduler).subscribe { _ in }
            scheduler.scheduleAt(10) { first = send(1) }
            scheduler.scheduleAt(20) { second = send(2) }
            scheduler.scheduleAt(22) { end(source, subscription) }
            scheduler.advanceTo(100)
        }
        #expect(first == nil)
        #expect(second == nil)
        #expect(!source.hasObservers)
    }
}

private let forever = DisposeBag()
