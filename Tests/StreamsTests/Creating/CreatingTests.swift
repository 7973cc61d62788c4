import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("just, of, from, empty, never, error, create, deferred", .limitedConcurrency)
struct JustTests {
    @Test("just and from schedule each event separately")
    func scheduled() {
        func events(_ make: (TestScheduler) -> Observable<Int>) -> [Recorded<Event<Int>>] {
            let scheduler = TestScheduler(initialClock: 0)
            let stream = make(scheduler)
            return scheduler.start { stream }.events
        }
        #expect(events { .just(42, scheduler: $0) } == [.next(201, 42), .completed(202)])
        #expect(events { .of(1, 2, scheduler: $0) } == [.next(201, 1), .next(202, 2), .completed(203)])
        #expect(events { .from([1, 2], scheduler: $0) } == [.next(201, 1), .next(202, 2), .completed(203)])
        #expect(events { .from(1...2, scheduler: $0) } == [.next(201, 1), .next(202, 2), .completed(203)])
        #expect(events { .from(optional: 7, scheduler: $0) } == [.next(201, 7), .completed(202)])
        #expect(events { .from(optional: nil, scheduler: $0) } == [.completed(201)])
    }

    @Test("disposing just or from between two work items stops them")
    func scheduledDisposed() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 202) { Observable.just(42, scheduler: scheduler) }
        #expect(result.events == [.next(201, 42)])
    }

    @Test("synchronous sources emit on subscription")
    func immediate() {
        expect(Observable.just(1), "1 |")
        expect(Observable.of(1, 2, 3), "1 2 3 |")
        expect(Observable<Int>.of(), "|")
        expect(Observable.from([1, 2]), "1 2 |")
        expect(Observable.from(Set([7])), "7 |")
        expect(Observable.from(optional: 1), "1 |")
        expect(Observable<Int>.from(optional: nil), "|")
        expect(Observable<Int>.empty(), "|")
        expect(Observable<Int>.never(), "")
        expect(Observable<Int>.error(Failure.expected), "!expected")
    }

    @Test("deferred creates a stream for each subscription and forwards the error of its factory")
    func deferring() {
        let made = Record()
        let stream = Observable<Int>.deferred {
            made.add("made")
            if made.words.count == 3 { throw Failure.expected }
            return .just(made.words.count)
        }
        #expect(made.words.isEmpty)
        expect(stream, "1 |")
        expect(stream, "2 |")
        expect(stream, "!expected")
    }

    @Test("create emits nothing after termination and disposes once")
    func creating() {
        let disposals = Record()
        let stream = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onCompleted()
            observer.onNext(2)
            observer.onError(Failure.other)
            return Disposables.create { disposals.add("disposed") }
        }
        expect(stream, "1 |")
        #expect(disposals.text == "disposed")
    }
}

@Suite("range, repeatElement, generate", .limitedConcurrency)
struct RangeTests {
    @Test(
        "range emits count successive integers",
        arguments: [
            (0, 0, "|"), (5, 1, "5 |"), (5, 3, "5 6 7 |"), (-2, 4, "-2 -1 0 1 |"), (.max, 1, "\(Int.max) |"),
            (.max, 0, "|"), (.max - 1, 2, "\(Int.max - 1) \(Int.max) |"),
        ])
    func range(_ start: Int, _ count: Int, _ expected: String) {
        expect(Observable.range(start: start, count: count), expected)
        expect(Observable.range(start: start, count: count, scheduler: ImmediateScheduler.instance), expected)
    }

    @Test("range reaches the largest value of a small integer type")
    func smallIntegers() {
        expect(Observable<UInt8>.range(start: 250, count: 6), "250 251 252 253 254 255 |")
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
        expect(range, "1 2 |")
        expect(range, "1 2 |")
    }

    @Test("two ranges interleave")
    func interleaving() {
        let stream = Observable.merge(
            Observable.range(start: 1, count: 3), Observable.range(start: 11, count: 2))
        expect(stream, "1 11 2 12 3 |")
    }

