import Dispatch
import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("delay, delaySubscription", .limitedConcurrency)
struct DelayTests {
    @Test(
        "delay delays elements and completion, but not an error",
        arguments: [
            HotCase("elements", "1@150 2@250 3@350 4@450 |@550", "2@350 3@450 4@550 |@650", until: 550),
            HotCase("elements within the due time", "2@250 3@251 4@260 |@262", "2@350 3@351 4@360 |@362", until: 262),
            HotCase(
                "events at one tick are scheduled separately", "2@250 3@250 4@250 |@250", "2@350 3@351 4@352 |@353",
                until: 250),
            HotCase("an error drops pending elements", "2@250 3@340 !expected@360", "2@350 !expected@360"),
            HotCase("an error before any element", "2@250 !expected@300", "!expected@300"),
            HotCase("nothing", "|@550", "|@650", until: 550),
            HotCase("no events", "", ""),
        ])
    func delay(_ table: HotCase) {
        table.check { $0.delay(.seconds(100), scheduler: $1) }
    }

    @Test("delay with an empty due time delays every event by one tick")
    func noTime() {
        HotCase("", "2@250 3@350 |@550", "2@251 3@351 |@551", until: 550).check { $0.delay(.seconds(0), scheduler: $1) }
    }

    @Test("delay delays an element that is sent during a delivery")
    func reentrancy() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let observer = scheduler.createObserver(Int.self)
        let subscription = source.delay(.seconds(10), scheduler: scheduler)
            .do(onNext: { if $0 < 3 { source.onNext($0 + 1) } })
            .subscribe(observer)
        scheduler.scheduleAt(100) { source.onNext(1) }
        scheduler.start()
        #expect(observer.events == [.next(110, 1), .next(120, 2), .next(130, 3)])
        subscription.dispose()
    }

    @Test("delaySubscription subscribes after its due time")
    func subscription() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 0), .next(230, 1), .completed(250)])
        let result = scheduler.start { source.delaySubscription(.seconds(20), scheduler: scheduler) }
        #expect(result.events == [.next(230, 1), .completed(250)])
        #expect(source.subscriptions == [Subscription(220, 250)])
    }

    @Test("delaySubscription does not subscribe after disposal")
    func disposedBefore() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(230, 1)])
        let result = scheduler.start(disposed: 220) { source.delaySubscription(.seconds(30), scheduler: scheduler) }
        #expect(result.events.isEmpty)
        #expect(source.subscriptions.isEmpty)
    }

    @Test("delaySubscription forwards an error and disposes its source")
    func subscriptionEnds() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([.next(20, 1), .error(60, Failure.expected)])
        let result = scheduler.start { source.delaySubscription(.seconds(10), scheduler: scheduler) }
        #expect(result.events == [.next(230, 1), .error(270, Failure.expected)])
        #expect(source.subscriptions == [Subscription(210, 270)])
        let second = TestScheduler(initialClock: 0)
        let never = second.createHotObservable([.next(250, 1)])
        let stopped = second.start(disposed: 300) { never.delaySubscription(.seconds(10), scheduler: second) }
        #expect(stopped.events == [.next(250, 1)])
        #expect(never.subscriptions == [Subscription(210, 300)])
    }
}

@Suite("debounce", .limitedConcurrency)
struct DebounceTests {
    @Test(
        "debounce emits an element when the due time has passed without another one",
        arguments: [
            HotCase("every element", "1@150 2@210 3@240 4@270 5@300 |@350", "2@230 3@260 4@290 5@320 |@350"),
            HotCase("only the last element", "2@210 3@225 4@235 5@250 |@350", "5@270 |@350"),
            HotCase("completion emits the pending element", "2@210 3@240 |@250", "2@230 3@250 |@250"),
            HotCase("a failure drops the pending element", "2@210 3@240 !expected@250", "2@230 !expected@250"),
            HotCase("an element at the tick of the timer replaces the pending one", "2@210 3@230 |@300", "3@250 |@300"),
            HotCase("nothing", "|@250", "|@250"),
            HotCase("no events", "", ""),
        ])
    func timing(_ table: HotCase) {
        table.check { $0.debounce(.seconds(20), scheduler: $1) }
    }

    @Test("debounce with an empty due time delays every element by one tick")
    func noTime() {
        HotCase("", "2@210 3@240 |@350", "2@211 3@241 |@350").check { $0.debounce(.seconds(0), scheduler: $1) }
    }
}

@Suite("throttle", .limitedConcurrency)
struct ThrottleTests {
    static let source = "1@150 2@210 3@250 4@310 5@350 6@410 7@450"

    @Test(
        "throttle emits the first element immediately and the latest one after each due time",
        arguments: [
            HotCase(
                "completes with a pending element: both are emitted at its time, and the source is disposed immediately",
                source + " |@500", "2@210 6@410 7@610 |@610", until: 500),
            HotCase("completes without a pending element", "2@210 |@500", "2@210 |@500"),
            HotCase("no events", source, "2@210 6@410 7@610"),
            HotCase("a failure drops the pending element", "2@210 3@250 !expected@405", "2@210 !expected@405"),
            HotCase(
                "the due time starts again with an element after a pause", "1@210 2@600 3@650", "1@210 2@600 3@800"),
        ])
    func latest(_ table: HotCase) {
        table.check { $0.throttle(.seconds(200), scheduler: $1) }
    }

