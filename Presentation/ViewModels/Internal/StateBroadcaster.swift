import Dispatch
public import Streams
public import Synchronization

/// Delivers each state to its observers on one scheduler, and retains none after the delivery, so that the engine holds
/// the only copy when it reduces the next action.
///
/// `@unchecked Sendable`: only the owner of `queue` accesses `next`; the rest is constant or atomic.
///
/// The downcasts are valid: only ``subscribe(_:current:)`` adds to `subscriptions`, and each subscription that it adds
/// is a `TypedSubscription<State>`.
@usableFromInline
final class StateBroadcaster<State: Sendable>: @unchecked Sendable {
    /// A state and its version, which orders the states.
    @usableFromInline
    struct Versioned: Sendable {
        @usableFromInline let version: UInt64
        @usableFromInline let state: State

        @inlinable
        init(_ version: UInt64, _ state: State) {
            self.version = version
            self.state = state
        }
    }

    @usableFromInline let subscriptions = SubscriptionList()
    @usableFromInline let queue = DrainQueue<Versioned>()
    @usableFromInline let scheduler: any SchedulerType
    @usableFromInline let isFinished = Atomic(false)
    /// The first state that the scheduled work delivers.
    @exclusivity(unchecked) @usableFromInline var next: Versioned?

    @inlinable
    init(on scheduler: any SchedulerType) {
        self.scheduler = scheduler
    }

    @inlinable
    var hasObservers: Bool { !subscriptions.isEmpty }

    /// Delivers a state after those that are already enqueued.
    @inlinable
    func send(_ version: UInt64, _ state: State) {
        let versioned = Versioned(version, state)
        guard queue.tryAcquire() || queue.acquireOrEnqueue(versioned) else { return }
        next = versioned
        _ = scheduler.schedule(()) { [self] _ in
            if let first = next.take() { deliver(first) }
            queue.drain(deliver)
            return Disposables.create()
        }
    }

    @inlinable
    func deliver(_ versioned: Versioned) {
        for subscription in subscriptions.all
        where versioned.version > subscription.firstVersion.load(ordering: .acquiring) {
            if subscription.isActive, !isFinished.load(ordering: .acquiring) {
                unsafeDowncast(subscription, to: TypedSubscription<State>.self).observer.onNext(versioned.state)
            }
        }
    }

    /// Delivers the current state to `observer`, and each that follows.
    ///
    /// - Parameter current: Returns the state and its version.
    @inlinable
    func subscribe(_ observer: AnyObserver<State>, current: @escaping @Sendable () -> Versioned) -> any Disposable {
        // The rest runs on the scheduler. The observer receives nothing before the current state, which is newer than
        // all that were delivered until then.
        let subscription = TypedSubscription(observer, of: subscriptions)
        let isAdded = subscriptions.add(subscription)
        _ = scheduler.schedule(()) { [self] _ in
            if !isAdded {
                if subscription.isActive { observer.onCompleted() }
            } else if subscription.isActive, !isFinished.load(ordering: .acquiring) {
                let present = current()
                subscription.firstVersion.store(present.version, ordering: .releasing)
                observer.onNext(present.state)
            }
            return Disposables.create()
        }
        return Disposables.create { subscription.cancel() }
    }

    /// Delivers no more states; completes the observers.
    @inlinable
    func finish() {
        isFinished.store(true, ordering: .releasing)
        let last = subscriptions.close()
        if last.isEmpty { return }
        _ = scheduler.schedule(()) { _ in
            for subscription in last where subscription.isActive {
                unsafeDowncast(subscription, to: TypedSubscription<State>.self).observer.onCompleted()
            }
            return Disposables.create()
        }
    }
}

/// An object that holds subscriptions.
@usableFromInline
protocol SubscriptionOwner: AnyObject, Sendable {
    /// Releases a subscription.
    func remove(_ subscription: Subscription)
}

/// An active subscription, until it is cancelled.
@usableFromInline
class Subscription: @unchecked Sendable {
    // `@unchecked Sendable`: every property is a `let` of a `Sendable` type; so is the one that the only subclass adds.

    /// The version of the state at the subscription: the observer receives newer ones only. Until that state is
    /// delivered, it is the maximum, and the observer receives none.
    @usableFromInline final let firstVersion = Atomic<UInt64>(.max)
    private let isCancelled = Atomic(false)
    private let owner: any SubscriptionOwner

