#if PostgreSQL
internal import CPostgreSQL
internal import DatabaseAccess
internal import Synchronization

/// The right to send cancellation requests to one backend of the server.
///
/// `@unchecked Sendable`: libpq allows the object to be used by any thread.
final class Canceller: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Returns nil if the connection is closed.
    init?(of connection: OpaquePointer) {
        guard let handle = PQgetCancel(connection) else { return nil }
        self.handle = handle
    }

    deinit {
        PQfreeCancel(handle)
    }

    /// Sends a request on a connection of its own, and blocks the thread until the server has passed it on.
    func send() {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            // A failed request is repeated; if the statement does not end in time, the connection is invalidated.
            _ = PQcancel(handle, message.baseAddress, 256)
        }
    }
}

/// Cancels a single access on a connection, without affecting later accesses on it.
///
/// A request to the server names a backend and not a statement. Therefore it is sent only while a statement of the
/// access to cancel runs, and the access waits at the end of that statement until the request has been passed on:
/// the backend receives it before any later statement. A request that arrives before the server has begun the
/// statement has no effect, and is repeated. Requests are sent on a thread of their own, because connecting can
/// block.
final class Interruption: Interruptible {
    private let state = Mutex(State())
    private let changed = ConditionVariable()
    /// Read between statements without a lock.
    private let requested = Atomic(false)

    fileprivate struct State {
        var canceller: Canceller?
        /// The number of changes of `canceller`; a thread that sends requests for an earlier one ends.
        var generation = 0
        var access: UInt64 = 0
        /// Whether the access has been cancelled, even if the cancellation has no effect yet.
        var isCancelled = false
        /// Whether cancellation takes effect now.
        var isInterruptible = false
        var isRunning = false
        var hasTimedOut = false
        /// The time at which cancellation of the running statement was first requested.
        var requestTime: Int?
        var hasSender = false
        var isSending = false
    }

    /// Sets the backend that later requests name.
    func connect(to canceller: Canceller?) {
        state.withLock { state in
            guard state.canceller !== canceller else { return }
            state.canceller = canceller
            // A request to a backend whose connection was lost may still wait for the network. It affects no
            // statement of the new one.
            state.generation += 1
            (state.hasSender, state.isSending) = (false, false)
        }
    }

    var isRequested: Bool { requested.load(ordering: .relaxed) }

    var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

    /// Begins an access, and returns its number for `cancel`.
    func begin(_ kind: AccessKind) -> UInt64 {
        state.withLock { state in
            state.access += 1
            (state.isCancelled, state.isInterruptible) = (false, kind != .blocking)
            return state.access
        }
    }

    /// Passes the point of no return of a transaction, after which it cannot be cancelled; returns false if it has
    /// been cancelled.
    func passPointOfNoReturn() -> Bool {
        state.withLock { state in
            guard !isRequested else { return false }
            state.isInterruptible = false
            return true
        }
    }

    /// Ends the access, or begins a rollback: cancellation has no effect from now on.
    func end() {
        state.withLock { state in
            state.isInterruptible = false
            requested.store(false, ordering: .relaxed)
        }
    }

    /// Marks the end of a transaction. Cancellation, including one during the commit, takes effect for the rest of
    /// the access.
    func transactionEnded() {
        state.withLock { state in
            state.isInterruptible = true
            requested.store(state.isCancelled, ordering: .relaxed)
        }
    }

    /// Cancels the access with this number if it is the current one: immediately, or as soon as cancellation takes
    /// effect.
    func cancel(_ access: UInt64) {
        let sends = state.withLock { state in
            guard state.access == access else { return false }
            state.isCancelled = true
            guard state.isInterruptible else { return false }
            requested.store(true, ordering: .relaxed)
            changed.broadcast()
            return state.takeSender()
        }
        if sends { startSender() }
    }

    /// Cancels the running statement because it has exceeded its time.
    func expire() {
        let sends = state.withLock { state in
            state.hasTimedOut = true
            return state.takeSender()
        }
        if sends { startSender() }
    }

    /// Marks the beginning of a statement; throws if the access has been cancelled.
    func statementBegins() throws {
        try state.withLock { state in
            guard !isRequested else { throw CancellationError() }
            (state.isRunning, state.hasTimedOut, state.requestTime) = (true, false, nil)
        }
    }

    /// Marks the end of the statement, and waits for a request that is being sent. Returns false if that takes
    /// longer than `timeout`: the caller must then invalidate the connection.
    func statementEnds(timeout: Duration) -> Bool {
        let isSending = state.withLock { state in
            state.isRunning = false
            if state.hasSender { changed.broadcast() }
            return state.isSending
        }
        guard isSending else { return true }
        return state.withLock(after: changed, until: Deadline(after: timeout), while: { $0.isSending }) {
            !$0.isSending
        }
    }

    /// Whether cancellation of the running statement was requested longer than `timeout` ago.
    func isOverdue(timeout: Duration) -> Bool {
        guard let time = state.withLock({ $0.requestTime }) else { return false }
        return .nanoseconds(MonotonicClock.now() - time) > timeout
    }

    /// Blocks the thread for this time, or until the access is cancelled.
    func sleep(for duration: Duration) {
        state.withLock(after: changed, until: Deadline(after: duration), while: { _ in !isRequested }) { _ in }
    }

    private func startSender() {
        let generation = state.withLock { $0.generation }
        let code = startThread { [self] in runSender(generation) }
        // Without a thread the statement runs to its deadline.
        if code != 0 { state.withLock { $0.hasSender = false } }
    }

    private func runSender(_ generation: Int) {
        var pause = Duration.milliseconds(5)
        while true {
            let canceller = state.withLock { state -> Canceller? in
                guard state.generation == generation else { return nil }
                guard state.isRunning, isRequested || state.hasTimedOut, let canceller = state.canceller else {
                    state.hasSender = false
                    return nil
                }
                state.isSending = true
                return canceller
            }
            guard let canceller else { return }
            canceller.send()
            state.withLock { if $0.generation == generation { $0.isSending = false } }
            changed.broadcast()
            state.withLock(after: changed, until: Deadline(after: pause), while: { $0.isRunning }) { _ in }
            pause = min(pause * 2, .seconds(1))
        }
    }
}

extension Interruption.State {
    /// Returns whether a thread must be started to send requests, and marks it as started.
    fileprivate mutating func takeSender() -> Bool {
        guard isRunning else { return false }
        if requestTime == nil { requestTime = MonotonicClock.now() }
        guard !hasSender, canceller != nil else { return false }
        hasSender = true
        return true
    }
}
#endif
