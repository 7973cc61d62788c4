import Dispatch
import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing
import TestConcurrency

/// A log of work, and a way to wait for its entries.
private final class Log: Sendable {
    private let entries = Mutex<[Int]>([])
    private let added = DispatchSemaphore(value: 0)

    var all: [Int] { entries.withLock { $0 } }

    func add(_ entry: Int) {
        entries.withLock { $0.append(entry) }
        added.signal()
    }

    /// Work that adds its state.
    func work(_ entry: Int) -> any Disposable {
        add(entry)
        return Disposables.create()
    }

    /// Waits for `count` more entries.
    func wait(_ count: Int = 1) -> Bool {
        (0..<count).allSatisfy { _ in added.wait(timeout: .now() + 30) == .success }
    }
}

/// The schedulers with their own threads.
enum DispatchScheduler: CaseIterable {
    case serial, serialOnConcurrent, concurrent, serialQueue

    var make: any SchedulerType {
        switch self {
        case .serial: SerialDispatchQueueScheduler(qos: .userInitiated)
        case .serialOnConcurrent: SerialDispatchQueueScheduler(queue: .global(), internalSerialQueueName: "test")
        case .concurrent: ConcurrentDispatchQueueScheduler(qos: .userInitiated)
        case .serialQueue: SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        }
    }
}

@Suite("Schedulers on dispatch queues", .limitedConcurrency)
struct DispatchSchedulerTests {
    @Test("Work on a dispatch queue runs asynchronously", arguments: DispatchScheduler.allCases)
    func runs(_ scheduler: DispatchScheduler) {
        let log = Log()
        let work = scheduler.make.schedule(7, action: log.work)
        #expect(log.wait())
        #expect(log.all == [7])
        work.dispose()
    }

    @Test(
        "Serial schedulers preserve the order of work",
        arguments: [DispatchScheduler.serial, .serialOnConcurrent, .serialQueue])
    func order(_ scheduler: DispatchScheduler) {
        let log = Log()
        let scheduler = scheduler.make
        for number in 0..<1000 {
            _ = scheduler.schedule(number, action: log.work)
        }
        #expect(log.wait(1000))
        #expect(log.all == Array(0..<1000))
    }

    @Test("Disposed work does not run")
    func disposed() {
        let log = Log()
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "test")
        let work = scheduler.schedule(1, action: log.work)
        work.dispose()
        _ = scheduler.schedule(2, action: log.work)
        queue.resume()
        #expect(log.wait())
        #expect(log.all == [2])
    }

    @Test("Disposing finished work disposes the disposable that it returned", arguments: DispatchScheduler.allCases)
    func disposesResult(_ scheduler: DispatchScheduler) {
        let log = Log()
        let work = scheduler.make.schedule(1) { number in
            log.add(number)
            return Disposables.create { log.add(2) }
        }
        #expect(log.wait())
        #expect(log.all == [1])
        work.dispose()
        #expect(log.wait())
        #expect(log.all == [1, 2])
    }

    @Test("Delayed work does not run before its delay has passed", arguments: DispatchScheduler.allCases)
    func delayed(_ scheduler: DispatchScheduler) {
        let log = Log()
        let scheduler = scheduler.make
        let start = scheduler.now
        _ = scheduler.scheduleRelative(1, dueTime: .milliseconds(20), action: log.work)
        #expect(log.wait())
        #expect(scheduler.now.timeIntervalSince(start) >= 0.019)
    }

    @Test("Disposed delayed work does not run and releases its captures", arguments: DispatchScheduler.allCases)
    func delayedDisposed(_ scheduler: DispatchScheduler) {
        weak var held: Log?
        let work: any Disposable
        do {
            let log = Log()
            held = log
            work = scheduler.make.scheduleRelative(1, dueTime: .seconds(3600), action: log.work)
        }
        #expect(held != nil)
        work.dispose()
        #expect(held == nil)
    }

    @Test("Periodic work receives its previous state until it is disposed", arguments: DispatchScheduler.allCases)
    func periodic(_ scheduler: DispatchScheduler) {
        let log = Log()
        let work = scheduler.make.schedulePeriodic(0, startAfter: .milliseconds(1), period: .milliseconds(1)) { count in
            log.add(count)
            return count + 1
        }
        #expect(log.wait(5))
        work.dispose()
        #expect(log.all.prefix(5) == [0, 1, 2, 3, 4])
    }

    @Test("An operation queue scheduler runs work with its priority")
    func operationQueue() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        let log = Log()
        for (number, priority) in [(1, Operation.QueuePriority.low), (2, .normal), (3, .veryHigh)] {
            let scheduler = OperationQueueScheduler(operationQueue: queue, queuePriority: priority)
            _ = scheduler.schedule(number, action: log.work)
        }
        let disposed = OperationQueueScheduler(operationQueue: queue).schedule(4, action: log.work)
        disposed.dispose()
        queue.isSuspended = false
        #expect(log.wait(3))
        queue.waitUntilAllOperationsAreFinished()
        #expect(log.all == [3, 2, 1])
    }
}

