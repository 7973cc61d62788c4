import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestReporting
import TestConcurrency
import Testing

/// The elements of drivers and signals that a test records, on the main actor or not, without a mock.
private struct Recording {
    let scheduler = TestScheduler()

    func immediate() -> [Recorded<Event<Int>>] {
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
        return scheduler.start { source.asDriver(onErrorJustReturn: 0).map { $0 * 10 } }.events
    }

    func replayed() -> [Recorded<Event<Int>>] {
        let source = scheduler.createHotObservable([.next(210, 1), .error(220, RxError.timeout)])
        return scheduler.start {
            let driver = source.asDriver(onErrorJustReturn: 9)
            return Observable.merge(
                driver.asObservable(), driver.asObservable().delaySubscription(.seconds(15), scheduler: scheduler))
        }.events
    }

    func debounced() -> [Recorded<Event<Int>>] {
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(300, 3)])
        return scheduler.start { source.asSignal(onErrorJustReturn: 0).debounce(.seconds(50)) }.events
    }

    func throttled() -> [Recorded<Event<Int>>] {
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(300, 3)])
        return scheduler.start { source.asDriver(onErrorJustReturn: 0).throttle(.seconds(50)) }.events
    }

    func delayed() -> [Recorded<Event<Int>>] {
        let source = scheduler.createHotObservable([.next(210, 1), .completed(215)])
        return scheduler.start { source.asDriver(onErrorJustReturn: 0).delay(.seconds(50)) }.events
    }

    func ticks() -> [Recorded<Event<Int>>] {
        scheduler.start(disposed: 450) { Driver<Int>.interval(.seconds(100)) }.events
    }

    func constant() -> [Recorded<Event<Int>>] {
        scheduler.start { Driver.merge(.just(1), .from([2, 3]), .empty()) }.events
    }

    /// A result that is sent back while it is delivered.
    func reentrant() -> [Recorded<Event<Int>>] {
        let relay = PublishRelay<Int>()
        scheduler.scheduleAt(210) { relay.accept(1) }
        return scheduler.start {
            relay.asDriver(onErrorJustReturn: 0).asObservable().do(onNext: { if $0 < 3 { relay.accept($0 + 1) } })
        }.events
    }

    static let all: [(name: String, events: @Sendable (Recording) -> [Recorded<Event<Int>>])] = [
        ("immediate", { $0.immediate() }), ("replayed", { $0.replayed() }), ("debounced", { $0.debounced() }),
        ("throttled", { $0.throttled() }), ("delayed", { $0.delayed() }), ("ticks", { $0.ticks() }),
        ("constant", { $0.constant() }), ("reentrant", { $0.reentrant() }),
    ]

    static func expected(_ name: String) -> [Recorded<Event<Int>>] {
        switch name {
        case "immediate": [.next(210, 10), .next(220, 20), .completed(230)]
        case "replayed": [.next(210, 1), .next(215, 1), .next(220, 9), .next(220, 9), .completed(220)]
        case "debounced": [.next(270, 2), .next(350, 3)]
        case "throttled": [.next(210, 1), .next(260, 2), .next(310, 3)]
        case "delayed": [.next(260, 1), .completed(265)]
        case "ticks": [.next(300, 0), .next(400, 1)]
        case "constant": [.next(200, 1), .next(200, 2), .next(200, 3), .completed(200)]
        default: [.next(210, 1), .next(210, 2), .next(210, 3)]
        }
    }
}

@Suite("Drivers and signals in virtual time", .limitedConcurrency)
struct VirtualDriverTests {
    @Test(
        "a driver that `start` creates is recorded in virtual time off the main actor",
        arguments: Recording.all.map(\.name))
    func offMain(name: String) throws {
        let recording = try #require(Recording.all.first { $0.name == name })
        #expect(recording.events(Recording()) == Recording.expected(name))
    }

    @Test(
        "a driver that `start` creates is recorded at the same ticks on the main actor",
        arguments: Recording.all.map(\.name))
    @MainActor
    func onMain(name: String) throws {
        let recording = try #require(Recording.all.first { $0.name == name })
        #expect(recording.events(Recording()) == Recording.expected(name))
    }

