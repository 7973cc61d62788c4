public import Streams
public import Synchronization

/// The state of a running flow: one copy, which is changed in place under a lock, and delivered to its observers on one
/// scheduler in the order of the changes.
///
/// No state is retained after its delivery, so that the next change finds the only copy. A thread that reads the state
/// waits for the change in progress, and no longer: a change depends on its arguments only, and waits for nothing.
///
/// `@unchecked Sendable`: `current` and `version` are written under `lock`, in calls of ``change(_:)`` that do not
/// overlap, and read under that lock or by the thread that changes them. The rest is constant or atomic.
///
/// The downcasts are valid: only ``connect(_:)`` adds to `subscriptions`, and each that it adds is a
/// `TypedSubscription<Value>`.
@usableFromInline
package final class FlowState<Value: Sendable>: SubscriptionOwner, @unchecked Sendable {
    /// A state and its number, which orders the states.
    @usableFromInline typealias Version = (number: UInt64, value: Value)

    @usableFromInline let lock = TracedMutex(())
    @exclusivity(unchecked) @usableFromInline var current: Value
    @exclusivity(unchecked) @usableFromInline var version: UInt64 = 0
    /// The thread that changes the state; otherwise 0.
    @usableFromInline let changingThread = Atomic<UInt>(0)
    @usableFromInline package let hasEnded = Atomic(false)
    @usableFromInline let subscriptions = SubscriptionList()
    /// The thread inside delivers the states, or the scheduler is about to call it.
    @usableFromInline let delivery = Gate()
    @usableFromInline let scheduler: any SchedulerType
    /// The scheduler, if it can deliver before ``deliver()`` returns.
    @usableFromInline let main: MainScheduler?

    @inlinable
    init(_ value: Value, on scheduler: any SchedulerType) {
        current = value
        self.scheduler = scheduler
        main = scheduler as? MainScheduler
    }

    @inlinable package var value: Value { present.value }

    @inlinable
    var present: Version {
        precondition(
            !isBeingChangedHere, "`currentState` was read inside `reduce`, which depends on its arguments only")
        return lock.withLock { _ in (version, current) }
    }

    /// Whether the calling thread is inside ``change(_:)``.
    @inlinable var isBeingChangedHere: Bool { changingThread.load(ordering: .relaxed) == Thread.current }

    /// Changes the state; returns `nil` after the end, when nothing is changed any more. Calls must not overlap, and
    /// each is followed by ``deliver()``.
    @inlinable
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? {
        lock.withLock { _ -> Result? in
            if hasEnded.load(ordering: .relaxed) { return nil }
            changingThread.store(Thread.current, ordering: .relaxed)
            let result = body(&current)
            changingThread.store(0, ordering: .relaxed)
            version &+= 1
            return result
        }
    }

    /// Delivers the state after those that were delivered before.
    @inlinable
    func deliver() {
        if subscriptions.isEmpty { return }
        let state = (number: version, value: current)
        guard delivery.enter() || delivery.enterOrQueue(.init { [self] in send(state) }) else { return }
        if main?.runNow({ sendFirst(state) }) == true { return }
        scheduler.run { [self] in sendFirst(state) }
    }

    /// Delivers a state, and those that were enqueued meanwhile. Called inside the gate `delivery`.
    @inlinable
    func sendFirst(_ state: Version) {
        send(state)
        delivery.leave()
    }

    @inlinable
    func send(_ state: Version) {
        for subscription in subscriptions.all
        where state.number > subscription.firstVersion.load(ordering: .acquiring) {
            if subscription.isActive, !hasEnded.load(ordering: .acquiring) {
                unsafeDowncast(subscription, to: TypedSubscription<Value>.self).next(state.value)
            }
        }
    }

    /// Delivers the current state to each observer, and each state that follows.
    @inlinable
    func asObservable() -> Observable<Value> { Observable(connect: { [self] in connect($0) }, name: "state") }

    @inlinable
    func connect(_ sink: Sink<Value>) {
        // The rest runs on the scheduler. The observer receives nothing before the current state, which is newer than
        // all that were delivered until then.
        let subscription = TypedSubscription(sink, of: self)
        let isAdded = subscriptions.add(subscription)
        sink.chain.attach(subscription)
        if main?.runNow({ begin(subscription, isAdded) }) == true { return }
        scheduler.run { [self] in begin(subscription, isAdded) }
    }

    /// Delivers the current state to a new observer, or the end.
    @inlinable
    func begin(_ subscription: TypedSubscription<Value>, _ isAdded: Bool) {
        if !isAdded { return subscription.chain.complete() }
        if !subscription.isActive || hasEnded.load(ordering: .acquiring) { return }
        let first = present
        subscription.firstVersion.store(first.number, ordering: .releasing)
        // A state that follows meanwhile is delivered after this one.
        let isFirst = delivery.enter()
        subscription.next(first.value)
        if isFirst { delivery.leave() }
    }

    @usableFromInline
    func remove(_ subscription: Subscription) { subscriptions.remove(subscription) }

    /// Ends the changes and deliveries; waits for a change in progress on another thread. The first call calls `body`
    /// under the lock, and returns true.
    @inlinable
    func end(_ body: () -> Void) -> Bool {
        func endNow() -> Bool {
            if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return false }
            body()
            return true
        }
        return isBeingChangedHere ? endNow() : lock.withLock { _ in endNow() }
    }

    /// Completes the observers, and those that subscribe later.
    @inlinable
    func complete() {
        let last = subscriptions.close()
        if last.isEmpty { return }
        scheduler.run { for subscription in last { subscription.chain.complete() } }
    }
}

