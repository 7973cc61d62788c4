import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestReporting
import TestConcurrency
import Testing

private actor Tally {
    private(set) var count = 0

    func add() -> Int {
        count += 1
        return count
    }
}

@Suite("One virtual world", .limitedConcurrency)
struct VirtualWorldTests {
    let scheduler = TestScheduler(resolution: 0.001)

    @Test("A task of a stream sleeps in virtual time and emits at the tick at which it wakes")
    func sleepingTask() {
        let clock = scheduler.virtualClock
        let result = scheduler.start {
            Observable.task {
                try await clock.sleep(for: .milliseconds(300))
                return "found"
            }
        }
        #expect(result.events == [.next(500, "found"), .completed(500)])
    }

    @Test("Child tasks, task groups, actors and streams of values advance on the scheduler")
    func structuredConcurrency() {
        let clock = scheduler.virtualClock
        let result = scheduler.start {
            Observable<[Int]>.task {
                let counter = Tally()
                async let first = counter.add()
                async let second = counter.add()
                var log = await [first, second]
                await withTaskGroup(of: Int.self) { group in
                    for delay in [30, 10, 20] {
                        group.addTask {
                            // A virtual clock throws only if the task is cancelled, and this one is not.
                            try! await clock.sleep(for: .milliseconds(delay))
                            return delay
                        }
                    }
                    for await delay in group { log.append(delay) }
                }
                let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
                async let sum = numbers.reduce(0, +)
                for number in 1...4 {
                    continuation.yield(number)
                    try await clock.sleep(for: .milliseconds(5))
                }
                continuation.finish()
                await log.append(sum)
                return log
            }
        }
        #expect(result.events == [.next(250, [1, 2, 10, 20, 30, 10]), .completed(250)])
    }

    @Test("Timers of streams and sleeps of tasks run in one order")
    func oneOrder() {
        let clock = scheduler.virtualClock
        let ticks = scheduler.createHotObservable([.next(210, 1), .next(250, 2), .next(400, 3)])
        let result = scheduler.start {
            ticks.flatMapLatest { number in
                try await clock.sleep(for: .milliseconds(100))
                return number
            }
        }
        // 1 is cancelled by 2 at 250.
        #expect(result.events == [.next(350, 2), .next(500, 3)])
        #expect(scheduler.pending.tasks.isEmpty)
    }

    @Test("run returns the result of its operation without waiting")
    func runOperation() throws {
        let clock = scheduler.virtualClock
        let greeting = try scheduler.run {
            try await clock.sleep(for: .seconds(3600))
            return "good morning"
        }
        #expect(greeting == "good morning")
        #expect(clock.now.offset == .seconds(3600))
        #expect(scheduler.clock == 3_600_000)
    }

    @Test("run returns after its operation despite an endless timer")
    func runEndsWithOperation() throws {
        let clock = scheduler.virtualClock
        let ticks = scheduler.createObserver(Int.self)
        let timer = scheduler.schedulePeriodic(0, startAfter: .milliseconds(10), period: .milliseconds(10)) { count in
            ticks.onNext(count)
            return count + 1
        }
        try scheduler.run { try await clock.sleep(for: .milliseconds(35)) }
        #expect(ticks.events.map(\.time) == [10, 20, 30])
        timer.dispose()
        scheduler.run()
        scheduler.expectIdle()
    }

    @Test("An operation that cannot finish is reported with its line and cancelled")
    func neverIdle() throws {
        let isCancelled = Atomic(false)
        let waitsInVain: @Sendable () async throws -> Void = {
            await withTaskCancellationHandler {
                let (stream, _) = AsyncStream.makeStream(of: Int.self)
                for await _ in stream {}
            } onCancel: {
                isCancelled.store(true, ordering: .relaxed)
            }
        }
        var pending: PendingWork?
        let line: UInt = #line + 1
        do { try scheduler.run(waitsInVain) } catch let error as NeverIdleError { pending = error.pending }
        #expect(pending?.tasks == ["run, at StreamsTests/VirtualWorldTests.swift:\(line)"])
        let wasCancelled = isCancelled.load(ordering: .relaxed)
        #expect(wasCancelled)
        scheduler.expectIdle()
    }

    @Test("A sleep for longer than the clock can reach lasts until it is cancelled, and is reported")
    func longestSleep() throws {
        let clock = scheduler.virtualClock
        let forever: @Sendable () async throws -> Void = { try await clock.sleep(for: .seconds(Int64.max)) }
        let line: UInt = #line + 1
        let error = #expect(throws: NeverIdleError.self) { try scheduler.run(forever) }
        #expect(error?.pending.tasks == ["run, at StreamsTests/VirtualWorldTests.swift:\(line)"])
        #expect(scheduler.clock == 0)
        scheduler.expectIdle()
    }

