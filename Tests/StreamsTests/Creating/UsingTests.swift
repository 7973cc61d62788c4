import Streams
import StreamsTesting
import Synchronization
import TestTurns
import Testing

@Suite("using", .takesTurns)
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
        #expect(trace(of: stream) == "!expected")
    }

    @Test("using fails with the error of the stream factory and disposes the resource")
    func streamFactory() {
        let resource = BooleanDisposable()
        let stream = Observable<Int>.using({ resource }) { _ in throw Failure.expected }
        #expect(trace(of: stream) == "!expected")
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
