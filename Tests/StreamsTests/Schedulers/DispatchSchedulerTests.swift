import Dispatch
import Foundation
import Streams
import StreamsTesting
import Synchronization
import TestTurns
import Testing

/// A log of work, and a way to wait for its entries.
private final class Log: Sendable {
    private let entries = Mutex<[Int]>([])
    private let added = DispatchSemaphore(value: 0)

    var all: [Int] { entries.withLock { $0 } }

    func add(_ entry: Int) {
        entries.withLock { $0.append(entry) }
        added.signal()
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

@Suite("Schedulers on dispatch queues", .takesTurns)
struct DispatchSchedulerTests {
    @Test("Work on a dispatch queue runs asynchronously", arguments: DispatchScheduler.allCases)
    func runs(_ scheduler: DispatchScheduler) {
        let log = Log()
        let work = scheduler.make.schedule(7) { number in
            log.add(number)
            return Disposables.create()
        }
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
            _ = scheduler.schedule(number) {
                log.add($0)
                return Disposables.create()
            }
        }
        #expect(log.wait(1000))
        #expect(log.all == Array(0..<1000))
    }

    @Test("Disposed work does not run", arguments: DispatchScheduler.allCases)
    func disposed(_ scheduler: DispatchScheduler) {
        let log = Log()
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "test")
        let work = scheduler.schedule(1) {
            log.add($0)
            return Disposables.create()
        }
        work.dispose()
        _ = scheduler.schedule(2) {
            log.add($0)
            return Disposables.create()
        }
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
        _ = scheduler.scheduleRelative(1, dueTime: .milliseconds(20)) {
            log.add($0)
            return Disposables.create()
        }
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
            work = scheduler.make.scheduleRelative(1, dueTime: .seconds(3600)) {
                log.add($0)
                return Disposables.create()
            }
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
            _ = OperationQueueScheduler(operationQueue: queue, queuePriority: priority).schedule(number) {
                log.add($0)
                return Disposables.create()
            }
        }
        let disposed = OperationQueueScheduler(operationQueue: queue).schedule(4) {
            log.add($0)
            return Disposables.create()
        }
        disposed.dispose()
        queue.isSuspended = false
        #expect(log.wait(3))
        queue.waitUntilAllOperationsAreFinished()
        #expect(log.all == [3, 2, 1])
    }
}

@Suite("Main schedulers", .takesTurns)
@MainActor
struct MainSchedulerTests {
    @Test("On the main queue, MainScheduler runs work immediately and asyncInstance later, in order")
    func order() async {
        let log = Log()
        func schedule(_ number: Int, on scheduler: any ImmediateSchedulerType) {
            _ = scheduler.schedule(number) {
                log.add($0)
                return Disposables.create()
            }
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
            _ = ConcurrentMainScheduler.instance.schedule(1) {
                log.add($0)
                return Disposables.create()
            }
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