    @Test("A sleep until any time in the past ends at the current tick, and a far tick is a time of the clock")
    func extremeTimes() throws {
        let clock = scheduler.virtualClock
        try scheduler.run {
            try await clock.sleep(for: .seconds(-1))
            try await clock.sleep(until: VirtualClock.Instant(offset: .seconds(Int64.min)))
        }
        #expect(scheduler.clock == 0)
        scheduler.advance(by: .seconds(Int64.min))
        #expect(scheduler.clock == 0)
        scheduler.advance(to: 20_000_000_000_000)
        #expect(clock.now.offset == .seconds(20_000_000_000))
    }

    @Test("advance moves the clock by ticks or by a duration, and to a tick")
    func advance() {
        let received = scheduler.createObserver(Int.self)
        for tick in [5, 10, 15, 20] { scheduler.scheduleAt(tick) { received.onNext(tick) } }
        scheduler.advance(by: 5)
        #expect(received.events.map(\.time) == [5])
        scheduler.advance(by: .milliseconds(6))
        #expect(received.events.map(\.time) == [5, 10])
        #expect(scheduler.clock == 11)
        scheduler.advance(to: 20)
        #expect(received.events.map(\.time) == [5, 10, 15, 20])
        scheduler.advance(to: 10)
        #expect(scheduler.clock == 20, "time does not go back")
    }

    @Test("A sleep ends at the first tick that is not before its deadline", arguments: [(1, 1), (1000, 1), (1001, 2)])
    func sleepRounding(microseconds: Int, ticks: Int) throws {
        let clock = scheduler.virtualClock
        try scheduler.run { try await clock.sleep(for: .microseconds(microseconds)) }
        #expect(scheduler.clock == ticks)
    }

    @Test("Cancelling a sleeping task resumes it immediately and removes its timer")
    func cancelledSleep() {
        let clock = scheduler.virtualClock
        let result = scheduler.start(disposed: 300) {
            Observable<Int>.task {
                do { try await clock.sleep(for: .seconds(10)) } catch is CancellationError { return 1 }
                return 2
            }
        }
        #expect(result.events == [])
        #expect(scheduler.clock == 300)
        scheduler.expectIdle()
    }

    @Test("A task that prefers the executor runs in the scheduler's world")
    func ownTask() {
        let clock = scheduler.virtualClock
        let received = scheduler.createObserver(Int.self)
        let task = Task(executorPreference: scheduler.taskExecutor) {
            try await clock.sleep(for: .milliseconds(25))
            received.onNext(1)
        }
        scheduler.run()
        #expect(received.events == [.next(25, 1)])
        task.cancel()
    }

    @Test("Schedulers that run in parallel share no state")
    func inParallel() async {
        await withTaskGroup(of: [Recorded<Event<Int>>].self) { group in
            for number in 0..<64 {
                group.addTask {
                    let scheduler = TestScheduler(resolution: 0.001)
                    let clock = scheduler.virtualClock
                    let result = scheduler.start {
                        Observable.task {
                            for _ in 0..<10 { try await clock.sleep(for: .milliseconds(number)) }
                            return number
                        }
                    }
                    return result.events
                }
            }
            for await events in group {
                let number = events.first?.value.element ?? -1
                #expect(events == [.next(200 + 10 * number, number), .completed(200 + 10 * number)])
            }
        }
    }

    @Test("A task that outlives its scheduler finishes in real time")
    func outliving() async {
        let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
        do {
            let scheduler = TestScheduler()
            let clock = scheduler.virtualClock
            scheduler.perform {
                _ = Observable<Int>.task {
                    do { try await clock.sleep(for: .seconds(10)) } catch {
                        continuation.yield(error is CancellationError)
                    }
                    return 1
                }.subscribe(onError: { _ in })
            }
            scheduler.advance(by: 5)
        }
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }
}

