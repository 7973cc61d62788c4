internal import CSQLite
internal import DatabaseAccess
internal import Synchronization

/// Cancels a single access on a connection, without affecting later accesses on it, or ends it for a suspension of the
/// database.
final class Interruption: Interruptible {
    /// Whether the current access is cancelled by its number; otherwise it runs in its task, so that `Task.isCancelled`
    /// can be read, or cannot be cancelled. Like `waits`, it is written only on the connection's thread.
    private let isNumbered = Atomic(false)
    /// Whether the current access may wait for locks of other processes.
    private let waits = Atomic(true)
    private let state = Mutex(State())
    private let requested = Atomic(false)
    /// Whether `Task.isCancelled` is read now. Like `isCancellable`, it is written only on the connection's thread.
    private let acceptsCancellation = Atomic(false)
    private let isCancellable = Atomic(false)
    let suspension: Suspension
    /// What a suspension does now: for every kind of access, and while the connection opens. Only `suspend` changes it on
    /// another thread, from `interrupts` to `isInterrupting`, and back unless the connection's thread has changed it.
    private let effect = Atomic(SuspensionEffect.interrupts)
    /// Whether a write transaction is open. Written only on the connection's thread.
    private let isInWrite = Atomic(false)
    /// Whether the current access ends because of a suspension, also if that has ended in the meantime.
    private let isEndedBySuspension = Atomic(false)
    /// `sqlite3_interrupt` can be called from any thread while the connection is open; `end` is called before it
    /// closes.
    nonisolated(unsafe) private let handle: OpaquePointer

    private struct State {
        var access: UInt64 = 0
        /// Whether the access has been cancelled, even if the cancellation has no effect yet.
        var isCancelled = false
        /// Whether cancellation takes effect now.
        var isInterruptible = false
        var isWriting = false
    }

    init(handle: OpaquePointer, suspension: Suspension) {
        (self.handle, self.suspension) = (handle, suspension)
    }

    /// Whether the current access may wait for locks of other processes before it begins.
    var mayWait: Bool { waits.load(ordering: .relaxed) }

    private var asksCurrentTask: Bool { !isNumbered.load(ordering: .relaxed) }

    private var acceptsSuspension: Bool { effect.load(ordering: .relaxed) != .none }

    private var isSuspended: Bool {
        guard acceptsSuspension else { return false }
        if suspension.isRequested { isEndedBySuspension.store(true, ordering: .relaxed) }
        return isEndedBySuspension.load(ordering: .relaxed)
    }

    /// The error of an access that `isRequested` ends.
    var error: any Error { isSuspended ? Connection.error(for: .suspended) : CancellationError() }

    /// Whether the current access has been cancelled with effect, or the database is suspended.
    var isRequested: Bool {
        if isSuspended { return true }
        if asksCurrentTask { return acceptsCancellation.load(ordering: .relaxed) && Task.isCancelled }
        return requested.load(ordering: .relaxed)
    }

    /// A cheaper check between statements: it costs one load. `Task.isCancelled` is not read here, because the progress
    /// handler reads it, and its step count carries over from one statement to the next.
    var isFlagged: Bool {
        requested.load(ordering: .relaxed) || isSuspended
    }

    /// Begins an access, and returns its number for `cancel`.
    func begin(_ kind: AccessKind) -> UInt64 {
        isNumbered.store(kind == .onThread, ordering: .relaxed)
        waits.store(kind != .shortInTask, ordering: .relaxed)
        rejectSuspension()
        isEndedBySuspension.store(false, ordering: .relaxed)
        acceptSuspension()
        guard kind == .onThread else {
            isCancellable.store(kind != .blocking, ordering: .relaxed)
            acceptsCancellation.store(kind != .blocking, ordering: .relaxed)
            return 0
        }
        return state.withLock { state in
            state.access += 1
            state.isCancelled = false
            state.isInterruptible = true
            return state.access
        }
    }

    /// Passes the point of no return of a transaction, after which it cannot be cancelled; returns false if it has been
    /// cancelled.
    func passPointOfNoReturn() -> Bool {
        if asksCurrentTask {
            guard !isRequested else { return false }
            acceptsCancellation.store(false, ordering: .relaxed)
            rejectSuspension()
            return true
        }
        let hasPassed = state.withLock { state in
            guard !isRequested else { return false }
            state.isInterruptible = false
            return true
        }
        if hasPassed { rejectSuspension() }
        return hasPassed
    }

