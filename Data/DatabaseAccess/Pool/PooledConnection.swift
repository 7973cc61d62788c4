/// A connection of a pool, or an object that opens and reopens one.
///
/// The pool is not generic over the type of its connections: other modules would run a generic pool unspecialized,
/// which delays every access. The closures of accesses cast the connection that they receive.
package protocol PooledConnection: AnyObject {
    /// Cancels the accesses on this connection.
    var cancellation: any Interruptible { get }
}

/// Cancels a single access on a connection, without affecting later accesses on it.
package protocol Interruptible: AnyObject, Sendable {
    /// Begins an access, and returns its number for `cancel`.
    func begin(isCancellable: Bool) -> UInt64
    /// Ends the access: cancellation has no effect from now on.
    func end()
    /// Cancels the access with this number if it is the current one.
    func cancel(_ access: UInt64)
}

/// Why an access did not run.
package enum AccessFailure: Sendable {
    /// The pool was closed.
    case closed
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
        case .nested:
            "an access began within another access to the same database: use the connection of the outer one"
        case .leaseTimeout(let time):
            "no connection became free within \(time): shorten the accesses, or raise the limits"
        case .noThread(let code): "the system cannot start a thread for a connection (error \(code))"
        }
    }
}
