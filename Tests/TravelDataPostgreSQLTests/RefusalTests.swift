#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing
import TravelDomain

@testable import TravelDataPostgreSQL

@Suite(
    "A server that refuses says why, and what mends it",
    .enabled(
        if: PostgreSQLServer.isAvailable && PostgreSQLServer.isOwned,
        "no PostgreSQL server of the tests' own: install the Debian package postgresql"),
    .limitedConcurrency)
struct RefusalTests {
    private func outage(_ body: () async throws -> Void) async throws -> TravelError.Outage {
        do {
            try await body()
        } catch TravelError.unavailable(let outage) {
            return outage
        }
        throw NoOutage()
    }

    private struct NoOutage: Error {}

    private func outage(at location: Database.Location) async throws -> TravelError.Outage {
        try await outage { await (try PostgreSQLTravelDatabase.open(location)).close() }
    }

    @Test("the error of a role that may not create tables names the privilege, and doctor prints the GRANT")
    func roleWithoutPrivilegeIsToldWhichToGrant() async throws {
        let server = try await PostgreSQLServer.start()
        defer { server.stop() }
        let admin = try await Database.open(server.location)
        try await admin.writeWithoutTransaction { db in
            try db.executeScript("CREATE ROLE guest LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        }
        let location = Database.Location.parameters([
            "host": server.folder ?? "", "user": "guest", "dbname": "postgres",
        ])
        let refused = try await outage(at: location)
        #expect(refused.cause == .missingPrivilege && !refused.canRetry)
        #expect(refused.reason.contains("GRANT") && !refused.reason.contains("password"), "\(refused.reason)")
        let grant = try await PostgreSQLTravelDatabase.checkup(location).missingGrant
        #expect(grant == "GRANT USAGE, CREATE ON SCHEMA public TO guest")
        try await admin.writeWithoutTransaction { db in try db.executeScript(grant ?? "") }
        await (try PostgreSQLTravelDatabase.open(location)).close()
        #expect(try await PostgreSQLTravelDatabase.checkup(location).missingGrant == nil)
        // Another role has the schema, and no right to read its tables.
        try await admin.writeWithoutTransaction { db in try db.executeScript("CREATE ROLE other LOGIN") }
        let other = Database.Location.parameters([
            "host": server.folder ?? "", "user": "other", "dbname": "postgres",
        ])
        #expect(try await outage(at: other).cause == .missingPrivilege)
        await admin.close()
    }

    @Test(
        "a setting that libpq does not accept is named as invalid, without its value",
        arguments: [
            "postgresql://localhost/x?sslmode=verify_s3cret", "host=localhost port=s3cret",
            "host=localhost target_session_attrs=s3cret",
        ])
    func invalidSettingIsNamed(text: String) async throws {
        let invalid = try await outage(at: .url(text))
        #expect(invalid.cause == .invalidAddress && !invalid.canRetry, "\(invalid)")
        #expect(!invalid.reason.contains("s3cret"), "\(invalid.reason)")
        if text.contains("sslmode") { #expect(invalid.reason.contains("verify-full"), "\(invalid.reason)") }
    }

    @Test("a missing role, a missing database and a full server have their own reasons, in every language")
    func refusalsHaveTheirOwnReasons() async throws {
        let server = try await PostgreSQLServer.start()
        defer { server.stop() }
        let admin = try await Database.open(server.location)
        try await admin.writeWithoutTransaction { db in
            try db.executeScript("CREATE ROLE full_up LOGIN CONNECTION LIMIT 0")
        }
        await admin.close()
        func location(_ user: String, _ database: String = "postgres") -> Database.Location {
            .parameters(["host": server.folder ?? "", "user": user, "dbname": database])
        }
        #expect(try await outage(at: location("nobody_here")).cause == .accessRefused)
        #expect(try await outage(at: location("postgres", "nothing_here")).cause == .noSuchDatabase)
        let full = try await outage {
            _ = try await PostgreSQLTravelDatabase.open(
                location("full_up"), configuration: .init().with { $0.leaseTimeout = .milliseconds(100) })
        }
        #expect(full.cause == .serverBusy && full.canRetry)
        #expect(full.reason.contains("no free connection"), "\(full.reason)")
    }

    @Test("a database whose encoding lacks characters gets no tables, and an earlier one names its encoding")
    func otherEncodingIsNamed() async throws {
        let server = try await PostgreSQLServer.start()
        defer { server.stop() }
        let admin = try await Database.open(server.location)
        try await admin.writeWithoutTransaction { db in
            try db.execute(
                "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'")
        }
        await admin.close()
        let location = Database.Location.parameters([
            "host": server.folder ?? "", "user": "postgres", "dbname": "latin",
        ])
        #expect(try await outage(at: location) == .otherEncoding)
        let latin = try await Database.open(location)
        #expect(try await latin.read { db in try db.fetchOne(Bool.self, "SELECT to_regclass('trip') IS NULL") } == true)
        #expect(
            try await outage { _ = try await latin.readTrips { db in try db.execute("SELECT \("\u{D55C}")") } }
                == .otherEncoding)
        await latin.close()
    }

    @Test("the error of a full disk of the server says so")
    func fullDiskIsToldAsSuch() async throws {
        let server = try await PostgreSQLServer.start()
        defer { server.stop() }
        let database = try await Database.open(server.location)
        let full = try await outage {
            try await database.writeTrips { db in
                _ = try db.execute(
                    "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'could not extend file'; END $$"
                )
            }
        }
        #expect(full.cause == .diskFull && full.canRetry)
        #expect(full.reason.contains("disk"), "\(full.reason)")
        await database.close()
    }
}
#endif