    @usableFromInline
    init(of owner: any SubscriptionOwner) {
        self.owner = owner
    }

    @usableFromInline
    final var isActive: Bool { !isCancelled.load(ordering: .acquiring) }

    @usableFromInline
    final func cancel() {
        isCancelled.store(true, ordering: .releasing)
        owner.remove(self)
    }
}

/// A subscription with the type of its elements.
@usableFromInline
final class TypedSubscription<State: Sendable>: Subscription, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass, and adds only a `let` of a `Sendable` type.

    @usableFromInline let observer: AnyObserver<State>

    @inlinable
    init(_ observer: AnyObserver<State>, of owner: any SubscriptionOwner) {
        self.observer = observer
        super.init(of: owner)
    }
}

/// The active subscriptions. Not generic, so that its code is compiled once, here.
@usableFromInline
final class SubscriptionList: SubscriptionOwner {
    /// `nil` after closing.
    private let list = TracedMutex<[Subscription]?>([])
    private let count = Atomic(0)

    @usableFromInline
    init() {}

    @usableFromInline
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// The subscriptions at this moment. One that is added later still receives the current state, and misses nothing.
    @usableFromInline
    var all: [Subscription] { list.withLock { $0 ?? [] } }

    /// Adds a subscription, unless the list is closed.
    @usableFromInline
    func add(_ subscription: Subscription) -> Bool {
        list.withLock { list in
            list?.append(subscription)
            if list != nil { count.store(list?.count ?? 0, ordering: .releasing) }
            return list != nil
        }
    }

    @usableFromInline
    func remove(_ subscription: Subscription) {
        let removed = list.withLock { list -> Subscription? in
            guard let index = list?.firstIndex(where: { $0 === subscription }) else { return nil }
            defer { count.store(list?.count ?? 0, ordering: .releasing) }
            return list?.remove(at: index)
        }
        withExtendedLifetime(removed) {}  // release outside the lock
    }

    /// Closes the list.
    ///
    /// - Returns: The subscriptions until now.
    @usableFromInline
    func close() -> [Subscription] {
        list.withLock { list in
            defer {
                list = nil
                count.store(0, ordering: .releasing)
            }
            return list ?? []
        }
    }
}

/// A mutex that separates a reduction, which changes the state in place, from the threads that copy the state.
///
/// A thread holds it no longer than a reduction or a copy takes. A reduction depends on its arguments only, so the
/// holder waits for no other thread.
@usableFromInline
struct StateLock: ~Copyable, Sendable {
    private static let unlocked: UInt32 = 0
    private static let locked: UInt32 = 1
    private static let lockedWithWaiters: UInt32 = 2

    @usableFromInline let word = Atomic<UInt32>(0)
    /// The thread that holds the lock.
    @usableFromInline let owner = Atomic<UInt>(0)
    private let waiting = TracedMutex<[DispatchSemaphore]>([])

    @usableFromInline
    init() {}

    /// Acquires the lock; waits while another thread holds it.
    @inlinable
    func lock() {
        if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { lockAfterWaiting() }
        owner.store(Thread.current, ordering: .relaxed)
    }

    /// Releases the lock.
    @inlinable
    func unlock() {
        owner.store(0, ordering: .relaxed)
        if !word.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { unlockAndWake() }
    }

    /// Whether the calling thread holds the lock.
    @inlinable
    var isHeldByCurrentThread: Bool { owner.load(ordering: .relaxed) == Thread.current }

    @usableFromInline
    func lockAfterWaiting() {
        while !word.compareExchange(expected: Self.unlocked, desired: Self.locked, ordering: .acquiring).exchanged {
            let turn = DispatchSemaphore(value: 0)
            let waits = waiting.withLock { waiting in
                let found = word.compareExchange(
                    expected: Self.locked, desired: Self.lockedWithWaiters, ordering: .relaxed)
                guard found.exchanged || found.original == Self.lockedWithWaiters else { return false }
                waiting.append(turn)
                return true
            }
            if waits { turn.wait() }
        }
    }

    @usableFromInline
    func unlockAndWake() {
        let waiting = waiting.withLock { waiting in
            let woken = waiting
            waiting = []
            word.store(Self.unlocked, ordering: .releasing)
            return woken
        }
        for turn in waiting { turn.signal() }
    }
}
