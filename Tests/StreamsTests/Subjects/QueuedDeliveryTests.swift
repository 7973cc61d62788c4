import Streams
import Synchronization
import TestTurns
import Testing

@Suite("Elements that are sent during a delivery", .takesTurns)
struct QueuedDeliveryTests {
    /// Each round lets the list of observers grow six times while the delivering thread looks up, 400 times, how many
    /// of them come before an element. Reading the list before its length, which pairs old memory with a newer length,
    /// crashes about one run of five.
    @Test("reach the observers that were there before, while another thread adds observers")
    func addingObservers() {
        let end = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < end {
            let subject = PublishSubject<Int>()
            let received = Mutex(0)
            let isQueued = Moment()
            let first = subject.subscribe(onNext: { number in
                received.withLock { $0 += 1 }
                guard number == 0 else { return }
                for number in 1...400 { subject.onNext(number) }
                isQueued.reach()
            })
            let addObservers = onThread {
                isQueued.wait()
                let added = (0..<34).map { _ in subject.subscribe(onNext: { _ in }) }
                for subscription in added { subscription.dispose() }
            }
            subject.onNext(0)
            addObservers()
            #expect(received.withLock { $0 } == 401)
            first.dispose()
        }
    }
}