@Suite("The order of jobs", .limitedConcurrency)
struct SeedTests {
    private func order(seed: UInt64?) throws -> [Int] {
        let scheduler = TestScheduler(seed: seed)
        let log = scheduler.createObserver(Int.self)
        try scheduler.run {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<8 { group.addTask { log.onNext(number) } }
            }
        }
        return log.events.compactMap(\.value.element)
    }

    @Test("Without a seed jobs run in the order in which they became ready")
    func withoutSeed() throws { #expect(try order(seed: nil) == Array(0..<8)) }

    @Test("A seed determines the order of jobs", arguments: [1, 2, 3, .max])
    func withSeed(seed: UInt64) throws {
        let first = try order(seed: seed)
        #expect(first.sorted() == Array(0..<8))
        #expect(try order(seed: seed) == first)
    }

    @Test("Thousands of simultaneous jobs run", arguments: [nil, 5] as [UInt64?])
    func manyJobs(seed: UInt64?) throws {
        let scheduler = TestScheduler(seed: seed)
        let sum = try scheduler.run {
            await withTaskGroup(of: Int.self) { group in
                for number in 1...2_000 { group.addTask { number } }
                return await group.reduce(0, +)
            }
        }
        #expect(sum == 2_000 * 2_001 / 2)
    }

    @Test("Different seeds give different orders")
    func manySeeds() throws {
        let orders = try Set((0..<100).map { try order(seed: $0) })
        #expect(orders.count > 90)
    }
}

@Suite("Failures of test schedulers", .limitedConcurrency)
struct SchedulerFailureTests {
    @Test("An endless loop stops at the step limit and is reported once")
    func runaway() {
        let limited = Mutex<TestScheduler?>(nil)
        let findings = collectFindings {
            let scheduler = TestScheduler(stepLimit: 100)
            limited.withLock { $0 = scheduler }
            _ = scheduler.schedulePeriodic((), startAfter: .seconds(1), period: .seconds(1)) {}
            scheduler.run()
        }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("tick 100; pending work:\ntimer: tick 101") == true)
        limited.withLock { $0 }?.run()
    }

    #if DEBUG
    @Test("Pending timers are described with their operators and the subscribing line")
    func timerOrigins() {
        let scheduler = TestScheduler(initialClock: 0)
        let bag = DisposeBag()
        Observable<Int>.interval(.seconds(15), scheduler: scheduler).map { $0 }.subscribe().disposed(by: bag)
        let hot = scheduler.createHotObservable([.next(10, 1)])
        hot.debounce(.seconds(50), scheduler: scheduler).subscribe { _ in }.disposed(by: bag)
        let line: UInt = #line - 3
        let file = "StreamsTests/VirtualWorldTests.swift"
        scheduler.advance(to: 20)
        #expect(
            scheduler.pending.timers == [
                "tick 30, for map(_:) < timer(_:period:scheduler:), subscribed at \(file):\(line)",
                "tick 60, for debounce(_:scheduler:), subscribed at \(file):\(line + 2)",
            ])
    }

    @Test("expectIdle lists timers, tasks and open subscriptions with their lines")
    func expectIdle() {
        let scheduler = TestScheduler(seed: 7)
        let clock = scheduler.virtualClock
        var lines: [UInt] = []
        let hot = scheduler.createHotObservable([.next(900, 1)])
        lines.append(#line - 1)
        let bag = DisposeBag()
        scheduler.scheduleAt(10) { hot.map { $0 }.subscribe { _ in }.disposed(by: bag) }
        lines.append(#line - 1)
        let work = Observable<Int>.task {
            try await clock.sleep(for: .seconds(500))
            return 1
        }
        lines.append(#line - 4)
        scheduler.perform { work.subscribe().disposed(by: bag) }
        lines.append(#line - 1)
        scheduler.advance(to: 20)
        let file = "StreamsTests/VirtualWorldTests.swift"
        #expect(
            scheduler.pending.description == """
                timer: tick 500, for a sleep in task, at \(file):\(lines[2])
                timer: tick 900, for hot observable, at \(file):\(lines[0])
                open subscription: hot observable, at \(file):\(lines[0]), since tick 10
                open subscription: subscribe < task(file:line:_:), at \(file):\(lines[3])
                open subscription: subscribe < map(_:) < create(_:), at \(file):\(lines[1])
                """)
        let text = collectFindings { scheduler.expectIdle() }.map(\.message).joined()
        #expect(text.contains("open subscription"))
        #expect(text.contains("Replay with TestScheduler(seed: 7)."))
    }
    #endif
}

@Suite("The virtual-time trait", .limitedConcurrency, .virtualTime)
struct VirtualTimeTraitTests {
    @Test("Subscriptions of the test itself belong to the scheduler's world")
    func direct() {
        let scheduler = TestScheduler()
        let answer = scheduler.createObserver(Int.self)
        _ = Observable.task { 42 }.subscribe(answer)
        #expect(answer.events == [])
        scheduler.run()
        #expect(answer.events == [.next(0, 42), .completed(0)])
    }

    @Test("A failure prints the seed")
    func printsSeed() {
        #expect(VirtualTimeTrait.replayComment(for: 99)?.rawValue == "Replay with TestScheduler(seed: 99).")
        #expect(VirtualTimeTrait.replayComment(for: nil) == nil)
    }
}
