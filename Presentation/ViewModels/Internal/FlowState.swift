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
    @usableFromInline
    struct Version: Sendable {
        @usableFromInline var number: UInt64 = 0
        @usableFromInline var value: Value

        @inlinable
        init(_ value: Value) {
            self.value = value
        }
    }

    @usableFromInline let current: TracedMutex<Version>
    /// The thread that changes the state; otherwise 0.
    @usableFromInline let changingThread = Atomic<UInt>(0)
    @usableFromInline package let hasEnded = Atomic(false)
    @usableFromInline let observers = StateObservers<Value>()
    /// The thread inside delivers the states, or the scheduler is about to call it.
    @usableFromInline let delivery = Gate()
    @usableFromInline let scheduler: any SchedulerType

    @inlinable
    init(_ value: Value, on scheduler: any SchedulerType) {
        current = TracedMutex(Version(value))
        self.scheduler = scheduler
    }

    /// Whether the calling thread is inside ``change(_:then:)``.
    @inlinable
    var isBeingChangedHere: Bool { changingThread.load(ordering: .relaxed) == Thread.current }

    /// The current state. Stops the program inside `reduce`.
    @inlinable
    package var value: Value { version.value }

    @inlinable
    var version: Version {
        precondition(
            !isBeingChangedHere, "`currentState` was read inside `reduce`, which depends on its arguments only")
        return current.withLock { $0 }
    }

    /// Changes the state, calls `then` outside the lock, and delivers the new state. Calls must not overlap.
    ///
    /// - Returns: The result of `body`; `nil` after the end of the flow, when nothing is changed any more.
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
            return (result, observers.isEmpty ? nil : current)
        }
        guard let changed else { return nil }
        then(changed.result)
        if let new = changed.new { deliver(new) }
        return changed.result
    }

    /// Delivers a state after those whose delivery is pending.
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
        for observer in observers.all where version.number > observer.firstVersion.load(ordering: .acquiring) {
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
        let isAdded = observers.add(added)
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
        return Disposables.create { [observers] in observers.cancel(added) }
    }

    /// Ends the changes and deliveries. Waits for a change in progress on another thread.
    ///
    /// - Parameter body: Called by the first call only, under the lock.
    /// - Returns: Whether it is the first call.
    @inlinable
    func end(_ body: () -> Void = {}) -> Bool {
        func endNow() -> Bool {
            if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return false }
            body()
            return true
        }
        return isBeingChangedHere ? endNow() : current.withLock { _ in endNow() }
    }

    /// Completes the observers, after the end.
    @usableFromInline
    func complete() {
        let last = observers.close()
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

/// The observers of the states of a flow.
@usableFromInline
final class StateObservers<Value: Sendable>: Sendable {
    /// `nil` after closing.
    @usableFromInline let list = TracedMutex<[StateObserver<Value>]?>([])
    @usableFromInline let count = Atomic(0)

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    @inlinable
    var all: [StateObserver<Value>] { list.withLock { $0 ?? [] } }

    /// Whether it was added: the list is not closed.
    @usableFromInline
    func add(_ observer: StateObserver<Value>) -> Bool {
        list.withLock { list in
            list?.append(observer)
            count.store(list?.count ?? 0, ordering: .releasing)
            return list != nil
        }
    }

    @usableFromInline
    func cancel(_ observer: StateObserver<Value>) {
        observer.isCancelled.store(true, ordering: .releasing)
        let removed = list.withLock { list -> StateObserver<Value>? in
            guard let index = list?.firstIndex(where: { $0 === observer }) else { return nil }
            defer { count.store(list?.count ?? 0, ordering: .releasing) }
            return list?.remove(at: index)
        }
        withExtendedLifetime(removed) {}  // release outside the lock
    }

    @usableFromInline
    func close() -> [StateObserver<Value>] {
        list.withLock { list in
            count.store(0, ordering: .releasing)
            return list.take() ?? []
        }
    }
}
