import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("timer, interval", .takesTurns)
struct TimerTests {
    @Test("timer emits 0 and completes", arguments: [(300, 500), (0, 201), (-1, 201), (1, 201)])
    func timer(_ seconds: Int, _ tick: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable<Int>.timer(.seconds(seconds), scheduler: scheduler) }
        #expect(result.events == [.next(tick, 0), .completed(tick)])
    }

    @Test("a disposed timer does not fire")
    func disposed() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 499) { Observable<Int>.timer(.seconds(300), scheduler: scheduler) }
        #expect(result.events.isEmpty)
        #expect(scheduler.clock == 499)
    }

    @Test("a timer with the due time .never does not fire")
    func never() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable<Int>.timer(.never, scheduler: scheduler) }
        #expect(result.events.isEmpty)
    }

    @Test("interval counts until it is disposed")
    func interval() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable<Int64>.interval(.seconds(100), scheduler: scheduler) }
        #expect(
            result.events == [
                .next(300, 0), .next(400, 1), .next(500, 2), .next(600, 3), .next(700, 4), .next(800, 5),
                .next(900, 6),
            ])
    }

    @Test("an interval with an empty period counts at every tick")
    func noTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 204) { Observable<Int>.interval(.seconds(0), scheduler: scheduler) }
        #expect(result.events == [.next(201, 0), .next(202, 1), .next(203, 2)])
    }

    @Test("a periodic timer first waits for its due time")
    func periodic() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 500) {
            Observable<Int>.timer(.seconds(150), period: .seconds(70), scheduler: scheduler)
        }
        #expect(result.events == [.next(350, 0), .next(420, 1), .next(490, 2)])
    }

    @Test("interval wraps around after the largest integer")
    func overflow() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start {
            Observable<Int8>.interval(.seconds(1), scheduler: scheduler).skip(126).take(3)
        }
        #expect(result.events.compactMap { $0.value.element } == [126, 127, -128])
    }

    @Test("disposing an interval during a tick stops its timer")
    func disposedInside() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable<Int>.interval(.seconds(10), scheduler: scheduler).take(2) }
        #expect(result.events == [.next(210, 0), .next(220, 1), .completed(220)])
    }

    @Test("an interval on a dispatch queue ticks until it is disposed")
    func realTime() {
        let done = DispatchSemaphore(value: 0)
        let received = Record()
        let subscription = Observable<Int>.interval(
            .milliseconds(1), scheduler: SerialDispatchQueueScheduler(qos: .default)
        ).take(3).subscribe(onNext: { received.add($0) }, onCompleted: { done.signal() })
        done.wait()
        #expect(received.text == "0 1 2")
        subscription.dispose()
    }
}
