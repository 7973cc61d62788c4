internal import CSQLite
package import DatabaseAccess

extension Connection {
    /// Makes a connection that was opened for writing one for reading, even through its handle.
    func becomingReader() throws -> Connection {
        (isFresh, closesLast, externalChangeMonitor, rowChangeHub) = (false, true, nil, nil)
        try configure("PRAGMA query_only = ON")
        return self
    }
}

extension Connection: PooledConnection {
    package var cancellation: any Interruptible { interruption }

    /// The last connection moves the pages of the log into the file.
    package var closesQuickly: Bool { fileIdentity?.isLogEmpty ?? true }

    /// Without a checkpoint, which takes long and a lock: the log is left to the next connection of any process.
    package func closeForSuspension() {
        csqlite_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        closeHandle()
    }

    static func of(_ pooled: any PooledConnection) -> Connection {
        // The pools of this module open only connections.
        unsafeDowncast(pooled, to: Connection.self)
    }

    static func error(for failure: AccessFailure) -> any Error {
        let code: SQLiteError.Code =
            switch failure {
            case .closed: .closed
            case .suspended: .suspended
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

    func begin(_ kind: AccessKind) -> UInt64 { 0 }
    func end() {}
    func cancel(_ access: UInt64) {}
}
