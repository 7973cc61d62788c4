internal import CSQLite
package import DatabaseAccess
internal import Synchronization

/// A SQLite database with one connection for writes and several for concurrent reads.
///
/// ```swift
/// let database = try await Database.open(.file(path), migrations: migrations)
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
    let writer: ConnectionPool
    let readers: ConnectionPool
    let workers: ConnectionPool
    let opener: ConnectionOpener
    package let hub: ObservationHub
    let rowChangeHub: RowChangeHub
    package let clock: AnyClock
    let externalChangeMonitor: ExternalChangeMonitor?
    private let commits = Mutex(Commits())

    /// `@unchecked Sendable`: `counters` is used under the lock of `commits`, and before and after that by one thread.
    private struct Commits: @unchecked Sendable {
        var counters: CommitCounters?
        var isClosed = false
    }

    private init(location: Location, opener: ConnectionOpener) {
        let (configuration, hub, rowChangeHub) = (opener.configuration, ObservationHub(), RowChangeHub())
        (self.location, self.configuration, self.opener) = (location, configuration, opener)
        (self.hub, self.rowChangeHub) = (hub, rowChangeHub)
        let externalChangeMonitor =
            opener.isShareable
            ? configuration.externalChangeInterval.map { interval in
                ExternalChangeMonitor(
                    interval: interval, fileIdentity: opener.fileIdentity, open: { try opener.open(.reader) }
                ) {
                    hub.committed(.everything)
                    rowChangeHub.publishUnknown()
                }
            } : nil
        let execution = configuration.execution
        func pool(
            _ connections: Int, isPrioritized: Bool = false, afterAccess: (@Sendable () -> Void)? = nil,
            open: @escaping @Sendable (_ mayWait: Bool) throws -> any PooledConnection
        ) -> ConnectionPool {
            // What the app does before the first read, such as deriving a key, may take long.
            let openQuickly: (@Sendable () throws -> any PooledConnection)? =
                if configuration.beforeFirstRead == nil { { try open(false) } } else { nil }
            return ConnectionPool(
                connections: connections, execution: execution, isPrioritized: isPrioritized,
                error: Connection.error(for:), openQuickly: openQuickly, afterAccess: afterAccess
            ) { try open(true) }
        }
        let reads = opener.isShareable ? PausableReads() : nil
        let writer = pool(1, afterAccess: { hub.wakeObservers() }) { mayWait in
            let connection = try opener.open(.writer, mayWait: mayWait)
            connection.externalChangeMonitor = externalChangeMonitor
            connection.rowChangeHub = rowChangeHub
            connection.checkpoints.reads = reads
            return connection
        }
        self.writer = writer
        readers =
            opener.isShareable
            ? pool(configuration.readerCount, isPrioritized: true) { mayWait in
                let opened = writer.takeIdleConnection { Connection.of($0).isFresh }
                return try opened.map { try Connection.of($0).becomingReader() }
                    ?? opener.open(.reader, mayWait: mayWait)
            }
            : writer
        reads?.set(readers)
        workers = ConnectionPool(
            connections: configuration.readerCount, execution: execution, isPrioritized: true,
            error: Connection.error(for:)
        ) { NoConnection() }
        clock = AnyClock(configuration.clock)
        self.externalChangeMonitor = externalChangeMonitor
    }

    deinit {
        close(completion: {})
    }

    /// Opens the database, creates the file if it does not exist, and runs pending migrations.
    ///
    /// ```swift
    /// let migrations = [
    ///     Migration("cities", script: "CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    /// ]
    /// let database = try await Database.open(.file("cities.db"), migrations: migrations)
    /// ```
    ///
    /// With `configuration.execution` adaptive, a file without pending migrations and without a log is opened on the
    /// caller's thread.
    ///
    /// - Throws: ``SQLiteError``, such as `.notADatabase` and `.cannotOpen`; `.databaseIsNewer` and
    ///   `.migrationChanged`, which leave the file unchanged; the errors of a migration, after which the preceding
    ///   migrations are kept; `CancellationError` if the task is cancelled before the last migration is committed.
    public static func open(
        _ location: Location, configuration: Configuration = Configuration(), migrations: [Migration] = []
    ) async throws -> Database {
        let opener = try ConnectionOpener(location: location, configuration: configuration)
        let database = Database(location: location, opener: opener)
        do {
            try await database.writer.run(isolation: #isolation, isShort: opener.opensQuickly) { connection in
                let erases = configuration.erasesOnMigrationChange && !configuration.isReadOnly
                try opener.prepare(
                    Connection.of(connection), Migrator(migrations: migrations, erasesOnChange: erases))
            }
        } catch {
            // The caller may delete or replace the file at once: nothing of it stays open.
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

    /// The readers close first: the last connection to close cleans up the write-ahead log, which a reader could not.
    private func close(completion: @escaping @Sendable () -> Void) {
        let closeWriter = { @Sendable [writer, workers, hub, rowChangeHub] in
            writer.close {
                hub.closed(with: writer)
                rowChangeHub.close(Connection.error(for: .closed))
                workers.close(completion: completion)
            }
        }
        // After the pools reject accesses.
        defer { opener.suspension.close() }
        guard readers !== writer else { return closeWriter() }
        closeCounters(forever: true)
        readers.close { [externalChangeMonitor] in
            if let externalChangeMonitor { externalChangeMonitor.close(completion: closeWriter) } else { closeWriter() }
        }
    }

    /// Closes the connection of the counters.
    func closeCounters(forever: Bool = false) {
        // Released outside of the lock.
        _ = commits.withLock { commits in
            defer { commits = Commits(isClosed: commits.isClosed || forever) }
            return commits
        }
    }

    /// Returns a number that is another one after each commit to the file, by any connection of any process; `nil` for a
    /// database without a file or for this process alone, after `close`, and while the file cannot be read.
    ///
    /// After the first call, which opens a connection, this reads memory that SQLite shares between processes, and waits
    /// for nothing.
    package func commitCount() -> UInt64? {
        guard opener.isShareable else { return nil }
        if commits.withLock({ $0.counters == nil && !$0.isClosed }) {
            guard opener.suspension.beginOpening() else { return nil }
            openCounters()
            // Those that are not stored have closed.
            opener.suspension.endOpening()
        }
        return commits.withLock { $0.counters?.read()?.reduce(0, &+) }
    }

    private func openCounters() {
        // If the connection cannot be opened, the next call tries again.
        guard let counters = try? CommitCounters(opener.open(.reader)) else { return }
        let new = Commits(counters: counters)
        commits.withLock { commits in
            if commits.counters == nil, !commits.isClosed, !opener.suspension.isRequested { commits = new }
        }
    }

    package var waitingReadCount: Int { readers.waiterCount }

    package var waitingWriteCount: Int { writer.waiterCount }
}

extension Database {
    /// Runs `body` on one consistent state of the database: the state at its first statement, regardless of concurrent
    /// writes.
    ///
    /// Several reads run concurrently with each other and with a write. A read sees every write that returned before it
    /// began. `body` runs once, where `configuration.execution` specifies.
    ///
    /// If all connections are in use, reads wait in order of task priority. A read that has waited a second longer
    /// overtakes one of the next higher priority. Low-priority reads leave one connection free for others.
    ///
    /// ```swift
    /// let names = try await database.read { db in
    ///     try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
    /// }
    /// ```
    ///
    /// - Throws: The errors of `body`. `CancellationError` if the task is cancelled before `body` has ended.
    ///   `.reentrantAccess` within another access to the same database. `.closed` after `close`. `.suspended` after
    ///   ``suspend()``, and if that interrupts `body`. `.misuse` if `body` leaves a statement running through the
    ///   connection's handle.
    public func read<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkNoAccess()
        return try await readers.run(isolation: #isolation, at: site(fileID, line)) { [hub] db in
            try Self.read(db, hub, body)
        }
    }

    /// Runs `body` in a transaction, exclusively among all writes. The transaction is committed when `body` returns,
    /// and rolled back when it throws.
    ///
    /// Writes run in the order in which they were requested. `body` runs once, where `configuration.execution`
    /// specifies; a failed write is not retried.
    ///
    /// ```swift
    /// try await database.write { db in
    ///     try db.execute("UPDATE accounts SET balance = balance - 5 WHERE id = \(payer)")
    ///     try db.execute("UPDATE accounts SET balance = balance + 5 WHERE id = \(payee)")
    /// }    // both, or neither if one throws
    /// ```
    ///
    /// - Throws: The errors of `body`. `.busy` if another process writes for longer than the busy timeout. Errors of
    ///   the commit, such as `.full`; all changes are then rolled back. `CancellationError` if the task is cancelled
    ///   before the commit; once the commit has begun, cancellation has no effect. `.misuse` if an error that `body`
    ///   did not rethrow has rolled the transaction back, or if the transaction was ended through the connection's
    ///   handle. `.reentrantAccess`, `.closed` and `.suspended` as for `read`. `.readOnly` if the database was opened for
    ///   reading only.
    @discardableResult
    public func write<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkWriting()
        return try await writer.run(isolation: #isolation, at: site(fileID, line)) { [hub, writer] db in
            try Self.write(db, hub, writer, body)
        }
    }

    /// Runs `body` on the writer connection without a transaction, for statements that SQLite does not allow in one,
    /// such as `VACUUM` and some pragmas. Each statement commits on its own; `transaction` groups several of them.
    /// Settings of the connection that `body` changes, such as `foreign_keys` and `synchronous`, are restored after it.
    ///
    /// ```swift
    /// try await database.writeWithoutTransaction { db in try db.execute("PRAGMA optimize") }
    /// ```
    ///
    /// - Throws: The errors of `body`, and those of `write`. `.misuse` if `body` leaves a transaction open, which is
    ///   then rolled back. Earlier commits persist. Cancellation takes effect until `body` has ended; a cancellation
    ///   during a commit takes effect after it.
    @discardableResult
    public func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkWriting()
        return try await writer.run(isolation: #isolation) { [hub, writer] db in
            try Self.runOnWriter(db, hub, writer) { db in try db.checkedAccess { try body(db) } }
        }
    }

    /// Runs blocking work that belongs to an access, such as writing and syncing files, without a connection.
    ///
    /// `body` runs once, where `configuration.execution` specifies: by default on one of up to `readerCount` threads
    /// that serve only this, so that neither accesses nor the caller's threads wait for it.
    ///
    /// ```swift
    /// try await database.offload { try image.write(to: file) }
    /// try await database.write { db in try db.execute("INSERT INTO images (file) VALUES (\(file.path))") }
    /// ```
    ///
    /// - Throws: The errors of `body`; `CancellationError` if the task is cancelled before `body` begins, and no later;
    ///   `.closed` after `close`, which waits for running work.
    public func offload<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await workers.run(isolation: #isolation) { _ in try body() }
    }

    /// Runs a `read` where `await` is not possible, for example in a callback of another library.
    ///
    /// `body` runs on the calling thread, regardless of `configuration.execution`. The thread is blocked while all
    /// reader connections are in use, and while SQLite reads from disk; do not call this on the main thread.
    /// Cancellation has no effect.
    ///
    /// ```swift
    /// let count = try database.blockingRead { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") }
    /// ```
    ///
    /// - Throws: The errors of `body`; `.reentrantAccess` within another access to the same database, which would
    ///   otherwise deadlock; `.closed` after `close`; `.suspended` as for `read`.
    @available(*, noasync, message: "await the read instead")
    public func blockingRead<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try checkNoAccess()
        return try readers.runBlocking { db in try Self.read(db, hub, body) }
    }

    /// Runs a `write` where `await` is not possible, for example in a callback of another library.
    ///
    /// `body` runs on the calling thread, regardless of `configuration.execution`. The thread is blocked until all
    /// earlier writes have ended, and while SQLite accesses the disk; do not call this on the main thread. Cancellation
    /// has no effect.
    ///
    /// ```swift
    /// try database.blockingWrite { db in try db.execute("DELETE FROM drafts") }
    /// ```
    ///
    /// - Throws: The errors of `body`; `.busy` and errors of the commit, as for `write`; `.reentrantAccess` within
    ///   another access to the same database, which would otherwise deadlock; `.closed`, `.suspended` and `.readOnly` as
    ///   for `write`.
    @discardableResult
    @available(*, noasync, message: "await the write instead")
    public func blockingWrite<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try checkWriting()
        return try writer.runBlocking { db in try Self.write(db, hub, writer, body) }
    }

    /// Returns a read that also records the region that it reads, for observers.
    func observedRead<Value>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) -> @Sendable (any PooledConnection) throws -> Fetched<Value> {
        { [hub, externalChangeMonitor] db in
            externalChangeMonitor?.willFetch()
            return try Self.read(db, hub) { db in try db.recordingReads { try body(db) } }
        }
    }

    /// A read of an observation that no observer waits for: it determines no region.
    func unobservedRead<Value>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) -> @Sendable (any PooledConnection) throws -> Value {
        { [hub] db in try Self.read(db, hub, body) }
    }

    /// Whether accesses may run on the caller's thread. With a rollback journal, reads and writes block each other, and an
    /// access could wait for a lock at any statement.
    package var hasShortAccesses: Bool {
        configuration.execution == .adaptive && (!opener.isShareable || opener.fileIdentity.hasLog)
    }

    private func site(_ fileID: StaticString, _ line: UInt) -> AccessSite? {
        hasShortAccesses ? AccessSite(fileID, line) : nil
    }

    func checkWriting() throws {
        if configuration.isReadOnly { throw SQLiteError(.readOnly, "the database was opened for reading only") }
        try checkNoAccess()
    }

    private static func read<Value>(
        _ db: any PooledConnection, _ hub: ObservationHub, _ body: (Connection) throws -> Value
    ) throws -> Value {
        let db = Connection.of(db)
        db.isWritable = false
        return try CurrentAccess.enter(hub) {
            try db.rollingBackLeftovers {
                try db.checkedTransaction(begin: .beginDeferred) { try body(db) }
            }
        }
    }

    private static func write<Value>(
        _ db: any PooledConnection, _ hub: ObservationHub, _ writer: ConnectionPool,
        _ body: (Connection) throws -> Value
    ) throws -> Value {
        try runOnWriter(db, hub, writer) { db in
            try db.checkedTransaction(begin: .beginImmediate) { try body(db) }
        }
    }

    /// Notifies observers even if `body` throws: without a transaction, its earlier changes are committed.
    static func runOnWriter<Value>(
        _ db: any PooledConnection, _ hub: ObservationHub, _ writer: ConnectionPool,
        _ body: (Connection) throws -> Value
    ) throws -> Value {
        let db = Connection.of(db)
        (db.isWritable, db.isFresh) = (true, false)
        try db.checkpoints.attach(to: db)
        try db.updateRowLog()
        _ = db.changes.take()
        _ = db.recorder.take()
        defer {
            // Of statements that were compiled through the handle.
            if db.recorder.hasRecords { db.recordReadWriteSet(db.recorder.take()) }
            // In the order of the commits. The observers are woken when the connection is free.
            let region = db.changes.take()
            hub.mark(region)
            db.publishRowChanges(region)
            if db.checkpoints.isDue { startCheckpoint(db, hub, writer) }
        }
        return try CurrentAccess.enter(hub) { try db.rollingBackLeftovers { try body(db) } }
    }

    /// Moves the pages of the log into the file, as the next access of the writer's thread.
    private static func startCheckpoint(_ db: Connection, _ hub: ObservationHub, _ writer: ConnectionPool) {
        guard let request = db.checkpoints.begin() else { return }
        _ = writer.start { [weak writer] db in
            let db = Connection.of(db)
            let checkpoint = db.checkpoints.end()
            guard let writer else { return }
            try Self.runOnWriter(db, hub, writer) { db in try db.checkedAccess { db.run(checkpoint) } }
        } completion: { result in
            // A closed database has moved its pages. Without a thread, the next commit requests the checkpoint again.
            if case .failure = result { request.end() }
        }
    }
}