/// An object that holds subscriptions.
@usableFromInline
protocol SubscriptionOwner: AnyObject, Sendable {
    func remove(_ subscription: Subscription)
}

/// A subscription to states or events, until its chain ends.
@usableFromInline
class Subscription: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: every property is a `let` of a `Sendable` type; so is the one that the only subclass adds,
    // whose owner calls it from one thread at a time.

    @usableFromInline final let chain: Chain
    /// The number of the state at the subscription: the observer receives newer ones only. Until that state is
    /// delivered, it is the maximum, and the observer receives none.
    @usableFromInline final let firstVersion = Atomic<UInt64>(.max)
    private let owner: any SubscriptionOwner

    /// Creates a subscription, which the owner attaches to the chain when it holds it.
    @usableFromInline
    init(_ chain: Chain, of owner: any SubscriptionOwner) {
        self.chain = chain
        self.owner = owner
    }

    @inlinable final var isActive: Bool { chain.isLive }

    @usableFromInline
    final func dispose() { owner.remove(self) }
}

@usableFromInline
final class TypedSubscription<Element>: Subscription, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass.

    @usableFromInline let next: (Element) -> Void

    @inlinable
    init(_ sink: Sink<Element>, of owner: any SubscriptionOwner) {
        next = sink.next
        super.init(sink.chain, of: owner)
    }
}

/// The active subscriptions to a state. Not generic, so that its code is compiled once, here.
@usableFromInline
struct SubscriptionList: ~Copyable, Sendable {
    /// `nil` after closing.
    private let list = TracedMutex<[Subscription]?>([])
    private let count = Atomic(0)

    @usableFromInline init() {}

    @usableFromInline var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// The subscriptions at this moment. One that is added later still receives the current state, and misses nothing.
    @usableFromInline var all: [Subscription] { list.withLock { $0 ?? [] } }

    /// Adds a subscription, unless the list is closed.
    @usableFromInline
    func add(_ subscription: Subscription) -> Bool {
        change { list in
            // Most states have a few observers: one allocation, instead of one for each power of two.
            if list?.isEmpty == true { list?.reserveCapacity(4) }
            list?.append(subscription)
            return list != nil
        }
    }

    @usableFromInline
    func remove(_ subscription: Subscription) {
        let removed = change { list in
            list?.firstIndex { $0 === subscription }.flatMap { list?.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}  // release outside the lock
    }

    /// Closes the list; returns the subscriptions until now.
    @usableFromInline func close() -> [Subscription] { change { $0.take() } ?? [] }

    private func change<Result: Sendable>(_ body: (inout [Subscription]?) -> Result) -> Result {
        list.withLock { list in
            defer { count.store(list?.count ?? 0, ordering: .releasing) }
            return body(&list)
        }
    }
}
