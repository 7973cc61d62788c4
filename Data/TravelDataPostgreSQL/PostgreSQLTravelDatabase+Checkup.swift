#if PostgreSQL
package import PostgreSQLStore
import TravelDataShared
import TravelDomain

extension PostgreSQLTravelDatabase {
    package struct Checkup: Sendable {
        /// The version of the server, such as `15.14`.
        package let serverVersion: String
        /// Whether the connection is encrypted; `nil` when the server does not say.
        package let isEncrypted: Bool?
        package let schemaVersion: Int
        /// The number of migrations that this library has.
        package var knownSchemaVersion: Int { TravelSchema.migrations.count }
        /// The statement by which the owner of the database lets the user create tables, which bring the schema up
        /// to date; `nil` when the user may already.
        package let missingGrant: String?
        /// How far the clock of the server is ahead of this device's, in seconds; the answer may have taken as
        /// long.
        package let clockDifference: Double
        package fileprivate(set) var trips = 0
        package fileprivate(set) var users = 0
        /// The number of images, those of people included.
        package fileprivate(set) var images = 0
        /// The number of images that a trip or an entry shows and the database does not have.
        package fileprivate(set) var missingImages = 0
        /// The number of trips whose stored counts or first image differ from the likes, reports and entries.
        package fileprivate(set) var wrongTrips = 0
        /// The number of trips that searches miss or misplace, because what is stored for searches does not
        /// follow from their content.
        package fileprivate(set) var misplacedTrips = 0

        /// Whether the content was read: only a database of the current schema can be.
        package var isCurrent: Bool { schemaVersion == knownSchemaVersion }
    }

    /// Opens a database without changing its schema.
    ///
    /// - Throws: `TravelError.unavailable` when the server cannot be reached, or the schema is not the current one;
    ///   `CancellationError`.
    package static func openUnchanged(
        _ location: Database.Location, configuration: Database.Configuration = Database.Configuration()
    ) async throws -> PostgreSQLTravelDatabase {
        let database = try await connect(to: location, configuration)
        guard try await schemaVersion(of: database) == TravelSchema.migrations.count else {
            await database.close()
            throw TravelError.unavailable(
                .init("The database on the travel server has another schema.", canRetry: false))
        }
        return PostgreSQLTravelDatabase(trips: PostgreSQLTripRepository(database), database: database)
    }

    /// Checks the server and the database. Reads all rows, but no bytes of images, and changes nothing.
    ///
    /// - Throws: `TravelError.unavailable` when the server cannot answer, or a stored value breaks a rule of the
    ///   domain; `CancellationError`.
    package static func checkup(
        _ location: Database.Location, configuration: Database.Configuration = Database.Configuration()
    ) async throws -> Checkup {
        let database = try await connect(to: location, configuration)
        return try await closing(database.close) {
            let version = try await schemaVersion(of: database)
            return try await database.readLong { db in try inspect(db, schemaVersion: version) }
        }
    }

    private static func connect(
        to location: Database.Location, _ configuration: Database.Configuration
    ) async throws -> Database {
        try await mappingErrors { try await Database.open(location, configuration: configuration) }
    }

    private static func schemaVersion(of database: Database) async throws -> Int {
        try await database.readTrips { db in
            let hasTable = try db.fetchOne(
                Bool.self, "SELECT to_regclass(quote_ident(current_schema()) || '.schema_migrations') IS NOT NULL")
            guard hasTable == true else { return 0 }
            return try db.fetchOne(Int.self, "SELECT count(*) FROM schema_migrations") ?? 0
        }
    }