@Suite("Main schedulers", .limitedConcurrency)
@MainActor
struct MainSchedulerTests {
    @Test("On the main queue, MainScheduler runs work immediately and asyncInstance later, in order")
    func order() async {
        let log = Log()
        func schedule(_ number: Int, on scheduler: any ImmediateSchedulerType) {
            _ = scheduler.schedule(number, action: log.work)
        }
        // A separate scheduler: on the shared one, pending work of another test would delay this one.
        schedule(1, on: MainScheduler())
        #expect(log.all == [1])
        schedule(2, on: MainScheduler.asyncInstance)
        #expect(log.all == [1])
        await withCheckedContinuation { continuation in
            _ = MainScheduler.asyncInstance.schedule(3) {
                log.add($0)
                continuation.resume()
                return Disposables.create()
            }
        }
        #expect(log.all == [1, 2, 3])
    }

    @Test("Nested work on MainScheduler runs after the current work")
    func nested() async {
        let log = Log()
        await withCheckedContinuation { continuation in
            let scheduler = MainScheduler()
            _ = scheduler.schedule(()) {
                _ = scheduler.schedule(2) {
                    log.add($0)
                    continuation.resume()
                    return Disposables.create()
                }
                log.add(1)
                return Disposables.create()
            }
        }
        #expect(log.all == [1, 2])
    }

    @Test("MainScheduler runs work of other threads on the main queue", arguments: [true, false])
    func elsewhere(concurrent: Bool) async {
        let scheduler: any ImmediateSchedulerType =
            concurrent ? ConcurrentMainScheduler.instance : MainScheduler.instance
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                _ = scheduler.schedule(()) {
                    MainScheduler.ensureExecutingOnScheduler()
                    MainActor.assumeIsolated {}
                    continuation.resume()
                    return Disposables.create()
                }
            }
        }
    }

    @Test("ConcurrentMainScheduler runs nested work immediately")
    func concurrentNested() {
        let log = Log()
        _ = ConcurrentMainScheduler.instance.schedule(()) {
            _ = ConcurrentMainScheduler.instance.schedule(1, action: log.work)
            log.add(2)
            return Disposables.create()
        }
        #expect(log.all == [1, 2])
    }

    @Test("MainScheduler runs delayed work on the main queue")
    func delayed() async {
        await withCheckedContinuation { continuation in
            _ = ConcurrentMainScheduler.instance.scheduleRelative((), dueTime: .milliseconds(1)) {
                MainScheduler.ensureRunningOnMainThread()
                continuation.resume()
                return Disposables.create()
            }
        }
    }
}

