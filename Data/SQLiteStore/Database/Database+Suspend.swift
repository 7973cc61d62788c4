internal import DatabaseAccess
internal import Dispatch
internal import Synchronization

extension Database {
    /// Ends all accesses, closes all connections, and returns when no file is open and no lock is held. Accesses throw
    /// `.suspended` until ``resume()``.
    ///
    /// Call it before the system suspends an app whose file is shared with an extension: the system ends a suspended app that
    /// holds a lock on a shared file (`0xdead10cc`), and a suspended process that holds one keeps the others waiting.
    ///
    /// ```swift
    /// await database.suspend()
    /// // … the system suspends the process, and wakes it again …
    /// database.resume()
    /// ```
    ///
    /// - Running and waiting accesses end with `.suspended`: a write is rolled back, unless its commit has begun; that is
    ///   waited for. A closure that computes without a statement is waited for, too.
    /// - Snapshots end for good.
    /// - Observations go on: their observers wait, and receive a new value after `resume` if there is one.
    /// - The log is not moved into the file, which could take long. A later connection of any process does that.
    /// - New connections lack what belonged to the closed ones, such as temporary tables; `Configuration.prepare` runs again.
    ///
    /// Cancellation has no effect. A database in memory, which shares nothing, goes on as if this was not called.
    ///
    /// Where `await` is not possible, use ``blockingSuspend()``.
    public func suspend() async {
        await withCheckedContinuation { continuation in
            beginSuspension { continuation.resume() }
        }
    }

    /// Suspends the database as ``suspend()`` does, and blocks the thread until no lock is held: for an expiration handler, or
    /// for an observer of a notification.
    ///
    /// Within an access to the database it does not wait, because the access holds the lock itself: it ends with its next
    /// statement.
    @available(*, noasync, message: "await suspend() instead")
    public func blockingSuspend() {
        let isOver = DispatchSemaphore(value: 0)
        beginSuspension { isOver.signal() }
        if (try? checkNoAccess()) != nil { isOver.wait() }
    }

    /// Ends a suspension: accesses run again, and observed queries are fetched again, because other processes may have
    /// written. Does nothing if the database is not suspended, however often it was.
    public func resume() {
        let followUps = opener.suspension.end {
            // Before the first access that could notice a commit itself.
            [writer, readers].map { $0.endSuspension() }
        }
        guard let followUps else { return }
        for followUp in followUps { followUp() }
        hub.committed(.everything)
        resumeRowChanges()
    }

    /// The number of observers that wait for the end of the suspension.
    package var suspendedObserverCount: Int { opener.suspension.waiterCount }

    private func beginSuspension(completion: @escaping @Sendable () -> Void) {
        guard location != .inMemory else { return completion() }
        let accesses = DispatchGroup()
        let followUps = opener.suspension.begin { snapshots in
            ([readers, writer] + snapshots).map { pool in
                accesses.enter()
                return pool.suspend { accesses.leave() }
            }
        }
        for followUp in followUps { followUp() }
        opener.suspension.interruptAccesses()
        let queue = DispatchQueue.global(qos: .userInitiated)
        accesses.enter()
        opener.suspension.openings.notify(queue: queue) { accesses.leave() }
        accesses.notify(queue: queue) { [self] in
            closeCounters()
            pauseMonitor(completion)
        }
    }

    private func pauseMonitor(_ completion: @escaping @Sendable () -> Void) {
        guard let externalChangeMonitor else { return completion() }
        // Only an access opens the connection of the monitor.
        externalChangeMonitor.pause { [self] in
            // The database was resumed in the meantime, and a fetch or a stream may have relied on the monitor.
            if !opener.suspension.isRequested {
                hub.committed(.everything)
                resumeRowChanges()
            }
            completion()
        }
    }
}

/// Whether a database is suspended, and what has to end for it.
final class Suspension: Sendable {
    private let requested = Atomic(false)
    private let state = Mutex(State())
    /// Connections that open outside of the pools.
    let openings = DispatchGroup()

    private struct State {
        /// Those of the open connections.
        var interruptions: [ObjectIdentifier: Interruption] = [:]
        var snapshots: [ObjectIdentifier: ConnectionPool] = [:]
        /// Observers that wait for the end of the suspension, or of the database.
        var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
        var isClosed = false
    }

    var waiterCount: Int { state.withLock { $0.waiters.count } }

    var isRequested: Bool { requested.load(ordering: .relaxed) }

    func add(_ interruption: Interruption) {
        state.withLock { $0.interruptions[ObjectIdentifier(interruption)] = interruption }
    }

    /// Called before the connection closes.
    func remove(_ interruption: Interruption) {
        _ = state.withLock { $0.interruptions.removeValue(forKey: ObjectIdentifier(interruption)) }
    }

    func add(_ snapshot: ConnectionPool) {
        state.withLock { $0.snapshots[ObjectIdentifier(snapshot)] = snapshot }
    }

    func remove(_ snapshot: ConnectionPool) {
        _ = state.withLock { $0.snapshots.removeValue(forKey: ObjectIdentifier(snapshot)) }
    }

    /// Returns whether a connection may open outside of the pools; the caller must then call `endOpening`.
    func beginOpening() -> Bool {
        state.withLock { _ in
            if isRequested { return false }
            openings.enter()
            return true
        }
    }

    func endOpening() {
        openings.leave()
    }

    /// Begins a suspension. `body`, which suspends the pools, must neither wait nor call code of the user.
    func begin<Result>(_ body: (_ snapshots: [ConnectionPool]) -> Result) -> Result {
        state.withLock { state in
            requested.store(true, ordering: .relaxed)
            return body(Array(state.snapshots.values))
        }
    }

    /// Ends the suspension; returns nil if there is none. `body` as for `begin`.
    func end<Result>(_ body: () -> Result) -> Result? {
        let (result, waiters) = state.withLock { state -> (Result?, [UnsafeContinuation<Void, Never>]) in
            guard isRequested else { return (nil, []) }
            requested.store(false, ordering: .relaxed)
            defer { state.waiters = [:] }
            return (body(), Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume() }
        return result
    }

    func interruptAccesses() {
        // Under the lock, so that no connection closes meanwhile.
        state.withLock { state in
            guard isRequested else { return }
            for interruption in state.interruptions.values { interruption.suspend() }
        }
    }

    /// The database closes: nobody waits for the end of its suspension any more.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the database is not suspended, when it closes, or when the task is cancelled.
    func waitForEnd(isolation: isolated (any Actor)?) async {
        guard isRequested else { return }
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            _ = isolation
            await withUnsafeContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard isRequested, !state.isClosed, !Task.isCancelled else { return false }
                    state.waiters[id] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume()
        }
    }
}
