#if PostgreSQL
public import PostgreSQLStore
internal import TravelDataShared
import TravelDomain
internal import TravelSamples

/// A travel database on a PostgreSQL server, with the repository that uses it.
///
/// ```swift
/// let database = try await PostgreSQLTravelDatabase.open(.url("postgresql://localhost/travel"))
/// let search = SearchTrips(trips: database.trips, session: session)
/// ```
///
/// Any number of processes can open the same database. It holds what all devices share: trips, people, images,
/// reports and blocks. What belongs to one device, such as its session, is stored elsewhere.
public struct PostgreSQLTravelDatabase: Sendable {
    /// The repository of trips, people, images, reports and blocks.
    public let trips: PostgreSQLTripRepository
    /// The accounts of people who sign in to a server that uses the database, and their devices.
    public var accounts: PostgreSQLAccountRepository { PostgreSQLAccountRepository(database) }
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
        return PostgreSQLTravelDatabase(trips: PostgreSQLTripRepository(database), database: database)
    }

    /// Waits for running accesses to end, and closes the connections. Later calls throw `TravelError.unavailable`.
    public func close() async {
        await database.close()
    }
}

extension PostgreSQLTravelDatabase {
    /// Fills the database with `count` generated trips, their timelines and likes: those of `GeneratedTrips` in
    /// `TravelSamples`. The result depends only on `seed` and `count`.
    ///
    /// Everything is one transaction: when it throws, its task is cancelled, or the process ends, nothing is
    /// stored. Others wait to write meanwhile. If the database has fewer trips than are added, its indexes are
    /// made anew, and others wait to read, too.
    ///
    /// A generated user whose nickname is taken gets a different one, so that nicknames stay unique.
    ///
    /// - Parameters:
    ///   - count: The number of trips.
    ///   - seed: The seed of the generator.
    ///   - entriesPerTrip: The number of entries of each trip; by default, none to two.
    ///   - progress: Called on a thread of the database after every 1,000 trips, and after the last, with the
    ///     number of trips so far.
    /// - Throws: `TravelError.conflict` when the trips of that seed already exist; `TravelError.unavailable` when
    ///   the server cannot answer; `CancellationError`.
    public func seed(
        count: Int, seed: UInt64, entriesPerTrip: Int? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
        try await trips.database.writeLong { db in
            var source = try GeneratedTrips(seed: seed, forCount: count, entriesPerTrip: entriesPerTrip)
            let users = try save(source, db)
            let existing = try db.fetchOne(Int.self, "SELECT count(*) FROM trip") ?? 0
            try db.withoutIndexes(existing < count) {
                for first in stride(from: 0, to: count, by: 1_000) {
                    let end = min(first + 1_000, count)
                    let batch = try source.next(end - first)
                    try TripRecord.load(
                        batch.map(\.trip), likedBy: batch.map { trip in trip.likedBy.map { users[$0] } }, db)
                    progress(end)
                }
            }
            // Otherwise searches would be planned for an empty database, until the server gets to it.
            try db.execute("ANALYZE app_user, trip, trip_rank, liked, entry")
        }
    }

    /// Inserts the people who do not exist yet, and returns the IDs of all.
    private func save(_ source: GeneratedTrips, _ db: Connection) throws -> [User.ID] {
        try source.users.enumerated().map { index, user in
            if try UserRecord.find(user.id, db) != nil { return user.id }
            func isFree(_ nickname: Nickname) throws -> Bool {
                try UserRecord.holder(of: nickname, except: user.id, db) == nil
            }
            let nickname =
                try isFree(user.nickname)
                ? user.nickname : source.nicknames(forUserAt: index).first { try isFree($0) }
            guard let nickname else { throw TravelError.conflict(.user(user.id)) }
            try UserRecord.save(User(id: user.id, nickname: nickname), db)
            return user.id
        }
    }
}

extension Connection {
    /// Runs `body` without the indexes of trips if `isWithout`, and makes them again: creating an index at the
    /// end, by sorting, takes a fraction of the time of inserting each row.
    fileprivate func withoutIndexes(_ isWithout: Bool, _ body: () throws -> Void) throws {
        guard isWithout else { return try body() }
        // Those of constraints stay.
        let indexes = try fetchAll(
            """
            SELECT quote_ident(indexname), indexdef FROM pg_catalog.pg_indexes
            WHERE schemaname = current_schema() AND tablename IN ('trip', 'trip_rank', 'liked', 'entry')
                AND NOT EXISTS (
                    SELECT FROM pg_catalog.pg_constraint
                    WHERE conindid = format('%I.%I', schemaname, indexname)::regclass)
            """
        ) { row in try row.read { (name: try $0.next() as String, definition: try $0.next() as String) } }
        for index in indexes { try executeScript("DROP INDEX \(index.name)") }
        try body()
        try withStatementTimeout(nil) {
            for index in indexes { try executeScript(index.definition) }
        }
    }
}
#endif