@Suite("VirtualTimeScheduler", .limitedConcurrency)
struct VirtualTimeSchedulerTests {
    @Test("A historical scheduler runs work in the order of its dates, each at its date")
    func historical() {
        let start = Date(timeIntervalSince1970: 1_000)
        let scheduler = HistoricalScheduler(initialClock: start)
        let log = Mutex<[(name: String, clock: Date)]>([])
        for (name, delay) in [("b", 20.0), ("a", 10.0), ("c", 20.0)] {
            _ = scheduler.scheduleAbsoluteVirtual(name, time: start + delay) { name in
                log.withLock { $0.append((name, scheduler.clock)) }
                return Disposables.create()
            }
        }
        scheduler.start()
        #expect(log.withLock { $0.map(\.name) } == ["a", "b", "c"])
        #expect(log.withLock { $0.map(\.clock) } == [start + 10, start + 20, start + 20])
    }
}

@Suite("Recursive and periodic work", .limitedConcurrency)
struct RecursiveWorkTests {
    @Test("Recursive work receives the state that it passes on")
    func recursion() {
        let numbers = Record()
        _ = CurrentThreadScheduler.instance.scheduleRecursive(3) { number, recurse in
            numbers.add(number)
            if number > 1 { recurse(number - 1) }
        }
        #expect(numbers.text == "3 2 1")
    }

    @Test("Each recursive run in virtual time takes one tick")
    func virtualTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let numbers = scheduler.createObserver(Int.self)
        _ = scheduler.scheduleRecursive(1) { number, recurse in
            numbers.onNext(number)
            if number < 3 { recurse(number + 1) }
        }
        scheduler.start()
        #expect(numbers.events == [.next(1, 1), .next(2, 2), .next(3, 3)])
    }

    @Test("Disposing recursive work prevents later runs")
    func disposed() {
        let scheduler = TestScheduler(initialClock: 0)
        let numbers = scheduler.createObserver(Int.self)
        let work = scheduler.scheduleRecursive(1) { number, recurse in
            numbers.onNext(number)
            recurse(number + 1)
        }
        scheduler.scheduleAt(3) { work.dispose() }
        scheduler.start()
        #expect(numbers.events.map(\.time) == [1, 2])
        scheduler.expectIdle()
    }

    @Test("20,000 recursive runs need constant stack", arguments: [0, 1])
    func deep(index: Int) {
        let schedulers: [any ImmediateSchedulerType] = [ImmediateScheduler.instance, CurrentThreadScheduler.instance]
        let last = Record()
        _ = schedulers[index].scheduleRecursive(1) { number, recurse in
            if number < 20_000 { recurse(number + 1) } else { last.add(number) }
        }
        #expect(last.text == "20000")
    }

    @Test("A recursive run can schedule several runs")
    func branching() {
        let leaves = Record()
        _ = CurrentThreadScheduler.instance.scheduleRecursive(1) { number, recurse in
            if number >= 8 { return leaves.add(number) }
            recurse(2 * number)
            recurse(2 * number + 1)
        }
        #expect(leaves.text == "8 9 10 11 12 13 14 15")
    }

    @Test("Periodic ticks during a run are executed after it, without loss or overlap")
    func slowTicks() {
        let scheduler = TestScheduler(initialClock: 0)
        let ticks = scheduler.createObserver(Int.self)
        let work = scheduler.schedulePeriodic(0, startAfter: .seconds(10), period: .seconds(10)) { count in
            ticks.onNext(count)
            if count == 0 { scheduler.sleep(25) }
            return count + 1
        }
        scheduler.scheduleAt(60) { work.dispose() }
        scheduler.start()
        #expect(ticks.events.compactMap(\.value.element) == Array(0..<ticks.events.count))
        #expect(ticks.events.first == .next(10, 0))
    }
}

