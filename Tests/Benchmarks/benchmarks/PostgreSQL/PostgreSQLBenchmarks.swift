#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting

/// The group `postgresql`: compares PostgreSQLStore with libpq, on the same server, which the process starts, or
/// which `TRAVELINE_POSTGRESQL` names. Commits do not wait for the disk of an own server.
enum PostgreSQLBenchmarks {
    static func run(_ report: inout Report) async throws {
        guard PostgreSQLServer.isAvailable else {
            print("no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL")
            return
        }
        let server = try await PostgreSQLServer.shared
        let world = try await World(server.location)
        try await keyFetch(&report, world)
        try await keyFetchOwnAccess(&report, world)
        try await fetchAll(&report, world)
        try await insert(&report, world)
        try await copy(&report, world)
        try await clients(&report, world)
        try await commitToObserver(&report, world)
        await world.database.close()
        server.stop()
    }

    /// One database, opened in every compared way.
    struct World {
        let location: Database.Location
        let database: Database
        let c: LibpqConnection

        init(_ server: Database.Location) async throws {
            let name = "benchmarks"
            let setUp = try await Database.open(server)
            try await setUp.writeWithoutTransaction { db in
                try db.executeScript("DROP SCHEMA IF EXISTS \(name) CASCADE; CREATE SCHEMA \(name)")
            }
            await setUp.close()
            location = server.inSchema(name)
            let configuration = Database.Configuration().with { $0.connectionCount = 8 }
            let migrations = [
                Migration("places", script: Place.schema), Migration("rows", revision: "1", Place.insertAll),
            ]
            database = try await Database.open(location, configuration: configuration, migrations: migrations)
            let parameters = try await database.read { db in
                try db.fetchOne(
                    "SELECT current_setting('unix_socket_directories'), current_user::text, current_database()::text"
                ) {
                    row in (try row[0] as String, try row[1] as String, try row[2] as String)
                }
            }
            let (host, user, dbname) = parameters ?? ("", "", "")
            c = LibpqConnection("host='\(host)' user='\(user)' dbname='\(dbname)' options='-c search_path=\(name)'")
        }
    }
}
#endif
