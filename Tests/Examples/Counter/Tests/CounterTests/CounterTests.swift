import Testing
import ViewModelsTesting

@testable import counter

@Suite("A counter", .nothingSurvives, .timeLimit(.minutes(1)))
struct CounterTests {
    let scheduler = TestScheduler(resolution: 0.001)  // a tick is a millisecond

    @Test("keys change the number")
    func keysChangeTheNumber() {
        let keys = scheduler.createHotObservable([
            .next(210, Counter.Key.plus), .next(220, .plus), .next(230, .minus), .next(240, .reset), .next(250, .reset),
        ])

        // `start` subscribes at 200. A driver delivers on the main scheduler, a tick later.
        #expect(counts(keys) == [.next(201, 0), .next(211, 1), .next(221, 2), .next(231, 1), .next(241, 0)])
    }

    @Test("the number grows once a second from one r to the next")
    func runs() {
        let keys = scheduler.createHotObservable([.next(300, Counter.Key.run), .next(2500, .run)])

        #expect(counts(keys) == [.next(201, 0), .next(1301, 1), .next(2301, 2)])
    }

    @Test("a reset does not stop a running counter")
    func resetKeepsRunning() {
        let keys = scheduler.createHotObservable([.next(300, Counter.Key.run), .next(1500, .reset)])

        #expect(counts(keys, until: 2400) == [.next(201, 0), .next(1301, 1), .next(1501, 0), .next(2301, 1)])
    }

    @Test("binding both outputs subscribes to the keys once")
    @MainActor
    func onlyComposes() {
        expectOnlyComposes(counter) { inputs in .init(keys: inputs.count(Observable.just(.plus))) }
    }

    private var counter: Counter {
        withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            Counter()
        }
    }

    private func counts(
        _ keys: TestableObservable<Counter.Key>, until end: Int = 5000
    ) -> [Recorded<Event<Int>>] {
        SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start(disposed: end) { counter.transform(.init(keys: keys.asObservable())).count }
        }
        .events
    }
}
