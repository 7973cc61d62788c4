public import Streams
import Synchronization

/// A stream that says what a test tells it to, at the ticks it is told, and records who subscribed when.
///
/// Made by ``TestScheduler/createHotObservable(_:)`` and ``TestScheduler/createColdObservable(_:)``. It says all it was
/// told, even what comes after an end: an operator has to be right about that by itself.
@preconcurrency
public final class TestableObservable<Element: Sendable>: ObservableType {
    /// What it was told to say: ticks of the scheduler's clock for a hot stream, ticks after subscription for a cold.
    public let recordedEvents: [Recorded<Event<Element>>]

    private let scheduler: TestScheduler
    private let audience: Audience<Element>
    private let isHot: Bool

    init(hot events: [Recorded<Event<Element>>], on scheduler: TestScheduler) {
        recordedEvents = events
        self.scheduler = scheduler
        isHot = true
        let audience = Audience<Element>()
        self.audience = audience
        for event in events {
            _ = scheduler.scheduleAbsoluteVirtual(event.value, time: event.time) { event in
                audience.send(event)
                return Disposables.create()
            }
        }
    }

    init(cold events: [Recorded<Event<Element>>], on scheduler: TestScheduler) {
        recordedEvents = events
        self.scheduler = scheduler
        isHot = false
        audience = Audience()
    }

    /// Who subscribed when, in the order of subscription.
    public var subscriptions: [Subscription] { audience.subscriptions }

    /// Lets `observer` hear what is said from now on.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let seat = audience.add(observer.on, at: scheduler.clock)
        let leave = Disposables.create { [audience, scheduler] in audience.remove(seat, at: scheduler.clock) }
        if isHot { return leave }
        let events = recordedEvents.map { event in
            scheduler.scheduleRelativeVirtual(event.value, dueTime: event.time) { event in
                observer.on(event)
                return Disposables.create()
            }
        }
        return Disposables.create([leave] + events)
    }
}

/// Who listens to a testable observable, and since when.
private final class Audience<Element: Sendable>: Sendable {
    private struct State {
        var seats: [(number: Int, on: @Sendable (Event<Element>) -> Void)] = []
        var subscriptions: [Subscription] = []
    }

    private let state = Mutex(State())

    var subscriptions: [Subscription] { state.withLock { $0.subscriptions } }

    func add(_ on: @escaping @Sendable (Event<Element>) -> Void, at time: TestTime) -> Int {
        state.withLock { state in
            let number = state.subscriptions.count
            state.subscriptions.append(Subscription(time))
            state.seats.append((number, on))
            return number
        }
    }

    func remove(_ number: Int, at time: TestTime) {
        state.withLock { state in
            state.seats.removeAll { $0.number == number }
            state.subscriptions[number] = Subscription(state.subscriptions[number].subscribe, time)
        }
    }

    func send(_ event: Event<Element>) {
        for seat in state.withLock({ $0.seats }) { seat.on(event) }
    }
}
