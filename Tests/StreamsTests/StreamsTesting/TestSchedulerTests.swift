import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("TestScheduler", .takesTurns)
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
