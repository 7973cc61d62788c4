public import Synchronization

/// A lock around a value: the mutex of the standard library, in a form that the thread sanitizer understands.
///
/// On Linux the kernel hands over a contended standard-library mutex. The sanitizer does not see that and reports false
/// races, also in programs that use this package (Swift 6.3.1). Here each unlock stores to an atomic with release
/// ordering, and the next lock loads it with acquire ordering: plain moves on x86, which the sanitizer recognises as
/// synchronisation.
@usableFromInline
package struct TracedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Synchronization.Mutex<Value>
    @usableFromInline let handOver = Atomic<UInt8>(0)

    @inlinable
    package init(_ initialValue: consuming sending Value) {
        mutex = Synchronization.Mutex(initialValue)
    }

    /// Calls `body` with exclusive access to the value.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            _ = handOver.load(ordering: .acquiring)
            defer { handOver.store(0, ordering: .releasing) }
            return try body(&value)
        }
    }
}

/// The name of the standard-library type that it replaces.
@usableFromInline typealias Mutex = TracedMutex

/// A flag that is set once: only the first caller succeeds.
@usableFromInline
final class Flag: Sendable {
    @usableFromInline let isRaised = Atomic(false)

    @inlinable
    init() {}

    /// Sets the flag.
    ///
    /// - Returns: Whether this call set it.
    @inlinable
    func raise() -> Bool { !isRaised.exchange(true, ordering: .acquiringAndReleasing) }
}

/// The state of an object whose work one thread does at a time: the others enqueue theirs under a lock for that thread,
/// which drains the queue before it finishes.
@usableFromInline
struct DrainState: ~Copyable, Sendable {
    @inlinable static var idle: UInt32 { 0 }
    @inlinable static var draining: UInt32 { 1 }
    /// A thread is draining, and work is enqueued for it.
    @inlinable static var drainingWithWork: UInt32 { 2 }
    /// A thread that holds the lock is changing what a draining thread reads.
    static var changing: UInt32 { 3 }

    @usableFromInline let word = Atomic<UInt32>(0)

    @inlinable
    init() {}

    @inlinable
    var isIdle: Bool { word.load(ordering: .acquiring) == Self.idle }

    /// Makes the caller the draining thread, if there is none.
    @inlinable
    func begin() -> Bool {
        word.compareExchange(expected: Self.idle, desired: Self.draining, ordering: .acquiring).exchanged
    }

    /// Ends the caller's draining, unless work is enqueued.
    @inlinable
    func end() -> Bool {
        word.compareExchange(expected: Self.draining, desired: Self.idle, ordering: .releasing).exchanged
    }

    /// Whether a thread is draining. If so, that thread will acquire the lock before it finishes; if not, sets the state
    /// to `next`. Called under the lock.
    @usableFromInline
    func isDraining(elseBecome next: UInt32) -> Bool {
        while true {
            if word.compareExchange(expected: Self.idle, desired: next, ordering: .acquiring).exchanged { return false }
            if hasDrainer() { return true }
        }
    }

    /// Whether a thread is draining. If so, that thread will acquire the lock before it finishes. Called under the lock.
    func hasDrainer() -> Bool {
        let found = word.compareExchange(
            expected: Self.draining, desired: Self.drainingWithWork, successOrdering: .relaxed,
            failureOrdering: .acquiring)
        return found.exchanged || found.original == Self.drainingWithWork
    }

    /// Leaves or makes the caller the draining thread, which has emptied the queue, or found the state idle. Called under
    /// the lock.
    @inlinable
    func continueDraining() { word.store(Self.draining, ordering: .relaxed) }

    func becomeIdle() { word.store(Self.idle, ordering: .releasing) }
}

/// Serialises work in order of arrival, without holding a lock while user code runs.
///
/// A thread that finds the gate free enters it and does its work itself. A thread that finds the gate taken, by another
/// thread or by a call further up its own stack, enqueues its work and returns; the thread inside drains the queue
/// before it leaves. So several sources can send concurrently and re-entrantly, and all observers receive the events in
/// one order.
///
/// Passing a free gate costs two atomic exchanges. `enter` acquires and `leave` releases: work inside the gate happens
/// before the work that enters next.
@usableFromInline
package struct Gate: ~Copyable, Sendable {
    /// Enqueued work. `@unchecked Sendable`: runs inside the gate, like the code that enqueued it.
    @usableFromInline
    package struct Work: @unchecked Sendable {
        @usableFromInline let run: () -> Void

        @usableFromInline
        package init(run: @escaping () -> Void) { self.run = run }
    }

    @usableFromInline let state = DrainState()
    private let queue = Mutex<[Work]>([])

    @usableFromInline
    package init() {}

    /// Enters the gate if it is free.
    ///
    /// - Returns: Whether the caller is now inside.
    @inlinable
    package func enter() -> Bool { state.begin() }

    /// Drains the queue and leaves the gate.
    @inlinable
    package func leave() { if !state.end() { drain() } }

    /// Runs `work` inside the gate: immediately if it is free, otherwise on the thread inside, before it leaves.
    @usableFromInline
    package func pass(_ work: @escaping () -> Void) {
        let work = Work(run: work)
        if enterOrQueue(work) {
            work.run()
            leave()
        }
    }

    /// Enters the gate if it is free; the caller then runs the work and leaves. Otherwise enqueues the work.
    ///
    /// - Returns: Whether the caller is now inside.
    @usableFromInline
    package func enterOrQueue(_ work: Work) -> Bool {
        queue.withLock { queue in
            if !state.isDraining(elseBecome: DrainState.draining) { return true }
            queue.append(work)
            return false
        }
    }

    /// Whether the queue contains work. Called by the thread inside.
    @inlinable
    package var hasWork: Bool { state.word.load(ordering: .relaxed) != DrainState.draining }

    /// Drains the queue and stays inside.
    func doQueuedWork() { doQueuedWork(leaving: false) }

    @usableFromInline
    func drain() { doQueuedWork(leaving: true) }

    /// - Parameter leaves: Whether to leave the gate when the queue is empty.
    private func doQueuedWork(leaving leaves: Bool) {
        var batch: [Work] = []
        repeat {
            for work in batch { work.run() }
            batch.removeAll(keepingCapacity: batch.count < 16)
            // The queue gets the memory of the previous batch: a gate that is passed re-entrantly needs no new one.
            queue.withLock { queue in
                if !queue.isEmpty || batch.capacity > queue.capacity { swap(&batch, &queue) }
                if batch.isEmpty, leaves { state.becomeIdle() } else { state.continueDraining() }
            }
        } while !batch.isEmpty
    }
}
