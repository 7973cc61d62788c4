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
        /// Where the server is.
        public let location: Location
        /// The configuration with which the database was opened.
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
            try await database.pool.run(isolation: #isolation) { pooled in
                let slot = Slot.of(pooled)
                try slot.access {
                    let connection = try slot.connection(until: deadline)
                    try CurrentAccess.enter(hub) { try Migrator(migrations: migrations).migrate(connection) }
                }
            }
            return database
        }

        /// Waits for running and waiting accesses to end, and closes all connections. Later accesses throw `.closed`;
        /// closing again only waits for the end.
        public func close() async {
            await withCheckedContinuation { continuation in
                close(completion: { continuation.resume() })
            }
        }

        private func close(completion: @escaping @Sendable () -> Void) {
            pool.close { [listener, idle] in
                idle.removeAll()
                listener.close(completion: completion)
            }
        }

        /// The number of accesses that wait for a connection.
        package var waitingAccessCount: Int { pool.waiterCount }
    }
#endif
