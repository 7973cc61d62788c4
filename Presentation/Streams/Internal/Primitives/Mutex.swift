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
    /// The draining thread is between two elements, and the next sender may take its place.
    static var offered: UInt32 { 4 }

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
        return found.exchanged || found.original == Self.drainingWithWork || found.original == Self.offered
    }

    /// Leaves or makes the caller the draining thread, which has emptied the queue, or found the state idle. Called under
    /// the lock.
    @inlinable
    func continueDraining() { word.store(Self.draining, ordering: .relaxed) }

    func becomeIdle() { word.store(Self.idle, ordering: .releasing) }

    var isOffered: Bool { word.load(ordering: .relaxed) == Self.offered }

    /// Lets another thread take the place of the caller, the draining thread. Called under the lock.
    func offer() { word.store(Self.offered, ordering: .relaxed) }

    /// Makes the caller the draining thread if its place is offered. Called under the lock.
    func takeOffer() -> Bool {
        guard isOffered else { return false }
        word.store(Self.drainingWithWork, ordering: .relaxed)
        return true
    }
}

/// Serialises work in order of arrival, without holding a lock while user code runs.
///
/// A thread that finds the gate free enters it and does its work itself. A thread that finds the gate taken, by another
/// thread or by a call further up its own stack, enqueues its work and returns; the thread inside drains the queue
/// before it leaves. So several sources can send concurrently and re-entrantly, and all observers receive the events in
/// one order.
///
/// If the queue grows long, threads that send wait for it, and take turns in draining it: see `Backlog.swift`.
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

    private enum Arrival {
        case enters, returns, mayJoin
    }

    @usableFromInline let state = DrainState()
    @usableFromInline let drainer = DrainingThread()
    private let queue = Mutex(WorkQueue<Work>())

    @usableFromInline
    package init() {}

    /// Enters the gate if it is free.
    ///
    /// - Returns: Whether the caller is now inside.
    @inlinable
    package func enter() -> Bool {
        guard state.begin() else { return false }
        drainer.becomeCurrent()
        return true
    }

    /// Drains the queue and leaves the gate.
    @inlinable
    package func leave() { if !state.end() { drain() } }

    /// Runs `work` inside the gate: immediately if it is free, otherwise on the thread inside, before it leaves.
    ///
    /// - Parameter isSending: Whether the caller may wait, and deliver what others sent. A thread that disposes does not.
    @usableFromInline
    package func pass(isSending: Bool = true, _ work: @escaping () -> Void) {
        let work = Work(run: work)
        switch arrive(with: work) {
        case .enters:
            work.run()
            leave()
        case .mayJoin: if isSending { join() }
        case .returns: break
        }
    }

    /// Enters the gate if it is free; the caller then runs the work and leaves. Otherwise enqueues the work, which the
    /// thread inside does: this one does not take its place.
    ///
    /// - Returns: Whether the caller is now inside.
    @usableFromInline
    package func enterOrQueue(_ work: Work) -> Bool {
        switch arrive(with: work) {
        case .enters: return true
        case .mayJoin: join(draining: false)
        case .returns: break
        }
        return false
    }

    /// Names no thread as the one inside, because scheduled work leaves the gate.
    @usableFromInline
    package func awaitScheduledWork() { drainer.becomeUnknown() }

    /// Leaves the gate if the queue is empty.
    ///
    /// - Returns: Whether the caller has left.
    @inlinable
    package func leaveIfEmpty() -> Bool { state.end() }

    /// Drains the queue and leaves the gate; or drains a part of the queue, if other threads go on sending.
    ///
    /// - Returns: Whether the caller has left. Otherwise this is called again, by scheduled work.
    @usableFromInline
    package func leaveOrPause() -> Bool { doQueuedWork(leaving: true, isScheduled: true) }

    private func arrive(with work: Work) -> Arrival {
        let (arrival, count) = queue.withLock { queue -> (Arrival, Int) in
            if !state.isDraining(elseBecome: DrainState.draining) {
                drainer.becomeCurrent()
                return (.enters, 0)
            }
            queue.waiting.append(work)
            return (queue.asks(drainer) ? .mayJoin : .returns, queue.waiting.count)
        }
        #if DEBUG
        if count == Hooks.pendingCountWarningThreshold {
            Hooks.warn("\(count) events are pending in an operator or a flow")
        }
        #endif
        return arrival
    }

    /// Waits for the thread inside, or takes its place, if the queue is long.
    private func join(draining mayDrain: Bool = true) {
        let role = SendingThread.role(for: drainer)
        if role == .returns { return }
        switch queue.withLock({ $0.join(as: role, draining: mayDrain, state, drainer) }) {
        case .returns: break
        case .drains: doQueuedWork(leaving: true, isSuccessor: true)
        case .waits(let sender):
            let isStuck = sender.wait(for: drainer)
            let (drains, resumed) = queue.withLock { $0.end(sender, isStuck: isStuck, drainer) }
            for sender in resumed { sender.resume() }
            if drains { doQueuedWork(leaving: true, isSuccessor: true) }
        }
    }

    /// Whether the queue contains work. Called by the thread inside.
    @inlinable
    package var hasWork: Bool { state.word.load(ordering: .relaxed) != DrainState.draining }

    /// Drains the queue and stays inside, unless another thread takes the place of this one.
    ///
    /// - Returns: Whether the caller is still inside.
    func doQueuedWork() -> Bool { doQueuedWork(leaving: false) }

    @usableFromInline
    func drain() { doQueuedWork(leaving: true) }

    /// - Parameters:
    ///   - leaves: Whether to leave the gate when the queue is empty.
    ///   - isSuccessor: Whether the caller takes the place of a thread that has not delivered all that it took.
    ///   - isScheduled: Whether the caller pauses instead of letting another thread take its place.
    /// - Returns: Whether the caller has emptied the queue.
    @discardableResult
    private func doQueuedWork(
        leaving leaves: Bool, isSuccessor: Bool = false, isScheduled: Bool = false
    ) -> Bool {
        var batch: [Work] = []
        var index = 0
        var stay = Stay(isScheduled: isScheduled)
        if isSuccessor || isScheduled { queue.withLock { $0.takeRest(&batch, &index) } }
        drainer.becomeCurrent()
        repeat {
            while index < batch.count {
                if stay.endsEarly(drainer) {
                    if isScheduled {
                        pause(&batch, index)
                        return false
                    }
                    if isRelieved(&batch, &index) { return false }
                }
                batch[index].run()
                index += 1
                stay.count(drainer)
            }
            batch.removeAll(keepingCapacity: batch.count < 16)
            index = 0
            // The queue gets the memory of the previous batch: a gate that is passed re-entrantly needs no new one.
            let resumed = queue.withLock { queue in
                let resumed = queue.take(&batch, drainer)
                if batch.isEmpty, leaves { state.becomeIdle() } else { state.continueDraining() }
                return resumed
            }
            for sender in resumed { sender.resume() }
        } while !batch.isEmpty
        return true
    }

    /// Keeps what is left of a batch for the scheduled work that continues.
    private func pause(_ batch: inout [Work], _ index: Int) {
        let resumed = queue.withLock { $0.pause(&batch, index, drainer) }
        for sender in resumed { sender.resume() }
    }

    /// Lets a sender take the place of the caller, which has delivered its batch.
    ///
    /// - Returns: Whether one has done so.
    private func isRelieved(_ batch: inout [Work], _ index: inout Int) -> Bool {
        switch queue.withLock({ $0.relieve(&batch, index, state, drainer) }) {
        case .continues: return false
        case .handedOver(let sender):
            sender.resume()
            return true
        case .offered:
            Stay.waitForAcceptance(of: state)
            return queue.withLock { queue in
                if !state.takeOffer() { return true }
                queue.takeRest(&batch, &index)
                return false
            }
        }
    }
}
