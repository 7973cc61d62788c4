internal import CSQLite
internal import Synchronization

/// Cancels what one access does on a connection, and nothing that another access does there later.
final class Interruption: Sendable {
    /// Whether the access runs on the thread of the task that may be cancelled, which can then simply be asked.
    private let asksCurrentTask: Bool
    private let state = Locked(State())
    /// Read between any two statements and from within long ones.
    private let requested = Atomic(false)
    /// Whether the access at hand is before its point of no return; written on the connection's thread only.
    private let isOpen = Atomic(false)
    /// `sqlite3_interrupt` may be called from any thread while the connection is open; `end` is called before it closes.
    nonisolated(unsafe) private let handle: OpaquePointer

    private struct State {
        var access: UInt64 = 0
        var isInterruptible = false
        var isWriting = false
    }

    init(handle: OpaquePointer, asksCurrentTask: Bool) {
        self.handle = handle
        self.asksCurrentTask = asksCurrentTask
    }

    /// Whether the access at hand has been cancelled.
    var isRequested: Bool {
        if asksCurrentTask { return isOpen.load(ordering: .relaxed) && Task.isCancelled }
        return requested.load(ordering: .relaxed)
    }

    /// The same for between two statements, at the price of a load: a task that would have to be asked is not, because
    /// the progress handler asks it, which counts the steps of a statement from one run to the next.
    var isFlagged: Bool {
        requested.load(ordering: .relaxed)
    }

    /// Begins an access and returns its number, by which it may be cancelled.
    @discardableResult
    func begin() -> UInt64 {
        isOpen.store(true, ordering: .relaxed)
        if asksCurrentTask { return 0 }
        return state.withLock { state in
            state.access += 1
            state.isInterruptible = true
            return state.access
        }
    }

    /// Passes the point of no return, from which on the access cannot be cancelled; false if it was cancelled before.
    func pass() -> Bool {
        if asksCurrentTask {
            guard !isRequested else { return false }
            isOpen.store(false, ordering: .relaxed)
            return true
        }
        return state.withLock { state in
            guard !isRequested else { return false }
            state.isInterruptible = false
            return true
        }
    }

    /// Ends the access, or begins to undo it: cancelling it has no effect any more.
    func end() {
        isOpen.store(false, ordering: .relaxed)
        if asksCurrentTask { return }
        state.withLock { state in
            state.isInterruptible = false
            requested.store(false, ordering: .relaxed)
        }
    }

    /// Says whether a transaction that writes is open.
    func setWriting(_ isWriting: Bool) {
        if asksCurrentTask { return }
        state.withLock { $0.isWriting = isWriting }
    }

    /// Cancels the access with this number, if it is still the one at hand and not past its point of no return.
    func cancel(_ access: UInt64) {
        state.withLock { state in
            guard state.access == access, state.isInterruptible else { return }
            requested.store(true, ordering: .relaxed)
            // SQLite's interruption lasts until no statement runs any more. A full-text table keeps one running until the
            // transaction ends, and that could then not be rolled back: there the progress handler has to do.
            if !state.isWriting { sqlite3_interrupt(handle) }
        }
    }
}
