#if PostgreSQL
internal import DatabaseAccess

/// The right of an access to use one connection, and that connection while the access runs.
final class Slot: PooledConnection {
    let interruption = Interruption()
    var cancellation: any Interruptible { interruption }
    private let idle: IdleConnections
    private var used: Connection?

    init(idle: IdleConnections) {
        self.idle = idle
    }

    /// Runs an access, and then makes its connection available to others.
    func access<Value>(_ body: () throws -> Value) rethrows -> Value {
        defer {
            if let used { idle.add(used) }
            used = nil
        }
        return try body()
    }

    /// Returns the connection of the access; takes another if there is none or it was lost.
    func connection(until end: Deadline) throws -> Connection {
        if let used, used.isUsable { return used }
        used = nil
        let connection = try idle.take(for: interruption, until: end)
        used = connection
        return connection
    }

    static func of(_ pooled: any PooledConnection) -> Slot {
        // The pools of this module open only slots.
        unsafeDowncast(pooled, to: Slot.self)
    }

    static func error(for failure: AccessFailure) -> any Error {
        let code: PostgreSQLError.Code =
            switch failure {
            case .closed: .closed
            case .nested: .reentrantAccess
            case .leaseTimeout: .leaseTimeout
            // No pool of this store is suspended.
            case .suspended: .closed
            case .noThread: .cannotConnect
            }
        return PostgreSQLError(code, failure.message)
    }
}

/// The open connections that no access uses.
///
/// An access takes the one that was used last, whichever slot it has, and connects only if there is none. So a
/// connection that is open is preferred to one that the server may refuse. If the server has no free connection,
/// accesses wait in order of arrival for one of these.
///
/// A connection passes between threads under the lock: it is either here or used by one access.
final class IdleConnections: Sendable {
    private let opener: ConnectionOpener
    private let state = Mutex(State())
    private let changed = ConditionVariable()

    private struct State {
        var connections: [Connection] = []
        /// The accesses that wait because the server has no free connection.
        var waiters: [ObjectIdentifier] = []

        /// Whether there is a connection that no earlier waiter takes.
        func canTake(_ waiter: ObjectIdentifier) -> Bool {
            guard !connections.isEmpty else { return false }
            guard !waiters.isEmpty else { return true }
            return connections.count > waiters.firstIndex(of: waiter) ?? waiters.count
        }
    }

    init(opener: ConnectionOpener) {
        self.opener = opener
    }

    /// Adds a connection after an access. A lost one is closed.
    func add(_ connection: Connection) {
        guard !connection.isLost else { return }
        let isAwaited = state.withLock { state in
            state.connections.append(connection)
            return !state.waiters.isEmpty
        }
        if isAwaited { changed.broadcast() }
    }

    /// Closes the connections, when no access runs.
    func removeAll() {
        let closing = state.withLock { state in
            defer { state.connections = [] }
            return state.connections
        }
        withExtendedLifetime(closing) {}
    }

    /// Takes a connection for an access, which may take until `end`.
    func take(for interruption: Interruption, until end: Deadline) throws -> Connection {
        let waiter = ObjectIdentifier(interruption)
        var hasWaited = false
        defer { if hasWaited { leave(waiter) } }
        let latest = Deadline(after: opener.configuration.leaseTimeout).earlier(of: end)
        var pause = Duration.milliseconds(20)
        while true {
            if let connection = takeIdle(waiter) {
                // Closed if not, outside the lock.
                guard connection.isUsable else { continue }
                connection.lease(to: interruption, until: end)
                return connection
            }
            do {
                if state.withLock({ $0.waiters.first ?? waiter }) == waiter {
                    return try opener.open(interruption, until: end)
                }
            } catch let error as PostgreSQLError where error.code == .tooManyConnections {
                if latest.hasPassed { throw timeoutError(error.message) }
            }
            if !hasWaited { state.withLock { $0.waiters.append(waiter) } }
            hasWaited = true
            let next = Deadline(after: pause).earlier(of: latest)
            while !next.hasPassed, !state.withLock({ $0.canTake(waiter) }) {
                if interruption.isRequested { throw CancellationError() }
                let wake = Deadline(after: .milliseconds(20)).earlier(of: next)
                state.withLock(after: changed, until: wake, while: { !$0.canTake(waiter) }) { _ in }
            }
            if latest.hasPassed, !state.withLock({ $0.canTake(waiter) }) {
                throw timeoutError("the server has no free connection")
            }
            pause = min(pause * 2, .milliseconds(500))
        }
    }

    private func takeIdle(_ waiter: ObjectIdentifier) -> Connection? {
        state.withLock { state in state.canTake(waiter) ? state.connections.popLast() : nil }
    }

    private func leave(_ waiter: ObjectIdentifier) {
        state.withLock { state in state.waiters.removeAll { $0 == waiter } }
        changed.broadcast()
    }

    private func timeoutError(_ reason: String) -> PostgreSQLError {
        PostgreSQLError(
            .tooManyConnections,
            "\(reason), and none became free within \(opener.configuration.leaseTimeout): lower connectionCount, or "
                + "raise the limit of the server, of the database or of the role")
    }
}

/// The mutex of `DatabaseAccess`, whose name is ambiguous in files that also import `Synchronization`.
typealias Mutex = DatabaseAccess.Mutex
#endif
