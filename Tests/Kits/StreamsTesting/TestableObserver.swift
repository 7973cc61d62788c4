public import Streams
import Synchronization

/// An observer that records what it hears, and when.
@preconcurrency
public final class TestableObserver<Element: Sendable>: ObserverType {
    // Not kept alive: work that waits on the scheduler may hold this observer.
    private weak let scheduler: TestScheduler?
    private let recorded = Mutex<[Recorded<Event<Element>>]>([])

    init(scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    /// What it heard, in order.
    public var events: [Recorded<Event<Element>>] { recorded.withLock { $0 } }

    /// Records an event at the scheduler's present tick.
    public func on(_ event: Event<Element>) {
        let time = scheduler?.clock
        recorded.withLock { $0.append(Recorded(time: time ?? $0.last?.time ?? 0, value: event)) }
    }
}
