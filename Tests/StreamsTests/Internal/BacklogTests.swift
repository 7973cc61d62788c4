import Foundation
import Synchronization
import TestConcurrency
import Testing

@testable import Streams

/// A stream to which several threads send, in one of two ways.
struct BusyCase: Sendable, CustomTestStringConvertible {
    typealias Send = @Sendable (Int) -> Void

    let testDescription: String
    let make: @Sendable () -> (stream: Observable<Int>, send: Send, sendOtherwise: Send)

    static let all = [
        BusyCase(testDescription: "a subject") {
            let subject = PublishSubject<Int>()
            return (subject, subject.onNext, subject.onNext)
        },
        BusyCase(testDescription: "a relay") {
            let relay = BehaviorRelay(value: 0)
            return (relay.skip(1), relay.accept, relay.accept)
        },
        BusyCase(testDescription: "share(replay: 1)") {
            let subject = PublishSubject<Int>()
            return (subject.share(replay: 1), subject.onNext, subject.onNext)
        },
        BusyCase(testDescription: "create") {
            let observers = Notes<AnyObserver<Int>>()
            let stream = Observable<Int>.create {
                observers.add($0)
                return Disposables.create()
            }
            let send: Send = { number in for observer in observers.all { observer.onNext(number) } }
            return (stream, send, send)
        },
        BusyCase(testDescription: "merge") {
            let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
            return (Observable.merge(first, second), first.onNext, second.onNext)
        },
        BusyCase(testDescription: "combineLatest") {
            let (first, second) = (BehaviorRelay(value: 0), BehaviorRelay(value: 0))
            let latest = Observable.combineLatest(first, second) { max($0, $1) }
            return (latest.skip(1), first.accept, second.accept)
        },
        BusyCase(testDescription: "flatMap") {
            let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
            return (Observable.of(first, second).flatMap { $0 }, first.onNext, second.onNext)
        },
    ]
}

@Suite("Senders of a long queue", .limitedConcurrency)
struct BacklogTests {
    /// Calls `send` on a thread of its own until `isOver`, but not for ever.
    private func send(until isOver: Signal, _ send: @escaping @Sendable (Int) -> Void) -> () -> Void {
        onThread {
            for number in 1...5_000_000 where !isOver.isRaised { send(number) }
        }
    }

    /// Runs `body` while another thread delivers an element; then that thread delivers what `body` has sent.
    private func whileAnotherThreadDelivers(_ busy: BusyCase, _ body: (@escaping BusyCase.Send) async -> Void) async {
        let (stream, send, sendOtherwise) = busy.make()
        let isBlocked = Moment()
        let isSent = Moment()
        let subscription = stream.subscribe(onNext: { number in
            if number == 1 {
                isBlocked.reach()
                isSent.wait()
            }
        })
        let drainer = onThread { send(1) }
        isBlocked.wait()
        await body(sendOtherwise)
        isSent.reach()
        drainer()
        subscription.dispose()
    }

    /// A flag that one thread raises and others poll.
    final class Signal: Sendable {
        private let flag = Atomic(false)

        var isRaised: Bool { flag.load(ordering: .acquiring) }
        func raise() { flag.store(true, ordering: .releasing) }
    }

    @Test("a send of the main actor returns although other threads go on sending", arguments: BusyCase.all, [1, 3])
    @MainActor
    func mainActor(_ busy: BusyCase, _ producers: Int) {
        let (stream, send, sendOtherwise) = busy.make()
        let isOver = Signal()
        let elements = Counter()
        let onMain = Counter()
        let subscription = stream.subscribe(onNext: { _ in
            elements.add(1)
            if DispatchQueue.isMain { onMain.add(1) }
        })
        let threads = (0..<producers).map { _ in self.send(until: isOver, send) }
        var most = 0
        // Until the others have sent a lot.
        for _ in 0..<1_000_000 where elements.value < 20_000 {
            let before = onMain.value
            sendOtherwise(-1)
            most = max(most, onMain.value - before)
        }
        isOver.raise()
        for end in threads { end() }
        // Its own, its batch, and those that were enqueued before the next send of another thread.
        #expect(most <= 1 + Backlog.mainBatch + 2 * (Backlog.limit + producers))
        subscription.dispose()
    }

