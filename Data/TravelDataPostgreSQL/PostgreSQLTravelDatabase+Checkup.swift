#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    package import PostgreSQLStore
    import TravelDomain

    extension PostgreSQLTravelDatabase {
        /// What a check of a database on a server has found.
        package struct Checkup: Sendable {
            /// The version of the server, such as `15.14`.
            package let serverVersion: String
            /// Whether the connection is encrypted; `nil` when the server does not say.
            package let isEncrypted: Bool?
            /// The number of migrations that the database has seen.
            package let schemaVersion: Int
            /// The number of migrations that this library has.
            package let knownSchemaVersion: Int
            /// How far the clock of the server is ahead of this device's, in seconds; the answer may have taken as long.
            package let clockDifference: Double
            /// The number of travels.
            package let travels: Int
            /// The number of people.
            package let people: Int
            /// The number of images, those of people included.
            package let images: Int
            /// The number of images that a travel or an entry shows and the database does not have.
            package let missingImages: Int
            /// The number of travels whose stored counts or first image differ from the likes, reports and entries.
            package let wrongTravels: Int

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
            return PostgreSQLTravelDatabase(travels: PostgreSQLTravelRepository(database), database: database)
        }

        /// Checks the server and the database. Reads all rows, but no bytes of images, and changes nothing.
        ///
        /// - Throws: `TravelError.unavailable` when the server cannot answer, or a stored value breaks a rule of the domain;
        ///   `CancellationError`.
        package static func checkup(
            _ location: Database.Location, configuration: Database.Configuration = Database.Configuration()
        ) async throws -> Checkup {
            let database = try await connect(to: location, configuration)
            do {
                let version = try await schemaVersion(of: database)
                let checkup = try await database.readTravels { db in
                    try inspect(db, schemaVersion: version)
                }
                await database.close()
                return checkup
            } catch {
                await database.close()
                throw error
            }
        }

        private static func connect(
            to location: Database.Location, _ configuration: Database.Configuration
        ) async throws -> Database {
            try await mappingErrors { try await Database.open(location, configuration: configuration) }
        }

        /// The number of migrations that the database has seen.
        private static func schemaVersion(of database: Database) async throws -> Int {
            try await database.readTravels { db in
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
            guard schemaVersion == TravelSchema.migrations.count else {
                return Checkup(
                    serverVersion: version, isEncrypted: isEncrypted, schemaVersion: schemaVersion,
                    knownSchemaVersion: TravelSchema.migrations.count, clockDifference: clockDifference, travels: 0,
                    people: 0, images: 0, missingImages: 0, wrongTravels: 0)
            }
            func count(_ table: String) throws -> Int {
                try db.fetchOne(Int.self, "SELECT count(*) FROM \(identifier: table)") ?? 0
            }
            var (travels, wrong) = (0, 0)
            try StoredParts.forEachTravel(db) { record, stored in
                travels += 1
                let isRight =
                    stored.likeCount == stored.likedBy.count && record.reports == stored.reportedBy.count
                    && record.travel.thumbnail == stored.recorded.thumbnail
                wrong += isRight ? 0 : 1
            }
            return Checkup(
                serverVersion: version, isEncrypted: isEncrypted, schemaVersion: schemaVersion,
                knownSchemaVersion: schemaVersion, clockDifference: clockDifference, travels: travels,
                people: try count("person"), images: try count("image") + count("avatar"),
                missingImages: try db.fetchOne(Int.self, missingImages) ?? 0, wrongTravels: wrong)
        }

        private static let missingImages: SQL = """
            SELECT count(*) FROM (
                SELECT travel, image FROM entry WHERE image IS NOT NULL
                UNION SELECT id, thumbnail FROM travel WHERE thumbnail IS NOT NULL
            ) AS shown LEFT JOIN image ON image.id = shown.image AND image.travel = shown.travel
            WHERE image.id IS NULL
            """
    }
#endif
