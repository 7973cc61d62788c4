#if PostgreSQL
    internal import DatabaseAccess

    /// One connection of a pool, opened on first use, and opened again after it was lost.
    final class Slot: PooledConnection {
        let interruption = Interruption()
        var cancellation: any Interruptible { interruption }
        private let opener: ConnectionOpener
        private var opened: Connection?

        init(opener: ConnectionOpener) {
            self.opener = opener
        }

        deinit {
            close()
        }

        /// Returns the connection; opens another if the last one was lost.
        func connection() throws -> Connection {
            if let opened, opened.isUsable { return opened }
            close()
            let connection = try opener.open(interruption)
            opened = connection
            return connection
        }

        private func close() {
            interruption.connect(to: nil)
            opened = nil
        }

        /// Returns the slot that a pool of this module has opened.
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
                case .noThread: .cannotConnect
                }
            return PostgreSQLError(code, failure.message)
        }
    }

    /// The mutex of `DatabaseAccess`, whose name is ambiguous in files that also import `Synchronization`.
    typealias Mutex = DatabaseAccess.Mutex
#endif