    @Test("a send of the main actor returns although tasks, which never wait, go on sending", arguments: BusyCase.all)
    @MainActor
    func tasks(_ busy: BusyCase) async {
        let (stream, send, sendOtherwise) = busy.make()
        let isOver = Signal()
        let elements = Counter()
        let subscription = stream.subscribe(onNext: { _ in elements.add(1) })
        let sender = Task.detached {
            for number in 1...5_000_000 where !isOver.isRaised { send(number) }
            return isOver.isRaised
        }
        for _ in 0..<1_000_000 where elements.value < 20_000 { sendOtherwise(-1) }
        isOver.raise()
        #expect(await sender.value, "the main actor was free before the task had sent everything")
        subscription.dispose()
    }

    @Test("a sending thread does not deliver for others without end", arguments: BusyCase.all)
    func handOver(_ busy: BusyCase) {
        let (stream, send, sendOtherwise) = busy.make()
        let isOver = Signal()
        let hasEntered = Moment()
        let isBusy = Moment()
        let subscription = stream.subscribe(onNext: { number in
            if number == 10_000_000 {
                hasEntered.reach()
                isBusy.wait()
            }
        })
        let captured = onThread {
            sendOtherwise(10_000_000)
            isOver.raise()
        }
        hasEntered.wait()
        let producer = onThread {
            for number in 1...5_000_000 {
                if number == 500 { isBusy.reach() }
                send(number)
                if isOver.isRaised { return }
            }
            Issue.record("the other thread has delivered everything")
        }
        captured()
        producer()
        subscription.dispose()
    }

    @Test(
        "two observers receive the elements of all threads in one order, each thread's in its own",
        arguments: BusyCase.all)
    func order(_ busy: BusyCase) async {
        let (stream, send, sendOtherwise) = busy.make()
        let count = 20_000
        let shared = stream.publish()
        let (first, second) = (Arrivals<Int>(), Arrivals<Int>())
        let bag = DisposeBag()
        shared.subscribe(onNext: first.add).disposed(by: bag)
        shared.subscribe(onNext: second.add).disposed(by: bag)
        shared.connect().disposed(by: bag)
        let threads = (0..<3).map { thread in
            onThread { for number in 0..<count { (thread == 0 ? send : sendOtherwise)(thread * count + number) } }
        }
        await MainActor.run { for number in 0..<500 { send(3 * count + number) } }
        let tasks = Task.detached { for number in 0..<500 { sendOtherwise(4 * count + number) } }
        await tasks.value
        for end in threads { end() }
        let elements = first.elements
        #expect(elements == second.elements)
        if busy.testDescription == "combineLatest" { return }  // emits the latest ones again
        #expect(elements.count == 3 * count + 1_000)
        for thread in 0..<5 {
            let its = elements.filter { $0 / count == thread }
            #expect(its == its.sorted())
        }
    }

    @Test(
        "a thread waits once, and not for each element, while the draining thread waits for it",
        arguments: BusyCase.all)
    func blockedDrainer(_ busy: BusyCase) async {
        await whileAnotherThreadDelivers(busy) { send in
            let begin = ContinuousClock.now
            onThread { for _ in 0..<50_000 { send(0) } }()
            let time = ContinuousClock.now - begin
            #expect(time >= .milliseconds(30) && time < .seconds(5))
        }
    }

    @Test("threads that send while they hold a lock that observers need do not hang")
    func locks() {
        let subject = PublishSubject<Int>()
        let lock = NSRecursiveLock()
        let elements = Counter()
        let subscription = subject.subscribe(onNext: { _ in lock.withLock { elements.add(1) } })
        let begin = ContinuousClock.now
        let threads = (0..<3).map { thread in
            onThread {
                for number in 0..<5_000 {
                    if thread == 0 { subject.onNext(number) } else { lock.withLock { subject.onNext(number) } }
                }
            }
        }
        for end in threads { end() }
        #expect(ContinuousClock.now - begin < .seconds(10))
        #expect(elements.value == 15_000)
        subscription.dispose()
    }

