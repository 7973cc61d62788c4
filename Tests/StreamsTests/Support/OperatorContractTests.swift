import Dispatch
import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("Contract of operators", .limitedConcurrency)
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
        #expect(source.subscriptions.first.map { [345, 346].contains($0.unsubscribe) } == true)
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

    @Test("an operator emits the same below an operator that watches the termination", arguments: Operator.all)
    func belowDo(_ operation: Operator) {
        for end: Event<Token> in [.completed, .error(Failure.expected)] {
            func events(_ watch: (Observable<Token>) -> Observable<Token>) -> String {
                let scheduler = TestScheduler(initialClock: 0)
                let source = scheduler.createHotObservable([
                    .next(210, Token(1)), .next(230, Token(2)), .next(255, Token(3)), Recorded(time: 290, value: end),
                ])
                let stream = operation.apply(watch(source.asObservable()), scheduler)
                return words(scheduler.start { stream }.events)
            }
            #expect(events { $0.do(onError: { _ in }, onCompleted: {}, onDispose: {}) } == events { $0 })
        }
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

    @Test("an operator emits the same whether its source is released or sends nothing more", arguments: Operator.all)
    func releaseOfSource(_ operation: Operator) {
        for count in 0...3 {
            func events(releasing isReleased: Bool) -> String {
                expectNothingSurvives {
                    let scheduler = TestScheduler(initialClock: 0)
                    var source = Optional(PublishSubject<Token>())
                    let received = scheduler.createObserver(String.self)
                    let subscription = source.map { operation.apply($0, scheduler).subscribe(received) }
                    for (number, tick) in [10, 30, 55].prefix(count).enumerated() {
                        scheduler.scheduleAt(tick) { source?.onNext(Token(number + 1)) }
                    }
                    scheduler.scheduleAt([5, 15, 35, 60][count]) { if isReleased { source = nil } }
                    scheduler.scheduleAt(800) { subscription?.dispose() }
                    scheduler.start()
                    return words(received.events)
                }
            }
            #expect(events(releasing: true) == events(releasing: false))
        }
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

    // `subscribe(on:)` still has work to do on its scheduler: to dispose the source.
    @Test(
        "a disposed operator releases a scheduler on which its work is pending",
        arguments: Operator.all.filter { $0.signature != "subscribe(on:)" })
    func releaseOfScheduler(_ operation: Operator) {
        weak var released: TestScheduler?
        do {
            let scheduler = TestScheduler(initialClock: 0)
            released = scheduler
            let source = PublishSubject<Token>()
            let subscription = operation.apply(source, scheduler).subscribe()
            scheduler.advanceTo(10)
            source.onNext(Token(1))
            subscription.dispose()
        }
        #expect(released == nil)
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

@Suite("Contract of operators on several threads", .limitedConcurrency)
struct OperatorRaceTests {
    @Test(
        "an operator used by several threads delivers one event at a time, terminates once and leaves nothing behind",
        arguments: Operator.independent)
    func race(_ operation: Operator) {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        for round in 0..<30 {
            let source = PublishSubject<Token>()
            let isInside = Atomic(false)
            let overlaps = Atomic(0)
            let ends = Atomic(0)
            let subscription = operation.apply(source, scheduler).subscribe { event in
                if isInside.exchange(true, ordering: .acquiringAndReleasing) { overlaps.add(1, ordering: .relaxed) }
                if event.isStopEvent { ends.add(1, ordering: .relaxed) }
                isInside.store(false, ordering: .releasing)
            }
            DispatchQueue.concurrentPerform(iterations: 3) { worker in
                if worker < 2 {
                    for number in 0..<10 { source.onNext(Token(number)) }
                } else if round % 3 == 0 {
                    source.onCompleted()
                } else if round % 3 == 1 {
                    source.onError(Failure.expected)
                } else {
                    subscription.dispose()
                }
            }
            subscription.dispose()
            #expect(overlaps.load(ordering: .relaxed) == 0)
            #expect(ends.load(ordering: .relaxed) <= 1)
            // With a scheduler, disposal runs there.
            if operation.signature != "subscribe(on:)" { #expect(!source.hasObservers) }
        }
    }
}

/// No lock is held while an element is released: its `deinit` can use the stream that stored it. If a lock is held, the
/// test stops the process, because a thread acquires the lock twice.
@Suite("Elements whose release calls back into the stream", .limitedConcurrency)
struct ElementReleaseTests {
    /// The calls of a deinitializer: everything that could acquire a lock of the stream.
    private final class Callback: Sendable {
        private let work = Mutex<(@Sendable () -> Void)?>(nil)
        private let calls = Atomic(0)

        var count: Int { calls.load(ordering: .relaxed) }

        func set(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0 = work } }

        func callAsFunction() {
            calls.add(1, ordering: .relaxed)
            work.withLock { $0 }?()
        }
    }

    @Test("an operator releases stored elements outside its locks", arguments: Operator.failing)
    func operators(_ operation: Operator) {
        for end in ["disposal", "completion", "error"] {
            let callback = Callback()
            let scheduler = HistoricalScheduler()
            let source = PublishSubject<Token>()
            let subscription = operation.apply(source, scheduler).subscribe(onNext: { _ in }, onError: { _ in })
            callback.set { [weak source] in
                source?.onNext(Token(-1))
                _ = source?.hasObservers
                _ = scheduler.clock
            }
            for number in 0..<12 {
                source.onNext(Token(number) { callback() })
                if number % 4 == 3 { scheduler.sleep(1) }
            }
            if end == "completion" { source.onCompleted() }
            if end == "error" { source.onError(Failure.expected) }
            subscription.dispose()
            scheduler.start()
            #expect(callback.count == 12, "\(end)")
        }
    }

    @Test("enqueued inner streams are released outside the lock")
    func waitingInnerStreams() {
        let callback = Callback()
        let source = PublishSubject<Token>()
        let subscription = source.concatMap { token in Observable<Int>.never().do(onDispose: { _ = token }) }
            .subscribe()
        callback.set { [weak source] in source?.onNext(Token(-1)) }
        for number in 0..<5 { source.onNext(Token(number) { callback() }) }
        subscription.dispose()
        #expect(callback.count == 5)
    }

    /// The operations of a stateful subject or relay.
    struct Keeper: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make:
            @Sendable () -> (
                send: @Sendable (Token) -> Void, end: @Sendable () -> Void, stream: Observable<Token>
            )
    }

    static let keepers = [
        Keeper(testDescription: "BehaviorSubject") {
            let subject = BehaviorSubject(value: Token(-2))
            return (subject.onNext, subject.dispose, subject)
        },
        Keeper(testDescription: "BehaviorRelay") {
            let relay = BehaviorRelay(value: Token(-2))
            return ({ relay.accept($0) }, {}, relay.asObservable())
        },
        Keeper(testDescription: "ReplaySubject of 2") {
            let subject = ReplaySubject<Token>.create(bufferSize: 2)
            return (subject.onNext, subject.dispose, subject)
        },
        Keeper(testDescription: "ReplaySubject of all") {
            let subject = ReplaySubject<Token>.createUnbounded()
            return (subject.onNext, subject.dispose, subject)
        },
        Keeper(testDescription: "AsyncSubject that fails") {
            let subject = AsyncSubject<Token>()
            return ({ subject.onNext($0) }, { subject.onError(Failure.expected) }, subject)
        },
        Keeper(testDescription: "AsyncSubject that is disposed") {
            let subject = AsyncSubject<Token>()
            return ({ subject.onNext($0) }, subject.dispose, subject)
        },
        Keeper(testDescription: "share(replay: 2)") {
            let subject = PublishSubject<Token>()
            return ({ subject.onNext($0) }, subject.dispose, subject.share(replay: 2))
        },
    ]

    @Test("a subject releases stored elements outside its lock", arguments: keepers)
    func subjects(_ keeper: Keeper) {
        let callback = Callback()
        do {
            let (send, end, stream) = keeper.make()
            callback.set {
                send(Token(-1))
                stream.subscribe(onError: { _ in }).dispose()
            }
            let subscription = stream.subscribe(onError: { _ in })
            for number in 0..<6 { send(Token(number) { callback() }) }
            end()
            subscription.dispose()
            for _ in 0..<3 { send(Token(-1)) }
            callback.set {}  // it would keep the stream
        }
        #expect(callback.count == 6)
    }

    @Test("values(buffering:) releases dropped elements outside its lock")
    func droppedValues() {
        let callback = Callback()
        let source = PublishSubject<Token>()
        do {
            let values = source.values(buffering: .latest)
            callback.set { [weak source] in source?.onNext(Token(-1)) }
            for number in 0..<5 { source.onNext(Token(number) { callback() }) }
            #expect(values.droppedCount >= 4)
        }
        #expect(callback.count == 5)
    }

    @Test("a replaced hook is released outside the lock")
    func hooks() {
        let before = Hooks.customCaptureSubscriptionCallstack
        let callback = Callback()
        callback.set { _ = Hooks.customCaptureSubscriptionCallstack }
        do {
            let token = Token(0) { callback() }
            Hooks.customCaptureSubscriptionCallstack = {
                withExtendedLifetime(token) {}
                return []
            }
        }
        Hooks.customCaptureSubscriptionCallstack = before
        #expect(callback.count == 1)
    }

    @Test("a virtual-time scheduler calls its converter outside its lock")
    func converter() {
        let scheduler = VirtualTimeScheduler(initialClock: 0, converter: CuriousConverter())
        CuriousConverter.look = { [weak scheduler] in _ = scheduler?.clock }
        defer { CuriousConverter.look = nil }
        let record = Record()
        for time in [3, 1, 2] {
            _ = scheduler.scheduleAbsoluteVirtual(time, time: time) {
                record.add($0)
                return Disposables.create()
            }
        }
        scheduler.sleep(1)
        scheduler.advanceTo(2)
        #expect("\(scheduler)".hasSuffix("at 2, work at [3]"))
        scheduler.start()
        #expect(record.text == "1 2 3")
    }
}

/// A converter of ticks that accesses its scheduler in each call.
private struct CuriousConverter: VirtualTimeConverterType {
    private static let work = Mutex<(@Sendable () -> Void)?>(nil)

    static var look: (@Sendable () -> Void)? {
        get { work.withLock { $0 } }
        set { work.withLock { $0 = newValue } }
    }

    func convertFromVirtualTime(_ virtualTime: Int) -> RxTime { RxTime(timeIntervalSince1970: Double(virtualTime)) }
    func convertToVirtualTime(_ time: RxTime) -> Int { Int(time.timeIntervalSince1970) }
    func convertFromVirtualTimeInterval(_ interval: Int) -> Double { Double(interval) }
    func convertToVirtualTimeInterval(_ interval: Double) -> Int { Int(interval) }

    func offsetVirtualTime(_ time: Int, offset: Int) -> Int {
        Self.look?()
        return time + offset
    }

    func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
        Self.look?()
        return lhs < rhs ? .lessThan : lhs == rhs ? .equal : .greaterThan
    }
}