    @Test("a long range needs no stack on schedulers that run work immediately")
    func long() {
        for scheduler in [CurrentThreadScheduler.instance, ImmediateScheduler.instance] as [any ImmediateSchedulerType]
        {
            let last = Observable.range(start: 1, count: 20_000, scheduler: scheduler).takeLast(1)
            expect(last, "20000 |")
        }
    }

    @Test("repeatElement emits until it is disposed")
    func repeating() {
        expect(Observable.repeatElement("a").take(3), "a a a |")
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
        #expect(words(finite.events) == "0@201 1@202 2@203 3@204 |@205")
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
        expect(stream, "Optional(1) nil |")
    }
}

@Suite("using", .limitedConcurrency)
struct UsingTests {
    /// A resource that records the tick of its disposal.
    final class Resource: Disposable {
        private let scheduler: TestScheduler
        private let ticks = Mutex<[Int]>([])

        init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

        var disposals: [Int] { ticks.withLock { $0 } }

        func dispose() { ticks.withLock { $0.append(scheduler.clock) } }
    }

    @Test(
        "using disposes its resource with the subscription",
        arguments: [
            ("complete", [.next(100, 1), .completed(200)], [.next(300, 1), .completed(400)], 1000, 400),
            (
                "failed", [.next(100, 1), .error(200, Failure.expected)],
                [.next(300, 1), .error(400, Failure.expected)], 1000, 400
            ),
            ("disposed", [.next(100, 1), .next(900, 2)], [.next(300, 1)], 900, 900),
        ] as [(String, [Recorded<Event<Int>>], [Recorded<Event<Int>>], Int, Int)])
    func life(
        _ name: String, _ events: [Recorded<Event<Int>>], _ expected: [Recorded<Event<Int>>], _ disposed: Int,
        _ end: Int
    ) {
        let scheduler = TestScheduler(initialClock: 0)
        let resource = Resource(scheduler)
        let source = scheduler.createColdObservable(events)
        let result = scheduler.start(disposed: disposed) {
            Observable.using({ resource }, observableFactory: { _ in source.asObservable() })
        }
        #expect(result.events == expected)
        #expect(source.subscriptions == [Subscription(200, end)])
        #expect(resource.disposals == [end])
    }

    @Test("using fails with the error of the resource factory")
    func resourceFactory() {
        let stream = Observable<Int>.using({ () throws -> BooleanDisposable in throw Failure.expected }) { _ in .just(1)
        }
        expect(stream, "!expected")
    }

    @Test("using fails with the error of the stream factory and disposes the resource")
    func streamFactory() {
        let resource = BooleanDisposable()
        let stream = Observable<Int>.using({ resource }) { _ in throw Failure.expected }
        expect(stream, "!expected")
        #expect(resource.isDisposed)
    }

    @Test("using creates a resource for each subscription and disposes it after the source")
    func own() {
        let received = Record()
        let stream = Observable<Int>.using({
            CompositeDisposable(disposables: [Disposables.create { received.add("resource") }])
        }) { _ in
            Observable.create { _ in Disposables.create { received.add("source") } }
        }
        stream.subscribe().dispose()
        stream.subscribe().dispose()
        #expect(received.text == "source resource source resource")
    }
}

@Suite("timer, interval", .limitedConcurrency)
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
        #expect(words(result.events) == "0@300 1@400 2@500 3@600 4@700 5@800 6@900")
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

    @Test(
        "a dispatch queue takes a negative period as none, and one that it cannot hold as endless",
        arguments: [
            (.seconds(-1), "0 1 2"), (.seconds(.min), "0 1 2"), (.seconds(.max), "0"), (.milliseconds(.max), "0"),
        ] as [(RxTimeInterval, String)])
    func extremePeriods(_ period: RxTimeInterval, _ expected: String) {
        let done = DispatchSemaphore(value: 0)
        let received = Record()
        let subscription = Observable<Int>.timer(
            .seconds(0), period: period, scheduler: SerialDispatchQueueScheduler(qos: .default)
        ).take(3).subscribe(onNext: {
            received.add($0)
            if received.text == expected { done.signal() }
        })
        done.wait()
        subscription.dispose()
        #expect(received.text == expected)
    }
}
