import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("range, repeatElement, generate", .takesTurns)
struct RangeTests {
    @Test(
        "range emits count successive integers",
        arguments: [
            (0, 0, "|"), (5, 1, "5 |"), (5, 3, "5 6 7 |"), (-2, 4, "-2 -1 0 1 |"), (.max, 1, "\(Int.max) |"),
            (.max, 0, "|"), (.max - 1, 2, "\(Int.max - 1) \(Int.max) |"),
        ])
    func range(_ start: Int, _ count: Int, _ expected: String) {
        #expect(trace(of: Observable.range(start: start, count: count)) == expected)
        #expect(
            trace(of: Observable.range(start: start, count: count, scheduler: ImmediateScheduler.instance)) == expected)
    }

    @Test("range reaches the largest value of a small integer type")
    func smallIntegers() {
        #expect(trace(of: Observable<UInt8>.range(start: 250, count: 6)) == "250 251 252 253 254 255 |")
    }

    @Test("range schedules each event separately")
    func scheduled() {
        let scheduler = TestScheduler(initialClock: 0)
        let all = scheduler.start { Observable.range(start: 10, count: 3, scheduler: scheduler) }
        #expect(all.events == [.next(201, 10), .next(202, 11), .next(203, 12), .completed(204)])
        let second = TestScheduler(initialClock: 0)
        let some = second.start(disposed: 203) { Observable.range(start: -10, count: 10, scheduler: second) }
        #expect(some.events == [.next(201, -10), .next(202, -9)])
    }

    @Test("each subscription to a range starts at its first integer")
    func again() {
        let range = Observable.range(start: 1, count: 2)
        #expect(trace(of: range) == "1 2 |")
        #expect(trace(of: range) == "1 2 |")
    }

    @Test("two ranges interleave")
    func interleaving() {
        let stream = Observable.merge(
            Observable.range(start: 1, count: 3), Observable.range(start: 11, count: 2))
        #expect(trace(of: stream) == "1 11 2 12 3 |")
    }

    @Test("a long range needs no stack on schedulers that run work immediately")
    func long() {
        for scheduler in [CurrentThreadScheduler.instance, ImmediateScheduler.instance] as [any ImmediateSchedulerType]
        {
            let last = Observable.range(start: 1, count: 20_000, scheduler: scheduler).takeLast(1)
            #expect(trace(of: last) == "20000 |")
        }
    }

    @Test("repeatElement emits until it is disposed")
    func repeating() {
        #expect(trace(of: Observable.repeatElement("a").take(3)) == "a a a |")
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 205) { Observable.repeatElement(42, scheduler: scheduler) }
        #expect(result.events == [.next(201, 42), .next(202, 42), .next(203, 42), .next(204, 42)])
        scheduler.start()
        #expect(scheduler.clock == 205)
    }

    @Test("generate emits the states of a loop")
    func generating() {
        let scheduler = TestScheduler(initialClock: 0)
        let finite = scheduler.start {
            Observable.generate(initialState: 0, condition: { $0 <= 3 }, scheduler: scheduler) { $0 + 1 }
        }
        #expect(
            finite.events == [.next(201, 0), .next(202, 1), .next(203, 2), .next(204, 3), .completed(205)])
        let second = TestScheduler(initialClock: 0)
        let disposed = second.start(disposed: 203) {
            Observable.generate(initialState: 0, condition: { _ in true }, scheduler: second) { $0 + 1 }
        }
        #expect(disposed.events == [.next(201, 0), .next(202, 1)])
    }

    @Test("generate fails with the error that a function throws")
    func throwing() {
        let scheduler = TestScheduler(initialClock: 0)
        let condition = scheduler.start {
            Observable.generate(
                initialState: 0, condition: { _ in throw Failure.expected }, scheduler: scheduler, iterate: { $0 })
        }
        #expect(condition.events == [.error(201, Failure.expected)])
        let second = TestScheduler(initialClock: 0)
        let iterate = second.start {
            Observable<Int>.generate(
                initialState: 0, condition: { _ in true }, scheduler: second,
                iterate: { _ in throw Failure.expected })
        }
        #expect(iterate.events == [.next(201, 0), .error(202, Failure.expected)])
    }

    @Test("generate treats nil as an ordinary element")
    func optionals() {
        let stream = Observable<Int?>.generate(
            initialState: 1, condition: { $0 != 2 }, iterate: { $0 == nil ? 2 : nil })
        #expect(trace(of: stream) == "Optional(1) nil |")
    }

    @Test("the documented examples of range, repeatElement and generate emit their events")
    func examples() {
        #expect(trace(of: Observable.range(start: 5, count: 3)) == "5 6 7 |")
        #expect(
            trace(of: Observable.generate(initialState: 1, condition: { $0 < 100 }, iterate: { $0 * 3 }))
                == "1 3 9 27 81 |")
    }
}
