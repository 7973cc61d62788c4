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

    private init(_ events: [Recorded<Event<Element>>], isHot: Bool, on scheduler: TestScheduler, _ name: String) {
        recordedEvents = events
        self.isHot = isHot
        self.scheduler = scheduler
        audience = Audience(name)
        scheduler.audiences.withLock { $0.append(WeakAudience(audience: audience)) }
    }

    convenience init(hot events: [Recorded<Event<Element>>], on scheduler: TestScheduler, _ name: String) {
        self.init(events, isHot: true, on: scheduler, name)
        for event in events {
            _ = scheduler.schedule(event.value, at: event.time, for: name) { [audience] event in
                audience.send(event)
                return Disposables.create()
            }
        }
    }

    convenience init(cold events: [Recorded<Event<Element>>], on scheduler: TestScheduler, _ name: String) {
        self.init(events, isHot: false, on: scheduler, name)
    }

    /// Who subscribed when, in the order of subscription.
    public var subscriptions: [Subscription] { audience.subscriptions }

    /// Lets `observer` hear what is said from now on.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let seat = audience.add(observer.on, at: scheduler.clock)
        let leave = Disposables.create { [audience, weak scheduler] in
            audience.remove(seat, at: scheduler?.clock ?? .max)
        }
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

/// What knows of subscriptions that were not disposed.
protocol OpenSubscriptions: AnyObject, Sendable {
    /// Each in words.
    var openSubscriptions: [String] { get }
}

/// An audience that is not kept alive.
struct WeakAudience: Sendable {
    weak let audience: (any OpenSubscriptions)?
}

/// Who listens to a testable observable, and since when.
private final class Audience<Element: Sendable>: OpenSubscriptions {
    private struct State {
        var seats: [(number: Int, on: @Sendable (Event<Element>) -> Void)] = []
        var subscriptions: [Subscription] = []
    }

    private let state = Mutex(State())
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    var openSubscriptions: [String] {
        subscriptions.filter { $0.unsubscribe == .max }.map { "\(name), since tick \($0.subscribe)" }
    }

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