    @Test(
        "throttle without latest drops the elements within the due time",
        arguments: [
            HotCase("complete", source + " |@500", "2@210 6@410 |@500"),
            HotCase("no events", source, "2@210 6@410"),
            HotCase("a failure", source + " !expected@409", "2@210 !expected@409"),
        ])
    func first(_ table: HotCase) {
        table.check { $0.throttle(.seconds(200), latest: false, scheduler: $1) }
    }

    @Test("throttle measures time more finely than the unit of its due time")
    func precision() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.1)
        let source = scheduler.createHotObservable([.next(203, 1), .next(207, 2), .next(212, 3), .next(213, 4)])
        let result = scheduler.start { source.throttle(.seconds(1), scheduler: scheduler) }
        #expect(result.events == [.next(203, 1), .next(213, 4)])
    }

    @Test("throttle does not count the time of a delivery")
    func slowObserver() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(260, 2), .next(300, 3)])
        let result = scheduler.start {
            source.throttle(.seconds(50), latest: false, scheduler: scheduler)
                .do(onNext: { if $0 == 1 { scheduler.sleep(20) } })
        }
        #expect(result.events == [.next(230, 1), .next(300, 3)])
    }
}

@Suite("timeout", .limitedConcurrency)
struct TimeoutTests {
    @Test(
        "timeout fails if no element arrives in time",
        arguments: [
            HotCase("in time", "1@210 2@350 |@450", "1@210 2@350 |@450"),
            HotCase("from the start", "", "!\(RxError.timeout)@400", until: 400),
            HotCase("between elements", "1@250 2@451", "1@250 !\(RxError.timeout)@450", until: 450),
            HotCase("an element at the tick of the timeout is in time", "1@400 |@500", "1@400 |@500"),
        ])
    func failing(_ table: HotCase) {
        table.check { $0.timeout(.seconds(200), scheduler: $1) }
    }

    @Test(
        "timeout switches to the other stream if no element arrives in time",
        arguments: [
            HotPair("in time", "1@250 |@300", "-1@310", "1@250 |@300", subscribed: (200...300, nil)),
            HotPair(
                "late", "1@250 2@360", "-1@400 -2@550 |@660", "1@250 -1@400 -2@550 |@660",
                subscribed: (200...350, 350...660)),
            HotPair("the other fails", "", "!expected@350", "!expected@350", subscribed: (200...300, 300...350)),
            HotPair("the other stream emits nothing", "", "", "", subscribed: (200...300, 300...1000)),
        ])
    func other(_ table: HotPair) {
        table.check { $0.timeout(.seconds(100), other: $1, scheduler: $2) }
    }

    @Test("timeout subscribes to the other stream before it disposes this one, so a shared source stays connected")
    func sharedSource() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(350, 2), .next(360, 3)])
        let shared = source.share()
        let result = scheduler.start {
            shared.filter { $0 == 1 }.timeout(.seconds(100), other: shared, scheduler: scheduler)
        }
        #expect(result.events == [.next(210, 1), .next(350, 2), .next(360, 3)])
        #expect(source.subscriptions == [Subscription(200, 1000)])
    }

    @Test("timeout ignores what this stream sends while the other one is being subscribed")
    func lateElements() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let other = Observable<Int>.create { observer in
            source.onNext(1)
            source.onCompleted()
            observer.onNext(2)
            return Disposables.create()
        }
        let result = scheduler.start { source.timeout(.seconds(100), other: other, scheduler: scheduler) }
        #expect(result.events == [.next(300, 2)])
    }

    @Test("an endless replacement of timeout can be stopped")
    func endlessOther() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start {
            Observable<Int>.never().timeout(.seconds(10), other: Observable.repeatElement(1), scheduler: scheduler)
                .take(3)
        }
        #expect(result.events == [.next(210, 1), .next(210, 1), .next(210, 1), .completed(210)])
    }
}

/// A scheduler that runs delayed work immediately, at most 100 times, and whose clock stands still.
private final class ImmediateTestScheduler: SchedulerType {
    private let count = Atomic(0)

    let now = RxTime(timeIntervalSince1970: 0)

    func schedule<State: Sendable>(
        _ state: State, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable { action(state) }

    func scheduleRelative<State: Sendable>(
        _ state: State, dueTime: RxTimeInterval, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        count.add(1, ordering: .relaxed).newValue > 100 ? Disposables.create() : action(state)
    }
}

@Suite("Timed operators on a scheduler that does not wait")
struct ImmediateSchedulerTests {
    @Test("a timed operator acts when the scheduler calls it, whatever its clock says")
    func immediate() {
        let scheduler = ImmediateTestScheduler()
        let numbers = Observable.of(1, 2)
        let endless = numbers.concat(Observable.never())
        expect(numbers.debounce(.seconds(1), scheduler: scheduler), "1 2 |")
        expect(numbers.throttle(.seconds(1), scheduler: scheduler), "1 2 |")
        expect(numbers.delay(.seconds(1), scheduler: scheduler), "1 2 |")
        expect(numbers.delaySubscription(.seconds(1), scheduler: scheduler), "1 2 |")
        expect(numbers.skip(for: .seconds(1), scheduler: scheduler), "1 2 |")
        expect(endless.take(for: .seconds(1), scheduler: scheduler), "|")
        expect(endless.timeout(.seconds(1), scheduler: scheduler), "!\(RxError.timeout)")
    }
}