    /// Ends the access, or begins a rollback: cancellation has no effect from now on.
    func end() {
        rejectSuspension()
        acceptsCancellation.store(false, ordering: .relaxed)
        if asksCurrentTask { return }
        state.withLock { state in
            state.isInterruptible = false
            requested.store(false, ordering: .relaxed)
        }
    }

    /// Lets a suspension have no effect any more: one that is interrupting has done so, and does not interrupt what follows.
    private func rejectSuspension() {
        if acceptsSuspension { setEffect(.none) }
    }

    private func acceptSuspension() {
        setEffect(isInWrite.load(ordering: .relaxed) ? .flags : .interrupts)
    }

    private func setEffect(_ new: SuspensionEffect) {
        // `suspend` holds the lock while it interrupts.
        if effect.exchange(new, ordering: .acquiringAndReleasing) == .isInterrupting { state.withLock { _ in } }
    }

    func writeTransactionBegan() {
        isInWrite.store(true, ordering: .relaxed)
        if acceptsSuspension { acceptSuspension() }
        if asksCurrentTask { return }
        state.withLock { $0.isWriting = true }
    }

    /// Marks the commit or rollback of a write transaction. Cancellation, including one during the commit, takes effect
    /// for the rest of the access.
    func writeTransactionEnded() {
        isInWrite.store(false, ordering: .relaxed)
        acceptSuspension()
        if asksCurrentTask {
            return acceptsCancellation.store(isCancellable.load(ordering: .relaxed), ordering: .relaxed)
        }
        state.withLock { state in
            state.isWriting = false
            state.isInterruptible = true
            requested.store(state.isCancelled, ordering: .relaxed)
        }
    }

    /// Runs `body`, which cancellation does not interrupt: it takes effect afterwards.
    func withoutCancellation(_ body: () -> Void) {
        let acceptedSuspension = acceptsSuspension
        rejectSuspension()
        defer { if acceptedSuspension { acceptSuspension() } }
        if asksCurrentTask {
            let accepts = acceptsCancellation.exchange(false, ordering: .relaxed)
            body()
            return acceptsCancellation.store(accepts, ordering: .relaxed)
        }
        let wasInterruptible = state.withLock { state in
            defer { state.isInterruptible = false }
            requested.store(false, ordering: .relaxed)
            return state.isInterruptible
        }
        body()
        guard wasInterruptible else { return }
        state.withLock { state in
            state.isInterruptible = true
            requested.store(state.isCancelled, ordering: .relaxed)
        }
    }

    /// Cancels the access with this number if it is the current one: immediately, or as soon as cancellation takes
    /// effect.
    func cancel(_ access: UInt64) {
        state.withLock { state in
            guard state.access == access else { return }
            state.isCancelled = true
            guard state.isInterruptible else { return }
            requested.store(true, ordering: .relaxed)
            // The effect of `sqlite3_interrupt` lasts until no statement is running. A modified full-text table keeps a
            // statement running until the end of the transaction, so that COMMIT and ROLLBACK would fail. Therefore the
            // progress handler interrupts statements of write transactions one at a time.
            if !state.isWriting { sqlite3_interrupt(handle) }
        }
    }

    /// Ends the current access for a suspension, if it has not passed its point of no return. Called on any thread, while the
    /// connection is open.
    func suspend() {
        state.withLock { _ in
            // After `begin` has cleared it, if the access is a new one.
            let (interrupts, _) = effect.compareExchange(
                expected: .interrupts, desired: .isInterrupting, ordering: .acquiringAndReleasing)
            isEndedBySuspension.store(true, ordering: .relaxed)
            guard interrupts else { return }
            // The progress handler alone would not interrupt a checkpoint.
            sqlite3_interrupt(handle)
            _ = effect.compareExchange(
                expected: .isInterrupting, desired: .interrupts, ordering: .acquiringAndReleasing)
        }
    }
}

/// What a suspension does to an access.
private enum SuspensionEffect: UInt8, AtomicRepresentable {
    /// Nothing: the access has passed its point of no return, or has ended.
    case none
    /// The access ends at the next check. As in `cancel`, a write transaction is not interrupted otherwise.
    case flags
    /// The running statement or checkpoint is interrupted, too.
    case interrupts
    /// The same, at this moment.
    case isInterrupting
}
