#if PostgreSQL
package import DatabaseAccess

/// A database on a PostgreSQL server, accessed through a pool of connections.
///
/// ```swift
/// let database = try await Database.open(.url("postgresql://localhost/travel"), migrations: migrations)
/// try await database.write { db in
///     try db.execute("INSERT INTO cities (name) VALUES (\(name))")
/// }
/// let names = try await database.read { db in
///     try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
/// }
/// ```
///
/// `close`, or the release of the last reference to the database, closes all connections.
public final class Database: Sendable {
    public let location: Location
    public let configuration: Configuration
    let pool: ConnectionPool
    package let hub: ObservationHub
    package let clock: AnyClock
    let listener: Listener
    private let idle: IdleConnections

    private init(location: Location, configuration: Configuration) {
        let opener = ConnectionOpener(configuration: configuration, location: location)
        let hub = ObservationHub()
        let idle = IdleConnections(opener: opener)
        self.idle = idle
        (self.location, self.configuration, self.hub) = (location, configuration, hub)
        pool = ConnectionPool(
            connections: configuration.connectionCount,
            leaseTimeout: configuration.accessTimeout.map { min($0, configuration.leaseTimeout) }
                ?? configuration.leaseTimeout,
            error: Slot.error(for:)
        ) {
            Slot(idle: idle)
        }
        clock = AnyClock(configuration.clock)
        listener = Listener(opener: opener) { region in hub.committed(region) }
    }

    deinit {
        close(completion: {})
    }

    /// Connects to the server, and runs pending migrations.
    ///
    /// - Throws: ``PostgreSQLError``, such as `.cannotConnect` within the connect timeout, `.databaseIsNewer` and
    ///   `.migrationChanged`, which leave the database unchanged; the errors of a migration, after which the
    ///   preceding migrations are kept; `CancellationError` if the task is cancelled before the last migration is
    ///   committed.
    public static func open(
        _ location: Location, configuration: Configuration = Configuration(), migrations: [Migration] = []
    ) async throws -> Database {
        let database = Database(location: location, configuration: configuration)
        let (hub, deadline) = (database.hub, Deadline(after: configuration.accessTimeout))
        do {
            try await database.pool.run(isolation: #isolation) { pooled in
                let slot = Slot.of(pooled)
                try slot.access {
                    let connection = try slot.connection(until: deadline)
                    try CurrentAccess.enter(hub) { try Migrator(migrations: migrations).migrate(connection) }
                }
            }
        } catch {
            await database.close()
            throw error
        }
        return database
    }

    /// Waits for running and waiting accesses to end, and closes all connections. Later accesses and all observers throw
    /// `.closed`; closing again only waits for the end.
    public func close() async {
        await withCheckedContinuation { continuation in
            close(completion: { continuation.resume() })
        }
    }

    private func close(completion: @escaping @Sendable () -> Void) {
        pool.close { [listener, idle, hub, pool] in
            hub.closed(with: pool)
            idle.removeAll()
            listener.close(completion: completion)
        }
    }

    package var waitingAccessCount: Int { pool.waiterCount }
}

extension Database {
    /// Runs `body` on one consistent state of the database: the state at its first statement, regardless of
    /// concurrent writes.
    ///
    /// Accesses wait for a connection in order of arrival. A read sees every write on the same server that returned
    /// before it began. `body` runs on a thread of the database. It runs again, up to `configuration.retryCount`
    /// times, if the server reports a serialization failure, as a standby does when the read delays its
    /// replication.
    ///
    /// - Throws: The errors of `body`. `CancellationError` if the task is cancelled before `body` has ended.
    ///   `.leaseTimeout` if no connection becomes free in time, `.tooManyConnections` if that is because the server
    ///   has no more, and `.cannotConnect`. `.statementTimeout` when the time of a statement or of the access is
    ///   over. `.reentrantAccess` within another access to the same database. `.closed` after `close`.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkNoAccess()
        return try await pool.run(isolation: #isolation, transaction(.repeatableRead, isReadOnly: true, body))
    }

