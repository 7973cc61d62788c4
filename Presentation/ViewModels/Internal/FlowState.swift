public import Streams
public import Synchronization

/// The state of a running flow: one copy, which is changed in place under a lock and delivered to its observers on one
/// scheduler, in the order of the changes.
///
/// No state is retained after its delivery, so that the next change finds the only copy. A thread that reads the state
/// waits for the change in progress.
@usableFromInline
package final class FlowState<Value: Sendable>: Sendable {
    /// A state and its number, which orders the states.
    @usableFromInline typealias Version = (number: UInt64, value: Value)

    @usableFromInline let current: TracedMutex<Version>
    /// The thread that changes the state; otherwise 0.
    @usableFromInline let changingThread = Atomic<UInt>(0)
    @usableFromInline package let hasEnded = Atomic(false)
    /// `nil` after the end.
    @usableFromInline let observers = TracedMutex<[StateObserver<Value>]?>([])
    @usableFromInline let observerCount = Atomic(0)
    /// The thread inside delivers the states, or the scheduler is about to call it.
    @usableFromInline let delivery = Gate()
    @usableFromInline let scheduler: any SchedulerType

    @inlinable
    init(_ value: Value, on scheduler: any SchedulerType) {
        current = TracedMutex((0, value))
        self.scheduler = scheduler
    }

    /// Whether the calling thread is inside ``change(_:then:)``.
    @inlinable
    var isBeingChangedHere: Bool { changingThread.load(ordering: .relaxed) == Thread.current }

    @inlinable
    package var value: Value { version.value }

    @inlinable
    var version: Version {
        precondition(
            !isBeingChangedHere, "`currentState` was read inside `reduce`, which depends on its arguments only")
        return current.withLock { $0 }
    }

    /// Changes the state, calls `then` outside the lock, and delivers the new state. Calls must not overlap. Returns
    /// `nil` after the end of the flow, when nothing is changed any more.
    @inlinable
    func change<Result: Sendable>(
        _ body: (inout Value) -> Result, then: (Result) -> Void = { _ in }
    ) -> Result? {
        let changed = current.withLock { current -> (result: Result, new: Version?)? in
            if hasEnded.load(ordering: .relaxed) { return nil }
            changingThread.store(Thread.current, ordering: .relaxed)
            defer { changingThread.store(0, ordering: .relaxed) }
            let result = body(&current.value)
            current.number &+= 1
            return (result, observerCount.load(ordering: .acquiring) == 0 ? nil : current)
        }
        guard let changed else { return nil }
        then(changed.result)
        if let new = changed.new { deliver(new) }
        return changed.result
    }

    @inlinable
    func deliver(_ version: Version) {
        guard delivery.enter() || delivery.enterOrQueue(.init { self.send(version) }) else { return }
        _ = scheduler.schedule(()) { [self] _ in
            send(version)
            delivery.leave()
            return Disposables.create()
        }
    }

    @inlinable
    func send(_ version: Version) {
        let observers = observers.withLock { $0 ?? [] }
        for observer in observers where version.number > observer.firstVersion.load(ordering: .acquiring) {
            if observer.isActive, !hasEnded.load(ordering: .acquiring) { observer.observer.onNext(version.value) }
        }
    }

    /// The current state on subscription, and then each new one; on the scheduler.
    @inlinable
    var driver: Driver<Value> {
        Driver(raw: .create { [self] in subscribe($0) })
    }

    @inlinable
    func subscribe(_ observer: AnyObserver<Value>) -> any Disposable {
        let added = StateObserver(observer)
        let isAdded = changeObservers { observers in
            observers?.append(added)
            return observers != nil
        }
        // Until this runs, the observer receives nothing; then the current state, and those after it.
        _ = scheduler.schedule(()) { [self] _ in
            if !isAdded {
                if added.isActive { observer.onCompleted() }
            } else if added.isActive, !hasEnded.load(ordering: .acquiring) {
                let first = version
                added.firstVersion.store(first.number, ordering: .releasing)
                observer.onNext(first.value)
            }
            return Disposables.create()
        }
        return Disposables.create { [self] in
            added.isCancelled.store(true, ordering: .releasing)
            let removed = changeObservers { observers in
                observers?.firstIndex { $0 === added }.map { observers?.remove(at: $0) }
            }
            withExtendedLifetime(removed) {}  // release outside the lock
        }
    }

    @inlinable
    func changeObservers<Result: Sendable>(_ body: (inout [StateObserver<Value>]?) -> Result) -> Result {
        observers.withLock { observers in
            defer { observerCount.store(observers?.count ?? 0, ordering: .releasing) }
            return body(&observers)
        }
    }

    /// Ends the changes and deliveries. Waits for a change in progress on another thread. The first call calls `body`,
    /// under the lock, and returns true.
    @inlinable
    func end(_ body: () -> Void = {}) -> Bool {
        func endNow() -> Bool {
            if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return false }
            body()
            return true
        }
        return isBeingChangedHere ? endNow() : current.withLock { _ in endNow() }
    }

    @usableFromInline
    func complete() {
        let last = changeObservers { $0.take() } ?? []
        if last.isEmpty { return }
        _ = scheduler.schedule(()) { _ in
            for observer in last where observer.isActive { observer.observer.onCompleted() }
            return Disposables.create()
        }
    }
}

/// An observer of the states of a flow, until it is cancelled.
@usableFromInline
final class StateObserver<Value: Sendable>: Sendable {
    @usableFromInline let observer: AnyObserver<Value>
    /// The number of the first state that the observer has received; before that, the maximum.
    @usableFromInline let firstVersion = Atomic<UInt64>(.max)
    @usableFromInline let isCancelled = Atomic(false)

    @inlinable
    init(_ observer: AnyObserver<Value>) {
        self.observer = observer
    }

    @inlinable
    var isActive: Bool { !isCancelled.load(ordering: .acquiring) }
}
