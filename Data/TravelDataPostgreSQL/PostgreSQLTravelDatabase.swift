#if PostgreSQL
    public import PostgreSQLStore
    import TravelDomain

    /// A travel database on a PostgreSQL server, with the repository that uses it.
    ///
    /// ```swift
    /// let database = try await PostgreSQLTravelDatabase.open(.url("postgresql://localhost/travel"))
    /// let search = SearchTravels(travels: database.travels, session: session)
    /// ```
    ///
    /// Any number of processes can open the same database. It holds what all devices share: travels, people, images,
    /// reports and blocks. What belongs to one device, such as its session, is stored elsewhere.
    public struct PostgreSQLTravelDatabase: Sendable {
        /// The repository of travels, people, images, reports and blocks.
        public let travels: PostgreSQLTravelRepository
        let database: Database

        /// Connects to the server, and migrates the schema.
        ///
        /// - Throws: `TravelError.unavailable` when the server cannot be reached within the connect timeout, or when
        ///   the schema was written by a newer version of this library; `CancellationError`.
        public static func open(
            _ location: Database.Location, configuration: Database.Configuration = Database.Configuration()
        ) async throws -> PostgreSQLTravelDatabase {
            let configuration = configuration.with { configuration in
                configuration.prepare = { [prepare = configuration.prepare] db in
                    // Each search reads few rows: starting workers or compiling takes longer than the search, and most
                    // pages that it reads are in memory. Behind a pooler the settings would be those of other clients.
                    if !db.isPooled {
                        try db.executeScript(
                            "SET max_parallel_workers_per_gather = 0; SET jit = off; SET random_page_cost = 1.1")
                    }
                    try prepare?(db)
                }
            }
            let database = try await mappingErrors {
                try await Database.open(location, configuration: configuration, migrations: TravelSchema.migrations)
            }
            return PostgreSQLTravelDatabase(travels: PostgreSQLTravelRepository(database), database: database)
        }

        /// Waits for running accesses to end, and closes the connections. Later calls throw `TravelError.unavailable`.
        public func close() async {
            await database.close()
        }
    }
#endif