    /// Runs `body` in a transaction. The transaction is committed when `body` returns, and rolled back when it
    /// throws.
    ///
    /// `body` runs on a thread of the database. After a serialization failure or a deadlock, which other
    /// transactions cause, it runs again, up to `configuration.retryCount` times, even if it has thrown another
    /// error in place of that one: it must not change anything but the database.
    ///
    /// - Parameters:
    ///   - isolation: How the transaction is isolated from others; by default as configured.
    ///   - body: Reads and writes.
    /// - Throws: The errors of `body`, and those of ``read(_:)``. `.connectionLost` if the connection is lost
    ///   before the commit, and `.commitUnknown` during it. `CancellationError` if the task is cancelled before the
    ///   commit; once the commit has begun, cancellation has no effect. `.transactionAborted` if an error that
    ///   `body` did not rethrow has aborted the transaction.
    @discardableResult
    public func write<Value: Sendable>(
        isolation: Isolation? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkNoAccess()
        let isolation = isolation ?? configuration.isolation
        return try await pool.run(isolation: #isolation, transaction(isolation, isReadOnly: false, body))
    }

    /// Runs `body` once, without a transaction: for single statements, which then take one round trip instead of
    /// two, and for those that the server does not allow in a transaction, such as `VACUUM`. Each statement commits
    /// on its own; `transaction` groups several of them. Only transactions announce topics.
    ///
    /// - Throws: The errors of `body`, and those of ``read(_:)``. `.misuse` if `body` leaves a transaction open,
    ///   which is then rolled back.
    @discardableResult
    public func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkNoAccess()
        let deadline = Deadline(after: configuration.accessTimeout)
        return try await pool.run(isolation: #isolation) { [hub] pooled in
            let slot = Slot.of(pooled)
            return try slot.access {
                let connection = try slot.connection(until: deadline)
                return try CurrentAccess.enter(hub) { try body(connection) }
            }
        }
    }

    /// Runs a `read` where `await` is not possible, for example in a callback of another library.
    ///
    /// The calling thread is blocked until the read has ended; do not call this on the main thread. Cancellation
    /// has no effect.
    ///
    /// - Throws: The errors of ``read(_:)``, except `CancellationError`.
    @available(*, noasync, message: "await the read instead")
    public func blockingRead<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) throws -> Value {
        try checkNoAccess()
        return try pool.runBlocking(transaction(.repeatableRead, isReadOnly: true, body))
    }

    /// Runs a `write` where `await` is not possible, for example in a callback of another library.
    ///
    /// The calling thread is blocked until the write has ended; do not call this on the main thread. Cancellation
    /// has no effect.
    ///
    /// - Throws: The errors of ``write(isolation:_:)``, except `CancellationError`.
    @discardableResult
    @available(*, noasync, message: "await the write instead")
    public func blockingWrite<Value: Sendable>(
        isolation: Isolation? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) throws -> Value {
        try checkNoAccess()
        return try pool.runBlocking(transaction(isolation ?? configuration.isolation, isReadOnly: false, body))
    }

    /// Returns an access that runs `body` in a transaction, and again after a failure that a retry can resolve. Its
    /// time begins now.
    func transaction<Value>(
        _ isolation: Isolation, isReadOnly: Bool, _ body: @escaping @Sendable (Connection) throws -> Value
    ) -> @Sendable (any PooledConnection) throws -> Value {
        let (retryCount, connectionCount) = (configuration.retryCount, configuration.connectionCount)
        let deadline = Deadline(after: configuration.accessTimeout)
        return { [hub] pooled in
            let slot = Slot.of(pooled)
            return try slot.access {
                try CurrentAccess.enter(hub) {
                    var attempt = 0
                    var lostCount = 0
                    while true {
                        let connection = try slot.begin(isolation, isReadOnly: isReadOnly, until: deadline)
                        do {
                            return try connection.finishTransaction { try body(connection) }
                        } catch {
                            if error is CancellationError { throw error }
                            // The server has begun no transaction on the lost connection, so a new one can replace
                            // it, which may have been idle and be lost as well.
                            if connection.wasLostBeforeBegin, lostCount < connectionCount,
                                !connection.accessDeadline.hasPassed
                            {
                                lostCount += 1
                                continue
                            }
                            guard attempt < retryCount, connection.mustRetry,
                                !connection.accessDeadline.hasPassed
                            else { throw error }
                        }
                        attempt += 1
                        slot.waitForRetry(attempt)
                        if slot.interruption.isRequested { throw CancellationError() }
                    }
                }
            }
        }
    }
}

extension Slot {
    /// Begins a transaction. If deallocating stale statements shows that the connection is lost, opens another.
    fileprivate func begin(
        _ isolation: Database.Isolation, isReadOnly: Bool, until end: Deadline
    ) throws -> Connection {
        let first = try connection(until: end)
        do {
            try first.begin(isolation, isReadOnly: isReadOnly)
            return first
        } catch let error as PostgreSQLError where first.isLost && error.code == .connectionLost {
            let second = try connection(until: end)
            try second.begin(isolation, isReadOnly: isReadOnly)
            return second
        }
    }

    /// Sleeps for a random time before a transaction runs again, so that the same transactions do not collide
    /// again. The upper bound doubles with each attempt, from 2 to 64 milliseconds.
    fileprivate func waitForRetry(_ attempt: Int) {
        let longest = 1000 << min(attempt, 6)
        interruption.sleep(for: .microseconds(Int.random(in: 0..<longest)))
    }
}

extension Connection {
    func reportIfSlow(_ sql: String, since start: Int) {
        configuration.slowStatements?.statementEnded(sql, after: .nanoseconds(MonotonicClock.now() - start))
    }
}
#endif
