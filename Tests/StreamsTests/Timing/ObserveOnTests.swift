import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("observe(on:), subscribe(on:)", .limitedConcurrency)
struct ObserveOnTests {
    @Test(
        "observe(on:) delivers each event on the scheduler and disposes the source on termination",
        arguments: [
            HotCase("elements", "1@210 2@230 |@300", "1@211 2@231 |@301", until: 300),
            HotCase(
                "events at one tick are scheduled separately", "1@210 2@210 |@210", "1@211 2@212 |@213", until: 210),
            HotCase(
                "an error does not overtake elements", "1@210 2@210 !expected@210", "1@211 2@212 !expected@213",
                until: 210),
            HotCase("nothing", "|@300", "|@301", until: 300),
            HotCase("no events", "", ""),
            HotCase("disposed before the delivery", "1@250 2@250", "", disposed: 250),
        ])
    func observing(_ table: HotCase) { table.check { $0.observe(on: $1) } }

    @Test("observe(on:) delivers the elements of many threads one at a time without loss")
    func concurrency() {
        let queues: [any SchedulerType] = [
            SerialDispatchQueueScheduler(qos: .default), ConcurrentDispatchQueueScheduler(qos: .default),
        ]
        for queue in queues {
            let source = PublishSubject<Int>()
            let isInside = Atomic(false)
            let sum = Atomic(0)
            let done = DispatchSemaphore(value: 0)
            let subscription = source.observe(on: queue).subscribe(
                onNext: { element in
                    let wasInside = isInside.exchange(true, ordering: .acquiringAndReleasing)
                    #expect(!wasInside)
                    sum.wrappingAdd(element, ordering: .relaxed)
                    isInside.store(false, ordering: .releasing)
                }, onCompleted: { done.signal() })
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for number in 1...1000 { source.onNext(number) }
            }
            source.onCompleted()
            done.wait()
            #expect(sum.load(ordering: .relaxed) == 4 * 500_500)
            subscription.dispose()
        }
    }

    @Test("observe(on:) preserves the order of a burst and never blocks the sender")
    func burst() {
        let queue = DispatchQueue(label: "burst")
        let source = PublishSubject<Int>()
        let done = DispatchSemaphore(value: 0)
        let received = Record()
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "burst.serial")
        let subscription = source.observe(on: scheduler)
            .subscribe(onNext: { received.add($0) }, onCompleted: { done.signal() })
        queue.suspend()
        for number in 1...5 { source.onNext(number) }
        source.onCompleted()
        #expect(received.words.isEmpty)
        queue.resume()
        done.wait()
        #expect(received.text == "1 2 3 4 5")
        subscription.dispose()
    }

    @Test("a feedback loop through observe(on:) runs until it terminates itself")
    func feedback() {
        let source = PublishSubject<Int>()
        let done = DispatchSemaphore(value: 0)
        let subscription = source.observe(on: SerialDispatchQueueScheduler(qos: .default))
            .subscribe(onNext: { if $0 < 1000 { source.onNext($0 + 1) } else { done.signal() } })
        source.onNext(1)
        done.wait()
        subscription.dispose()
    }

    @Test("observe(on:) on the current thread delivers within the subscription, in order")
    func currentThread() {
        expect(Observable.of(1, 2, 3).observe(on: CurrentThreadScheduler.instance), "1 2 3 |")
        expect(Observable.of(1, 2, 3).observe(on: ImmediateScheduler.instance), "1 2 3 |")
    }

    @Test("observe(on:) delivers 20,000 events with constant stack")
    func long() {
        let numbers = Observable.range(start: 1, count: 20_000)
        for scheduler in [CurrentThreadScheduler.instance, ImmediateScheduler.instance] as [any ImmediateSchedulerType]
        {
            expect(numbers.observe(on: scheduler).takeLast(1), "20000 |")
        }
        let fewer = Observable.range(start: 1, count: 5_000)
        expect(fewer.flatMapLatest { Observable.of($0) }.takeLast(1), "5000 |")
        expect(fewer.groupBy { $0 % 100 }.flatMap { $0.takeLast(1) }.takeLast(1), "5000 |")
    }

    @Test(
        "subscribe(on:) subscribes and disposes on the scheduler",
        arguments: [
            ("completing", [.next(210, 1), .completed(300)], [.next(210, 1), .completed(300)], 1000, 301),
            ("failing", [.error(300, Failure.expected)], [.error(300, Failure.expected)], 1000, 301),
            ("disposed", [.next(210, 1), .next(260, 2)], [.next(210, 1)], 250, 251),
        ] as [(String, [Recorded<Event<Int>>], [Recorded<Event<Int>>], Int, Int)])
    func subscribing(
        _ name: String, _ source: [Recorded<Event<Int>>], _ expected: [Recorded<Event<Int>>], _ disposed: Int,
        _ end: Int
    ) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(source)
        let result = scheduler.start(disposed: disposed) { hot.subscribe(on: scheduler) }
        #expect(result.events == expected)
        #expect(hot.subscriptions == [Subscription(201, end)])
    }

    @Test("subscribe(on:) disposes a terminated observable directly and a custom type on the scheduler")
    func subscribingToObservable() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .completed(300)])
        let other = scheduler.createHotObservable([.next(210, 1), .completed(300)])
        let result = scheduler.start {
            Observable.merge(hot.map { $0 }.subscribe(on: scheduler), other.subscribe(on: scheduler))
        }
        #expect(result.events == [.next(210, 1), .next(210, 1), .completed(300)])
        #expect(hot.subscriptions == [Subscription(201, 300)])
        #expect(other.subscriptions == [Subscription(201, 301)])
    }

    @Test("subscribe(on:) does not subscribe after disposal")
    func subscribingDisposed() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1)])
        let result = scheduler.start(disposed: 200) { hot.subscribe(on: scheduler) }
        #expect(result.events.isEmpty)
        #expect(hot.subscriptions.isEmpty)
    }

    @Test("a synchronous source that is subscribed on a queue can be stopped by another thread")
    func stoppedFromElsewhere() {
        let heardOne = DispatchSemaphore(value: 0)
        let stopped = DispatchSemaphore(value: 0)
        let subscription = Observable.repeatElement(1)
            .subscribe(on: ConcurrentDispatchQueueScheduler(qos: .default))
            .do(onDispose: { stopped.signal() })
            .subscribe(onNext: { _ in heardOne.signal() })
        heardOne.wait()
        subscription.dispose()
        stopped.wait()
    }
}
