public import Streams
import Synchronization

/// An observer that records events and their ticks, made by ``TestScheduler/createObserver(_:)``.
///
/// ```swift
/// let observer = scheduler.createObserver(Int.self)
/// _ = numbers.subscribe(observer)
/// scheduler.start()
/// #expect(observer.events == [.next(210, 1), .completed(220)])
/// ```
@preconcurrency
public final class TestableObserver<Element: Sendable>: ObserverType {
    // Weak, because pending work of the scheduler can retain this observer.
    private weak let scheduler: TestScheduler?
    private let recorded = Mutex<[Recorded<Event<Element>>]>([])

    init(scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    /// The recorded events, in order.
    public var events: [Recorded<Event<Element>>] { recorded.withLock { $0 } }

    /// Records an event at the scheduler's current tick.
    public func on(_ event: Event<Element>) {
        let time = scheduler?.clock
        recorded.withLock { $0.append(Recorded(time: time ?? $0.last?.time ?? 0, value: event)) }
    }
}
