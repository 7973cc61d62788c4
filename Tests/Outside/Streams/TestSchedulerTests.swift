import Foundation
import Streams
import StreamsTesting
import Testing

/// The kit of `Streams`: virtual time for streams, tasks and clocks.
@Suite("Virtual time", .timeLimit(.minutes(5)))
struct VirtualTimeTests {
    @Test("streams are drawn as marbles")
    func marbles() {
        let scheduler = TestScheduler()
        let letters: TestableObservable<String> = scheduler.hot("-a-b-c---|")
        scheduler.expect(letters.filter { $0 != "b" }, "-a---c---|")
        scheduler.expectSubscriptions(of: letters, "^--------!")
        let numbers = TestScheduler()
        numbers.expect(numbers.cold("-a-b-|", ["a": 1, "b": 2]).map { $0 * 10 }, "-a-b-|", ["a": 10, "b": 20])
        let failing = TestScheduler()
        failing.expect(failing.cold("-#", error: MarbleError()), "-#", error: MarbleError())
        #expect(TestScheduler.frame > 0)
    }

    @Test("streams are lists of recorded events")
    func recordedEvents() {
        let scheduler = TestScheduler(resolution: 0.001, seed: 7)
        let hot = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
        let cold = scheduler.createColdObservable([next(10, 5), completed(20)])
        let result: TestableObserver<Int> = scheduler.start { hot.concat(cold) }
        #expect(result.events == [.next(210, 1), .next(220, 2), .next(240, 5), .completed(250)])
        #expect(hot.subscriptions == [Subscription(200, 230)] && cold.subscriptions == [Subscription(230, 250)])
        #expect(hot.subscriptions[0].subscribe == 200 && hot.subscriptions[0].unsubscribe == 230)
        #expect(Subscription(200).unsubscribe > 230 && hot.recordedEvents.count == 3 && scheduler.seed == 7)
        XCTAssertEqual(result.events, Recorded.events(next(210, 1), next(220, 2), next(240, 5), completed(250)))
        XCTAssertRecordedElements(result.events, [1, 2, 5])
        let failed: [Recorded<Event<Int>>] = [error(10, MarbleError()), .error(20, MarbleError(), Int.self)]
        #expect(failed.map(\.time) == [10, 20] && Recorded(time: 5, value: 1).value == 1)
        let time: TestTime = TestScheduler.Defaults.created
        #expect(
            time < TestScheduler.Defaults.subscribed
                && TestScheduler.Defaults.subscribed < TestScheduler.Defaults.disposed)
        let observer = scheduler.createObserver(Int.self)
        observer.on(.next(1))
        hot.subscribe(observer).dispose()
        #expect(observer.events.first?.value == .next(1))
    }

    @Test("time advances by steps, and what is left is pending")
    func pending() {
        let scheduler = TestScheduler()
        let ticks = scheduler.perform { Observable<Int>.interval(.seconds(1), scheduler: scheduler).subscribe() }
        scheduler.advance(by: 1)
        scheduler.advance(by: .seconds(1))
        scheduler.advance(to: 5)
        let pending: PendingWork = scheduler.pending
        #expect(
            !pending.isEmpty && pending.tasks.isEmpty && pending.timers.count == 1 && pending.subscriptions.count <= 1)
        ticks.dispose()
        scheduler.expectIdle()
        #expect(PendingWork(tasks: ["a"]) != PendingWork() && scheduler.clock == 5)
        var hasRun = false
        scheduler.scheduleAt(7) { hasRun = true }
        scheduler.run()
        #expect(hasRun && scheduler.adjustScheduledTime(3) >= 3)
        scheduler.invoke { hasRun = false }
        let error = NeverIdleError(pending: pending, clock: 7, seed: 1)
        #expect(error.clock == 7 && error.pending == pending && !hasRun)
    }

    @Test("tasks and clocks run in virtual time")
    func tasks() throws {
        let scheduler = TestScheduler(resolution: 0.001)
        let clock: VirtualClock = scheduler.virtualClock
        let seconds = try scheduler.run {
            let start: VirtualClock.Instant = clock.now
            try await clock.sleep(until: start.advanced(by: .seconds(60)), tolerance: nil)
            return start.duration(to: clock.now)
        }
        #expect(seconds == .seconds(60) && clock.now.offset >= .seconds(60) && clock.minimumResolution > .zero)
        #expect(VirtualClock.Instant(offset: .zero) < clock.now)
        let executor: any TaskExecutor = scheduler.taskExecutor
        let task = Task(executorPreference: executor) { 7 }
        scheduler.run()
        task.cancel()
    }

    @Test("a unit of time has a converter")
    func converters() {
        let converter = TestSchedulerVirtualTimeConverter(resolution: 0.5)
        #expect(converter.convertToVirtualTime(converter.convertFromVirtualTime(4)) == 4)
        #expect(converter.convertToVirtualTimeInterval(2) == 4 && converter.convertFromVirtualTimeInterval(4) == 2)
        #expect(converter.compareVirtualTime(1, converter.offsetVirtualTime(1, offset: 2)) == .lessThan)
        let units: [Any.Type] = [
            TestSchedulerVirtualTimeConverter.VirtualTimeUnit.self,
            TestSchedulerVirtualTimeConverter.VirtualTimeIntervalUnit.self,
        ]
        #expect(units.count == 2)
    }

    @Test("a test without `async` waits for a stream")
    func blocking() throws {
        let numbers: BlockingObservable<Int> = Observable.of(1, 2, 3).toBlocking(timeout: 10)
        #expect(try numbers.toArray() == [1, 2, 3] && numbers.first() == 1 && numbers.last() == 3)
        #expect(try numbers.single { $0 == 2 } == 2)
        switch numbers.materialize() {
        case .completed(let elements): #expect(elements == [1, 2, 3])
        case .failed(_, let error): Issue.record(error)
        }
        guard
            case MaterializedSequenceResult<Int>.failed(let elements, _) = Observable<Int>.error(MarbleError())
                .toBlocking().materialize()
        else { return }
        #expect(elements == [])
    }

    @Test("nothing survives a block that disposes what it subscribes")
    func survivors() async {
        expectNothingSurvives { Observable.of(1).subscribe().dispose() }
        await expectNothingSurvives { await Task.yield() }
    }

    @Test("the main actor, its tasks and its timers are in virtual time too", .virtualTime)
    @MainActor
    func trait() async throws {
        let trait: VirtualTimeTrait = .virtualTime
        #expect(trait.isRecursive && VirtualTimeTrait().isRecursive)
        let provide: (Test, Test.Case?, @Sendable @concurrent () async throws -> Void) async throws -> Void = trait
            .provideScope
        _ = provide
    }

    @Test("events are compared")
    func equality() {
        let single: SingleEvent<Int> = .success(1)
        #expect(single == .success(1))
        #expect(Event.next(1) == .next(1) && InfallibleEvent.next(1) != .completed)
        #expect(MaybeEvent.success(1) == .success(1) && CompletableEvent.completed == .completed)
    }
}
