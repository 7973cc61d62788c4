internal import CSQLite
internal import Synchronization

/// Cancels what one access does on a connection, and nothing that another access does there later.
final class Interruption: Sendable {
    /// Whether the access runs on the thread of the task that may be cancelled, which can then simply be asked.
    private let asksCurrentTask: Bool
    private let state = Mutex(State())
    /// Read between any two statements and from within long ones.
    private let requested = Atomic(false)
    /// Whether the current task is asked now; written on the connection's thread only, as is the next.
    private let acceptsCancellation = Atomic(false)
    /// Whether the access at hand hears of cancellation at all.
    private let isCancellable = Atomic(false)
    /// `sqlite3_interrupt` may be called from any thread while the connection is open; `end` is called before it closes.
    nonisolated(unsafe) private let handle: OpaquePointer

    private struct State {
        var access: UInt64 = 0
        /// Whether the access has been cancelled, be it at a moment at which that did not count.
        var isCancelled = false
        /// Whether being cancelled counts now.
        var isInterruptible = false
        /// Whether a transaction that writes is open.
        var isWriting = false
    }

    init(handle: OpaquePointer, asksCurrentTask: Bool) {
        self.handle = handle
        self.asksCurrentTask = asksCurrentTask
    }

    /// Whether the access at hand has been cancelled.
    var isRequested: Bool {
        if asksCurrentTask { return acceptsCancellation.load(ordering: .relaxed) && Task.isCancelled }
        return requested.load(ordering: .relaxed)
    }

    /// The same for between two statements, at the price of a load: a task that would have to be asked is not, because
    /// the progress handler asks it, which counts the steps of a statement from one run to the next.
    var isFlagged: Bool {
        requested.load(ordering: .relaxed)
    }

    /// Begins an access and returns its number, by which it may be cancelled.
    @discardableResult
    func begin(isCancellable: Bool = true) -> UInt64 {
        if asksCurrentTask {
            self.isCancellable.store(isCancellable, ordering: .relaxed)
            acceptsCancellation.store(isCancellable, ordering: .relaxed)
            return 0
        }
        return state.withLock { state in
            state.access += 1
            state.isCancelled = false
            state.isInterruptible = true
            return state.access
        }
    }

    /// Passes the point of no return of a transaction, from which on it cannot be cancelled; false if it was before.
    func passPointOfNoReturn() -> Bool {
        if asksCurrentTask {
            guard !isRequested else { return false }
            acceptsCancellation.store(false, ordering: .relaxed)
            return true
        }
        return state.withLock { state in
            guard !isRequested else { return false }
            state.isInterruptible = false
            return true
        }
    }

    /// Ends the access, or begins to undo a transaction: being cancelled has no effect any more.
    func end() {
        acceptsCancellation.store(false, ordering: .relaxed)
        if asksCurrentTask { return }
        state.withLock { state in
            state.isInterruptible = false
            requested.store(false, ordering: .relaxed)
        }
    }

    /// Says that a transaction that writes is open.
    func writeTransactionBegan() {
        if asksCurrentTask { return }
        state.withLock { $0.isWriting = true }
    }

    /// Says that it has been committed or undone: being cancelled counts for the rest of the access, if there is any, even
    /// if it happened meanwhile.
    func writeTransactionEnded() {
        if asksCurrentTask {
            return acceptsCancellation.store(isCancellable.load(ordering: .relaxed), ordering: .relaxed)
        }
        state.withLock { state in
            state.isWriting = false
            state.isInterruptible = true
            requested.store(state.isCancelled, ordering: .relaxed)
        }
    }

    /// Cancels the access with this number, if it is still the one at hand: now, or once that counts.
    func cancel(_ access: UInt64) {
        state.withLock { state in
            guard state.access == access else { return }
            state.isCancelled = true
            guard state.isInterruptible else { return }
            requested.store(true, ordering: .relaxed)
            // SQLite's interruption lasts until no statement runs any more. A full-text table that was written to keeps
            // one running until the transaction ends, and neither COMMIT nor ROLLBACK would do anything but fail: there
            // the progress handler has to do, whose interruption is of one statement.
            if !state.isWriting { sqlite3_interrupt(handle) }
        }
    }
}
