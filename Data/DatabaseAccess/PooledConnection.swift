/// A connection of a pool, or an object that opens and reopens one.
///
/// The pool is not generic over the type of its connections: other modules would run a generic pool unspecialized,
/// which delays every access. The closures of accesses cast the connection that they receive.
package protocol PooledConnection: AnyObject {
    var cancellation: any Interruptible { get }
    /// Whether the connection closes after the others of its pool.
    var closesLast: Bool { get }
    /// Whether closing it takes no longer than a short access.
    var closesQuickly: Bool { get }
    /// Closes at once, even if there are other references. What can be done later is left to the next connection.
    func closeForSuspension()
}

extension PooledConnection {
    package var closesLast: Bool { false }
    package var closesQuickly: Bool { true }
    package func closeForSuspension() {}
}

/// Cancels a single access on a connection, without affecting later accesses on it.
package protocol Interruptible: AnyObject, Sendable {
    /// Begins an access, and returns its number for `cancel` if it runs on a thread of the pool.
    func begin(_ kind: AccessKind) -> UInt64
    /// Ends the access: cancellation has no effect from now on.
    func end()
    /// Cancels the access with this number if it is the current one.
    func cancel(_ access: UInt64)
}

/// How an access runs, and how it is cancelled.
package enum AccessKind: Sendable {
    /// On a thread of the pool; cancelled by its number.
    case onThread
    /// In the task that requested it; cancelled with it.
    case inTask
    /// Like `inTask`, and must not wait for a lock: it throws `MustWait` instead, before it has changed anything.
    case shortInTask
    /// On the thread of the caller, which waits for it; not cancelled.
    case blocking
}

/// Thrown by a short access that has found a lock of another process before it began. It runs again on a thread.
package struct MustWait: Error {
    package init() {}
}

/// Why an access did not run.
package enum AccessFailure: Sendable {
    case closed
    /// The pool is suspended.
    case suspended
    /// The thread is within another access to the same database, and a second one would deadlock.
    case nested
    /// No connection became free within this time.
    case leaseTimeout(Duration)
    /// The system cannot start a thread: the error number.
    case noThread(Int32)

    /// The cause, and the remedy if there is one.
    package var message: String {
        switch self {
        case .closed: "the database has been closed"
        case .suspended: "the database is suspended: resume it"
        case .nested:
            "an access began within another access to the same database: use the connection of the outer one"
        case .leaseTimeout(let time):
            "no connection became free within \(time): shorten the accesses, or raise the limits"
        case .noThread(let code): "the system cannot start a thread for a connection (error \(code))"
        }
    }
}