    @Test("two subjects that send to each other from several threads lose nothing, and do not hang")
    func cycle() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let elements = Counter()
        let bag = DisposeBag()
        first.subscribe(onNext: { number in
            elements.add(1)
            if number > 0 { second.onNext(number - 1) }
        }).disposed(by: bag)
        second.subscribe(onNext: { number in
            elements.add(1)
            if number > 0 { first.onNext(number - 1) }
        }).disposed(by: bag)
        let begin = ContinuousClock.now
        let threads = [first, first, second, second].map { subject in
            onThread { for _ in 0..<2_000 { subject.onNext(3) } }
        }
        for end in threads { end() }
        #expect(ContinuousClock.now - begin < .seconds(10))
        #expect(elements.value == 4 * 8_000)
    }

    @Test("the main actor and tasks enqueue any number of elements without a wait", arguments: BusyCase.all)
    @MainActor
    func neverWaiting(_ busy: BusyCase) async {
        await whileAnotherThreadDelivers(busy) { send in
            for _ in 0..<5_000 { send(0) }
            await Task.detached { for _ in 0..<5_000 { send(0) } }.value
        }
    }

    @Test("elements of a burst that is observed on the main queue arrive between other work of that queue")
    @MainActor
    func turns() async {
        let subject = PublishSubject<Int>()
        let elements = Counter()
        let subscription = subject.observe(on: MainScheduler.instance).subscribe(onNext: { _ in elements.add(1) })
        onThread { for number in 0..<1_000 { subject.onNext(number) } }()
        let atMarker = await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume(returning: elements.value) }
        }
        #expect(atMarker == Backlog.turn)
        while elements.value < 1_000 { await Task.yield() }
        subscription.dispose()
    }

    @Test("threads that send to a subject wait for the slower queue on which it is observed")
    func observedBehindSubject() {
        let subject = PublishSubject<Int>()
        let (sent, delivered) = (Counter(), Counter())
        let pending = Notes<Int>()
        let isOver = Moment()
        let subscription =
            subject
            .observe(on: SerialDispatchQueueScheduler(internalSerialQueueName: "slow"))
            .subscribe(onNext: { _ in
                let end = ContinuousClock.now + .microseconds(5)
                while ContinuousClock.now < end {}
                delivered.add(1)
                if delivered.value.isMultiple(of: 100) { pending.add(sent.value - delivered.value) }
                if delivered.value == 60_000 { isOver.reach() }
            })
        let waits = (0..<3).map { _ in
            onThread {
                for number in 0..<20_000 {
                    sent.add(1)
                    subject.onNext(number)
                }
            }
        }
        for wait in waits { wait() }
        isOver.wait()
        // Two queues and what was taken from each; without limits nearly all of it.
        #expect((pending.all.max() ?? 0) < 20_000)
        subscription.dispose()
    }

    @Test(
        "a thread waits for a serial queue that is busy, once, and not if it runs on that queue",
        arguments: [false, true])
    func observedOnQueue(_ isOnQueue: Bool) {
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let subject = PublishSubject<Int>()
        let (isBusy, isOver, isComplete) = (Moment(), Moment(), Moment())
        let elements = Counter()
        let subscription = subject.observe(on: scheduler).subscribe(
            onNext: { _ in elements.add(1) }, onCompleted: { isComplete.reach() })
        let time = Notes<Duration>()
        let send: @Sendable () -> Void = {
            let begin = ContinuousClock.now
            for number in 0..<5_000 { subject.onNext(number) }
            time.add(ContinuousClock.now - begin)
        }
        let blocked = scheduler.schedule(()) { _ in
            if isOnQueue { send() }
            isBusy.reach()
            isOver.wait()
            return Disposables.create()
        }
        isBusy.wait()
        if !isOnQueue { onThread(send)() }
        subject.onCompleted()
        isOver.reach()
        isComplete.wait()
        #expect(elements.value == 5_000)
        #expect(isOnQueue || time.all[0] >= .milliseconds(100))
        #expect(time.all[0] < .seconds(5))
        subscription.dispose()
        blocked.dispose()
    }

    #if DEBUG
    @Test("10,000 elements that wait in an operator with several sources cause one warning")
    func warning() {
        let before = Hooks.warningHandler
        defer { Hooks.warningHandler = before }
        let warnings = Record()
        // The handler is that of all tests: others have long queues on their own threads.
        let thread = ObjectIdentifier(Thread.current)
        Hooks.warningHandler = { if ObjectIdentifier(Thread.current) == thread { warnings.add($0) } }
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = Observable.merge(first, second).subscribe(onNext: { number in
            if number == 0 { for number in 1...10_001 { second.onNext(number) } }
        })
        first.onNext(0)
        let ours = warnings.words.filter { $0.contains("an operator or a flow") }
        #expect(ours.count == 1)
        #expect(ours.first?.hasPrefix("10000 events are pending in an operator or a flow: ") == true)
        subscription.dispose()
    }
    #endif
}
