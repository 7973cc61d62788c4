import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("Recursive and periodic work", .takesTurns)
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

@Suite("Virtual time", .takesTurns)
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

    @Test("A timer with the due time .never is not scheduled")
    func never() {
        let scheduler = TestScheduler(initialClock: 0)
        _ = scheduler.scheduleRelative((), dueTime: .never) { Disposables.create() }
        scheduler.start()
        #expect(scheduler.clock == 0)
    }
}
