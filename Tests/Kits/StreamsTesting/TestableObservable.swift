public import Streams
import Synchronization

/// A stream that emits given events at given ticks, and records its subscriptions.
///
/// Created by `createHotObservable` and `createColdObservable` of a ``TestScheduler``. It emits all
/// given events, even those after a terminal event, to test that operators ignore them.
///
/// ```swift
/// let numbers = scheduler.createColdObservable([.next(10, 1), .completed(20)])
/// let result = scheduler.start { numbers }        // subscribed at tick 200
/// #expect(result.events == [.next(210, 1), .completed(220)])
/// #expect(numbers.subscriptions == [Subscription(200, 220)])
/// ```
@preconcurrency
public final class TestableObservable<Element: Sendable>: ObservableType {
    /// The given events: at ticks of the scheduler's clock for a hot stream, at ticks after subscription for a cold
    /// one.
    public let recordedEvents: [Recorded<Event<Element>>]

    private let scheduler: TestScheduler
    private let recorder: SubscriptionRecorder<Element>
    private let isHot: Bool

    private init(_ events: [Recorded<Event<Element>>], isHot: Bool, on scheduler: TestScheduler, _ name: String) {
        recordedEvents = events
        self.isHot = isHot
        self.scheduler = scheduler
        recorder = SubscriptionRecorder(name)
        scheduler.recorders.withLock { $0.append(WeakRecorder(recorder: recorder)) }
    }

    convenience init(hot events: [Recorded<Event<Element>>], on scheduler: TestScheduler, _ name: String) {
        self.init(events, isHot: true, on: scheduler, name)
        for event in events {
            _ = scheduler.schedule(event.value, at: event.time, for: name) { [recorder] event in
                recorder.send(event)
                return Disposables.create()
            }
        }
    }

    convenience init(cold events: [Recorded<Event<Element>>], on scheduler: TestScheduler, _ name: String) {
        self.init(events, isHot: false, on: scheduler, name)
    }

    public var subscriptions: [Subscription] { recorder.subscriptions }

    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let key = recorder.add(observer.on, at: scheduler.clock)
        let subscription = Disposables.create { [recorder, weak scheduler] in
            recorder.remove(key, at: scheduler?.clock ?? .max)
        }
        if isHot { return subscription }
        let events = recordedEvents.map { event in
            scheduler.scheduleRelativeVirtual(event.value, dueTime: event.time) { event in
                observer.on(event)
                return Disposables.create()
            }
        }
        return Disposables.create([subscription] + events)
    }
}

/// An object that reports its undisposed subscriptions.
protocol OpenSubscriptions: AnyObject, Sendable {
    var openSubscriptions: [String] { get }
}

/// A weak reference to the subscriptions of a testable observable.
struct WeakRecorder: Sendable {
    weak let recorder: (any OpenSubscriptions)?
}

/// The observers of a testable observable, and its recorded subscriptions.
private final class SubscriptionRecorder<Element: Sendable>: OpenSubscriptions {
    private struct State {
        var observers: [(number: Int, on: @Sendable (Event<Element>) -> Void)] = []
        var subscriptions: [Subscription] = []
    }

    private let state = Mutex(State())
    private let name: String

    init(_ name: String) { self.name = name }

    var openSubscriptions: [String] {
        subscriptions.filter { $0.unsubscribe == .max }.map { "\(name), since tick \($0.subscribe)" }
    }

    var subscriptions: [Subscription] { state.withLock { $0.subscriptions } }

    func add(_ on: @escaping @Sendable (Event<Element>) -> Void, at time: TestTime) -> Int {
        state.withLock { state in
            let number = state.subscriptions.count
            state.subscriptions.append(Subscription(time))
            state.observers.append((number, on))
            return number
        }
    }

    func remove(_ number: Int, at time: TestTime) {
        state.withLock { state in
            state.observers.removeAll { $0.number == number }
            state.subscriptions[number] = Subscription(state.subscriptions[number].subscribe, time)
        }
    }

    func send(_ event: Event<Element>) {
        for observer in state.withLock({ $0.observers }) { observer.on(event) }
    }
}

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

    init(scheduler: TestScheduler) { self.scheduler = scheduler }

    public var events: [Recorded<Event<Element>>] { recorded.withLock { $0 } }

    /// Records an event at the scheduler's current tick.
    public func on(_ event: Event<Element>) {
        let time = scheduler?.clock
        recorded.withLock { $0.append(Recorded(time: time ?? $0.last?.time ?? 0, value: event)) }
    }
}
