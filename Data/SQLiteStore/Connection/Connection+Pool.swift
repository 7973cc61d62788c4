package import DatabaseAccess

extension Connection: PooledConnection {
    package var cancellation: any Interruptible { interruption }

    /// Returns the connection that a pool of this module has opened.
    static func of(_ pooled: any PooledConnection) -> Connection {
        // The pools of this module open only connections.
        unsafeDowncast(pooled, to: Connection.self)
    }

    static func error(for failure: AccessFailure) -> any Error {
        let code: SQLiteError.Code =
            switch failure {
            case .closed: .closed
            case .nested: .reentrantAccess
            // Accesses to a file wait without a limit.
            case .leaseTimeout: .busy
            case .noThread: .cannotOpen
            }
        return SQLiteError(code, failure.message)
    }
}

/// The mutex of `DatabaseAccess`, whose name is ambiguous in files that also import `Synchronization`.
typealias Mutex = DatabaseAccess.Mutex

/// Takes the place of a connection on a thread for other work, which cannot be interrupted.
final class NoConnection: PooledConnection, Interruptible {
    var cancellation: any Interruptible { self }

    func begin(isCancellable: Bool) -> UInt64 { 0 }
    func end() {}
    func cancel(_ access: UInt64) {}
}
