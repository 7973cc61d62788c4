#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import TravelDataPostgreSQL
import TravelDomain

extension TravelBenchmarks {
    /// Calls `body` with an empty schema of a server, which the process starts, or which `TRAVELINE_POSTGRESQL`
    /// names.
    ///
    /// With `TRAVEL_SCHEMA=name` that schema of the named server is used, and kept: trips are seeded into it
    /// once. This is for shapes of pages and keywords, which write no more than the visitor.
    static func withServer(_ body: (PostgreSQLStore.Database.Location) async throws -> Void) async throws {
        guard PostgreSQLServer.isAvailable else {
            print("no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL")
            return
        }
        guard let schema = ProcessInfo.processInfo.environment["TRAVEL_SCHEMA"] else {
            return try await withTemporarySchema(body)
        }
        let location = try await PostgreSQLServer.shared.location
        let database = try await PostgreSQLStore.Database.open(location)
        try await database.writeWithoutTransaction { db in
            try db.execute("CREATE SCHEMA IF NOT EXISTS \(identifier: schema)")
        }
        await database.close()
        try await body(location.inSchema(schema))
    }
}

extension TravelBenchmarks.World {
    static func postgresql(
        _ location: PostgreSQLStore.Database.Location, count: Int
    ) async throws -> TravelBenchmarks.World {
        let configuration = PostgreSQLStore.Database.Configuration().with { $0.statementTimeout = .seconds(3_600) }
        let database = try await PostgreSQLTravelDatabase.open(location, configuration: configuration)
        let everything = try TripQuery(TripCriteria(), viewer: nil, limit: 1)
        if try await database.trips.search(everything).trips.isEmpty {
            try await database.seed(count: count, seed: 7, entriesPerTrip: entriesPerTrip)
            try await hideSome(in: database.trips)
        }
        let tables = try await PostgreSQLStore.Database.open(location, configuration: configuration)
        // As the server does by itself after a while.
        try await tables.writeWithoutTransaction { db in
            try db.execute("VACUUM ANALYZE trip, trip_rank, liked, entry, app_user")
        }
        // Of the run before, in a schema that is kept.
        try await tables.writeWithoutTransaction { db in
            try db.execute("DELETE FROM app_user WHERE nickname = 'visitor'")
        }
        return try await TravelBenchmarks.World(
            column: "PostgreSQL", store: database.trips, count: count,
            giveTrips: { author in
                try await tables.write { db in
                    try db.execute(
                        """
                        UPDATE trip SET author = \(author.id.rawValue) WHERE id IN (
                            SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM trip) AS trips
                            WHERE number % greatest(1, (SELECT count(*) FROM trip) / 10000) = 0)
                        """)
                    try db.execute(
                        """
                        UPDATE trip_rank SET author = trip.author FROM trip
                        WHERE trip.id = trip_rank.trip AND trip.author = \(author.id.rawValue)
                        """)
                }
            },
            close: {
                await tables.close()
                await database.close()
            })
    }
}
#endif
