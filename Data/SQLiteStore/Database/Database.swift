internal import CSQLite
package import DatabaseAccess

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
    /// Where the database is stored.
    public let location: Location
    /// The configuration with which the database was opened.
    public let configuration: Configuration
    let writer: ConnectionPool
    let readers: ConnectionPool
    /// Threads without connections.
    let workers: ConnectionPool
    let opener: ConnectionOpener
    package let hub: ObservationHub
    package let clock: AnyClock
    let externalChangeMonitor: ExternalChangeMonitor?

    private init(location: Location, opener: ConnectionOpener) {
        let (configuration, hub) = (opener.configuration, ObservationHub())
        (self.location, self.configuration, self.opener, self.hub) = (location, configuration, opener, hub)
        let externalChangeMonitor =
            opener.isShareable
            ? configuration.externalChangeInterval.map { interval in
                ExternalChangeMonitor(
                    interval: interval, fileIdentity: opener.fileIdentity, open: { try opener.open(.reader) }
                ) { hub.committed(.everything) }
            } : nil
        let runsInline = configuration.execution == .inline
        writer = ConnectionPool(
            connections: 1, runsInline: runsInline, spinPause: csqlite_pause, error: Connection.error(for:)
        ) {
            let connection = try opener.open(.writer)
            connection.externalChangeMonitor = externalChangeMonitor
            return connection
        }
        readers =
            opener.isShareable
            ? ConnectionPool(
                connections: configuration.readerCount, runsInline: runsInline, isPrioritized: true,
                spinPause: csqlite_pause, error: Connection.error(for:)
            ) {
                try opener.open(.reader)
            }
            : writer
        workers = ConnectionPool(
            connections: configuration.readerCount, runsInline: runsInline, isPrioritized: true,
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
    /// - Throws: ``SQLiteError``, such as `.notADatabase` and `.cannotOpen`; `.databaseIsNewer` and
    ///   `.migrationChanged`, which leave the file unchanged; the errors of a migration, after which the preceding
    ///   migrations are kept; `CancellationError` if the task is cancelled before the last migration is committed.
    public static func open(
        _ location: Location, configuration: Configuration = Configuration(), migrations: [Migration] = []
    ) async throws -> Database {
        let opener = try ConnectionOpener(location: location, configuration: configuration)
        let database = Database(location: location, opener: opener)
        try await database.writer.run(isolation: #isolation) { connection in
            let connection = Connection.of(connection)
            let migrator = Migrator(migrations: migrations)
            let pending = try migrator.check(connection)
            try opener.prepareFile(connection, isNew: pending.startIndex > 0 ? false : nil)
            if !configuration.isReadOnly, !pending.isEmpty { try migrator.migrate(connection) }
            try connection.checkFiles()
        }
        return database
    }

    /// Waits for running and waiting accesses to end, and closes all connections. Later accesses throw `.closed`;
    /// closing again only waits for the end.
    ///
    /// ```swift
    /// await database.close()
    /// try await database.read { _ in }    // throws SQLiteError with the code .closed
    /// ```
    public func close() async {
        await withCheckedContinuation { continuation in
            close(completion: { continuation.resume() })
        }
    }

    /// The readers close first: the last connection to close cleans up the write-ahead log, which a reader could not.
    private func close(completion: @escaping @Sendable () -> Void) {
        let closeWriter = { @Sendable [writer, workers] in writer.close { workers.close(completion: completion) } }
        guard readers !== writer else { return closeWriter() }
        readers.close { [externalChangeMonitor] in
            if let externalChangeMonitor { externalChangeMonitor.close(completion: closeWriter) } else { closeWriter() }
        }
    }

    var isClosed: Bool { writer.isClosed || readers.isClosed }

    /// The number of reads that wait for a connection.
    package var waitingReadCount: Int { readers.waiterCount }

    /// The number of accesses that wait for the writer connection.
    package var waitingWriteCount: Int { writer.waiterCount }
}