@Suite("Virtual time", .limitedConcurrency)
struct VirtualTimeTests {
    @Test("Work of one tick runs in scheduling order, except disposed work")
    func order() {
        let scheduler = TestScheduler(initialClock: 0)
        let log = Record()
        let handles = (0..<200).map { number in
            scheduler.scheduleAbsoluteVirtual(number, time: (number * 7) % 5) {
                log.add("\((number * 7) % 5):\($0)")
                return Disposables.create()
            }
        }
        for number in stride(from: 0, to: 200, by: 2) { handles[number].dispose() }
        scheduler.start()
        let expected = (0..<200).filter { $0 % 2 == 1 }.map { ((($0 * 7) % 5), $0) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        #expect(log.words == expected.map { "\($0.0):\($0.1)" })
    }

    @Test("Disposed work does not move the clock")
    func disposedWork() {
        let scheduler = TestScheduler(initialClock: 5)
        scheduler.scheduleAbsoluteVirtual((), time: 100) { Disposables.create() }.dispose()
        scheduler.start()
        #expect(scheduler.clock == 5)
    }

    @Test("stop leaves pending work for the next start")
    func stop() {
        let scheduler = TestScheduler(initialClock: 0)
        let log = Record()
        for tick in 1...4 {
            scheduler.scheduleAt(tick) {
                log.add(tick)
                if tick == 2 { scheduler.stop() }
            }
        }
        scheduler.start()
        #expect(log.text == "1 2")
        #expect(scheduler.debugDescription == "TestScheduler at 2, work at [3, 4]")
        scheduler.start()
        #expect(log.text == "1 2 3 4")
    }

    @Test("A nested start does nothing")
    func nestedStart() {
        let scheduler = TestScheduler(initialClock: 0)
        let log = Record()
        scheduler.scheduleAt(1) {
            scheduler.scheduleAt(2) { log.add("inner") }
            scheduler.start()
            log.add("outer")
        }
        scheduler.start()
        #expect(log.text == "outer inner")
    }

    @Test("sleep advances the clock past work, which then runs late")
    func sleep() {
        let scheduler = TestScheduler(initialClock: 0)
        let ticks = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(10) { ticks.onNext(1) }
        scheduler.sleep(50)
        scheduler.start()
        #expect(ticks.events == [.next(50, 1)])
    }

    @Test(
        "A timer whose due time the clock cannot reach is not scheduled",
        arguments: [.never, .seconds(.max), .milliseconds(.max), .microseconds(.max)] as [RxTimeInterval])
    func never(_ dueTime: RxTimeInterval) {
        let bag = DisposeBag()
        let scheduler = TestScheduler(initialClock: 0)
        _ = scheduler.scheduleRelative((), dueTime: dueTime) { Disposables.create() }
        let numbers = Observable.of(1, 2).concat(Observable.never())
        let timed = [
            numbers.debounce(dueTime, scheduler: scheduler), numbers.timeout(dueTime, scheduler: scheduler),
            numbers.delay(dueTime, scheduler: scheduler), numbers.delaySubscription(dueTime, scheduler: scheduler),
            numbers.throttle(dueTime, scheduler: scheduler), numbers.take(for: dueTime, scheduler: scheduler),
            numbers.buffer(timeSpan: dueTime, count: 2, scheduler: scheduler).map(\.count),
            .timer(.seconds(0), period: dueTime, scheduler: scheduler), .interval(dueTime, scheduler: scheduler),
        ]
        let received = scheduler.createObserver(String.self)
        for (index, stream) in timed.enumerated() {
            stream.map { "\(index):\($0)" }.subscribe(received).disposed(by: bag)
        }
        scheduler.start()
        #expect(words(received.events) == "1:1@0 1:2@0 4:1@0 5:1@0 5:2@0 6:2@0 7:0@1")
        #expect(scheduler.clock == 1)
    }

    @Test("A timer with a due time in the remotest past runs next")
    func past() {
        let bag = DisposeBag()
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.001)
        let received = scheduler.createObserver(Int.self)
        Observable<Int>.timer(.seconds(.min), scheduler: scheduler).subscribe(received).disposed(by: bag)
        scheduler.start()
        #expect(words(received.events) == "0@1 |@1")
    }
}
