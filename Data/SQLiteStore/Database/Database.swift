/// A SQLite database: one connection that writes, and several that read at the same time.
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
/// All connections close when the last reference goes, or at `close`.
public final class Database: Sendable {
    /// Where the database is.
    public let location: Location
    /// How it was opened.
    public let configuration: Configuration
    let writer: ConnectionPool
    let readers: ConnectionPool
    let opener: ConnectionOpener
    let hub: ObservationHub
    let clock: AnyClock
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
        writer = ConnectionPool(execution: configuration.execution, connections: 1) {
            let connection = try opener.open(.writer)
            connection.externalChangeMonitor = externalChangeMonitor
            return connection
        }
        readers =
            opener.isShareable
            ? ConnectionPool(
                execution: configuration.execution, connections: configuration.readerCount, isPrioritized: true
            ) {
                try opener.open(.reader)
            }
            : writer
        clock = AnyClock(configuration.clock)
        self.externalChangeMonitor = externalChangeMonitor
    }

    deinit {
        close(completion: {})
    }

    /// Opens the database, creating the file if there is none, and brings its schema up to date.
    ///
    /// - Throws: `SQLiteError`, among them `.notADatabase`, `.cannotOpen`, and, with the file untouched,
    ///   `.databaseIsNewer` and `.migrationChanged`; what a migration throws, with those before it kept;
    ///   `CancellationError` if the task is cancelled before the last migration is committed.
    public static func open(
        _ location: Location, configuration: Configuration = Configuration(), migrations: [Migration] = []
    ) async throws -> Database {
        let opener = try ConnectionOpener(location: location, configuration: configuration)
        let database = Database(location: location, opener: opener)
        try await database.writer.run(isolation: #isolation) { connection in
            let migrator = Migrator(migrations: migrations)
            try migrator.check(connection)
            try opener.prepareFile(connection)
            if !configuration.isReadOnly { try migrator.migrate(connection) }
        }
        return database
    }

    /// Lets the accesses under way and those waiting end, and closes every connection. Accesses begun afterwards throw
    /// `.closed`; closing again only waits for the end.
    public func close() async {
        await withCheckedContinuation { continuation in
            close(completion: { continuation.resume() })
        }
    }

    /// The readers close first: the last connection to close tidies the write-ahead log, and a reader could not.
    private func close(completion: @escaping @Sendable () -> Void) {
        guard readers !== writer else { return writer.close(completion: completion) }
        readers.close { [writer, externalChangeMonitor] in
            let closeWriter = { @Sendable in writer.close(completion: completion) }
            if let externalChangeMonitor { externalChangeMonitor.close(completion: closeWriter) } else { closeWriter() }
        }
    }

    var isClosed: Bool { writer.isClosed || readers.isClosed }

    /// How many reads wait for a connection.
    package var waitingReadCount: Int { readers.waiterCount }

    /// How many accesses wait for the connection that writes.
    package var waitingWriteCount: Int { writer.waiterCount }

    static var closedError: SQLiteError {
        SQLiteError(.closed, "the database has been closed")
    }
}