    @Test("a mock takes precedence over the scheduler that runs, and delivers a tick later")
    func mocked() {
        let scheduler = TestScheduler()
        let source = scheduler.createHotObservable([.next(210, 1)])
        let result = SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start { source.asDriver(onErrorJustReturn: 0) }
        }
        #expect(result.events == [.next(211, 1)])
    }

    @Test("a driver that was created before fails a test off the main actor, with the remedy")
    func createdBefore() {
        let relay = PublishRelay<Int>()
        let driver = relay.asDriver(onErrorJustReturn: 0)
        let scheduler = TestScheduler(); let line = #line
        scheduler.scheduleAt(210) { relay.accept(1) }
        let findings = collectFindings { _ = scheduler.start { driver } }
        #expect(findings.map(\.line) == [line])
        let message = findings.first?.message ?? ""
        #expect(message.hasPrefix("a driver or signal"))
        #expect(
            message.hasSuffix(
                """
                 waits for the main queue, which virtual time does not reach: a test may not see its elements
                Create it in the closure of `start`, or in a scope with the virtual time of the scheduler:
                  withDependencies { $0.useVirtualTime(of: scheduler) } operation: { … }
                Or run the test on the main actor: @MainActor
                """))
    }

    @Test("a driver that the body of a test subscribes outside of virtual time fails it, if it has a scheduler")
    func subscribedOutside() {
        let scheduler = TestScheduler()
        let observer = scheduler.createObserver(Int.self)
        let relay = PublishRelay<Int>()
        let findings = collectFindings {
            let subscription = relay.asSignal().asObservable().subscribe(observer)
            scheduler.run()
            subscription.dispose()
        }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("waits for the main queue") == true)
    }

    @Test("a driver that was created before records the same ticks on the main actor, as without a mock")
    @MainActor
    func createdBeforeOnMain() {
        let scheduler = TestScheduler()
        let relay = PublishRelay<Int>()
        let driver = relay.asDriver(onErrorJustReturn: 0)
        scheduler.scheduleAt(210) { relay.accept(1) }
        let findings = collectFindings { #expect(scheduler.start { driver }.events == [.next(210, 1)]) }
        #expect(findings.isEmpty)
    }

    @Test("a timer of a driver that was created before fails a test, on the main actor too")
    @MainActor
    func timerCreatedBefore() {
        let relay = PublishRelay<Int>()
        let driver = relay.asDriver(onErrorJustReturn: 0).debounce(.seconds(10))
        let scheduler = TestScheduler()
        scheduler.scheduleAt(210) { relay.accept(1) }
        let findings = collectFindings { #expect(scheduler.start { driver }.events.isEmpty) }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("waits in real time, which virtual time does not reach") == true)
    }

    @Test("a main-actor observer off the main actor fails the test instead of stopping the process")
    func mainActorObserver() async {
        let scheduler = TestScheduler()
        let relay = PublishRelay<Int>()
        let received = Mutex<[Int]>([])
        let driver = scheduler.perform { relay.asDriver(onErrorJustReturn: 0) }
        let subscription = await MainActor.run {
            driver.drive(onNext: { number in received.withLock { $0.append(number) } })
        }
        scheduler.scheduleAt(210) { relay.accept(1) }
        let findings = collectFindings { scheduler.run() }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("calls a main-actor function on another thread") == true)
        #expect(received.withLock { $0.isEmpty })
        subscription.dispose()
    }

    @Test("an element from another thread reaches the observers of a driver in virtual time on the main actor")
    @MainActor
    func otherThread() async {
        let scheduler = TestScheduler()
        let relay = PublishRelay<Int>()
        let driver = scheduler.perform { relay.asDriver(onErrorJustReturn: 0) }
        await withCheckedContinuation { continuation in
            _ = driver.drive(onNext: { _ in
                MainActor.preconditionIsolated()
                continuation.resume()
            })
            DispatchQueue.global().async { relay.accept(1) }
        }
    }

    @Test("the trait takes the drivers with it that the test creates after the scheduler", .virtualTime)
    func trait() {
        let scheduler = TestScheduler()
        let relay = PublishRelay<Int>()
        let observer = scheduler.createObserver(Int.self)
        let subscription = relay.asDriver(onErrorJustReturn: 0).asObservable().subscribe(observer)
        relay.accept(1)
        scheduler.advance(to: 50)
        relay.accept(2)
        subscription.dispose()
        #expect(observer.events == [.next(0, 1), .next(50, 2)])
    }

    @Test("without a scheduler, a driver waits for the main queue as ever")
    func withoutScheduler() async {
        let relay = PublishRelay<Int>()
        let isOnMain = await withCheckedContinuation { continuation in
            let signal = relay.asSignal().asObservable().take(1)
            _ = signal.subscribe(onNext: { _ in continuation.resume(returning: MainScheduler.isOnMainQueue) })
            DispatchQueue.main.async { relay.accept(1) }
        }
        #expect(isOnMain)
    }
}
