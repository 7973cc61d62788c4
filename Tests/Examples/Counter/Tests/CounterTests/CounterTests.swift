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

        // `start` subscribes at 200.
        #expect(counts(keys) == [.next(200, 0), .next(210, 1), .next(220, 2), .next(230, 1), .next(240, 0)])
    }

    @Test("the number grows once a second from one r to the next")
    func runs() {
        let keys = scheduler.createHotObservable([.next(300, Counter.Key.run), .next(2500, .run)])

        #expect(counts(keys) == [.next(200, 0), .next(1300, 1), .next(2300, 2)])
    }

    @Test("a reset does not stop a running counter")
    func resetKeepsRunning() {
        let keys = scheduler.createHotObservable([.next(300, Counter.Key.run), .next(1500, .reset)])

        #expect(counts(keys, until: 2400) == [.next(200, 0), .next(1300, 1), .next(1500, 0), .next(2300, 1)])
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
        scheduler.start(disposed: end) { counter.transform(.init(keys: keys.asObservable())).count }.events
    }
}
