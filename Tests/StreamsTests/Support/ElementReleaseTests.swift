import Foundation
import Streams
import Synchronization
import TestTurns
import Testing

/// No lock is held while an element is released: its `deinit` can use the stream that stored it. If a lock is held, the
/// test stops the process, because a thread acquires the lock twice.
@Suite("Elements whose release calls back into the stream", .takesTurns)
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