    private static func inspect(_ db: Connection, schemaVersion: Int) throws -> Checkup {
        let version = try db.fetchOne(String.self, "SELECT current_setting('server_version')") ?? ""
        // Engines that are only compatible may lack the view, and the error would end the transaction.
        let hasView = try db.fetchOne(Bool.self, "SELECT to_regclass('pg_catalog.pg_stat_ssl') IS NOT NULL")
        let isEncrypted =
            hasView == true
            ? try db.fetchOne(Bool.self, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()") : nil
        let now =
            try db.fetchOne(
                Double.self, "SELECT extract(epoch FROM clock_timestamp())::double precision") ?? 0
        let clockDifference = now - Date().timeIntervalSince1970
        // Without the right to use the schema, there is no current one.
        let missingGrant = try db.fetchOne(
            String.self,
            """
            SELECT format('GRANT USAGE, CREATE ON SCHEMA %I TO %I', coalesce(current_schema(), 'public'), current_user)
            WHERE has_schema_privilege(current_schema(), 'CREATE') IS NOT TRUE
            """)
        var checkup = Checkup(
            serverVersion: version, isEncrypted: isEncrypted, schemaVersion: schemaVersion, missingGrant: missingGrant,
            clockDifference: clockDifference)
        guard checkup.isCurrent else { return checkup }
        func count(_ table: String) throws -> Int {
            try db.fetchOne(Int.self, "SELECT count(*) FROM \(identifier: table)") ?? 0
        }
        var misplaced = Set(try db.fetchAll(Trip.ID.self, misplacedRows))
        var batch: [Trip] = []
        var shown: [(trip: Trip.ID, image: TripImage.ID)] = []
        func checkBatch() throws {
            try misplaced.formUnion(SearchColumns.wrong(batch, db))
            let (trips, images) = (shown.map(\.trip), shown.map(\.image))
            checkup.missingImages += try db.fetchOne(Int.self, missingImages(trips, images)) ?? 0
            (batch, shown) = ([], [])
        }
        try StoreRecords.forEachTrip(db) { record, stored in
            checkup.trips += 1
            batch.append(record.trip)
            shown += stored.recorded.images.map { (record.trip.id, $0) }
            if batch.count == 1_000 { try checkBatch() }
            let isRight =
                stored.likeCount == stored.likedBy.count && record.reports == stored.reportCount
                && record.trip.thumbnail == stored.recorded.thumbnail
            checkup.wrongTrips += isRight ? 0 : 1
        }
        try checkBatch()
        checkup.misplacedTrips = misplaced.count
        checkup.users = try count("app_user")
        checkup.images = try count("image") + count("avatar")
        return checkup
    }

    /// The trips without a row of `trip_rank`, or with another author or date there, or another date of a like.
    private static let misplacedRows: SQL = """
        SELECT trip.id FROM trip LEFT JOIN trip_rank AS rank ON rank.trip = trip.id
        WHERE rank.trip IS NULL OR rank.author <> trip.author OR rank.created_at <> trip.created_at
        UNION SELECT trip.id FROM trip JOIN liked ON liked.trip = trip.id
        WHERE liked.created_at <> trip.created_at
        """

    /// Selects the number of these images that the trip with the same index shows, and that are not stored as images of it.
    private static func missingImages(_ trips: [Trip.ID], _ images: [TripImage.ID]) -> SQL {
        """
        SELECT count(*) FROM unnest(\(trips)::uuid[], \(images)::uuid[]) AS shown (trip, image)
            LEFT JOIN image ON image.id = shown.image AND image.trip = shown.trip
        WHERE image.id IS NULL
        """
    }
}

/// What is stored of a trip only so that searches find it, and follows from its content.
private struct SearchColumns: Equatable {
    /// In UTF-8: equal texts may consist of different scalars.
    let titleKey: [UInt8]
    let terms: [Int32]
    let traits: Int64
    let cell: Int32
    let signature: Int64
    let firstDay: Int

    private init(of content: TripContent) {
        titleKey = Array(CharacterKey.title(content.title.text).utf8)
        traits = TraitLayout.traits(of: content)
        terms = TripTerms.of(content.title)
        cell = TraitCell.number(of: traits)
        signature = TripTerms.signature(of: content.title)
        firstDay = content.days.first.daysSince1970
    }

    private init(reading columns: inout ColumnCursor) throws {
        titleKey = Array((try columns.next() as String).utf8)
        (terms, traits) = (try columns.next(), try columns.next())
        (cell, signature, firstDay) = (try columns.next(), try columns.next(), try columns.next())
    }

    /// The trips for which something else is stored than what follows from their content.
    static func wrong(_ trips: [Trip], _ db: Connection) throws -> [Trip.ID] {
        let rows = try db.fetchAll(
            """
            SELECT trip.id, trip.title_key, trip.terms, rank.traits, rank.cell, rank.signature,
                rank.first_day
            FROM trip JOIN trip_rank AS rank ON rank.trip = trip.id
            WHERE trip.id = ANY(\(trips.map(\.id)))
            """
        ) { row in
            try row.read { (id: try $0.next() as Trip.ID, columns: try SearchColumns(reading: &$0)) }
        }
        let stored = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.columns) })
        return trips.filter { stored[$0.id] != SearchColumns(of: $0.content) }.map(\.id)
    }
}
#endif
