#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("PostgreSQL connecting", .needsServer, .limitedConcurrency)
struct ConnectingTests {
    private static let configuration = Database.Configuration().with { $0.connectTimeout = .milliseconds(300) }

    @Test(
        "a server that cannot be reached is an error, and opening it does not wait for longer than a deadline",
        arguments: [
            Database.Location.parameters(["host": "/nowhere"]), .parameters(["host": "127.0.0.1", "port": "1"]),
            // An address for documentation, where nobody answers.
            .parameters(["host": "192.0.2.1"]), .url("postgresql://host.invalid/x"), .url("postgresql://[/"),
            .parameters(["sslmode": "nonsense"]),
        ])
    func unreachable(location: Database.Location) async throws {
        // A call without a deadline would wait for minutes: the system sends the packets of a connection again for
        // 127 seconds. A machine with other work needs more than the connect timeout, and less than this.
        let begin = ContinuousClock.now
        let error = await #expect(throws: PostgreSQLError.self) {
            _ = try await Database.open(location, configuration: Self.configuration)
        }
        #expect(error?.code == .cannotConnect)
        #expect(begin.duration(to: .now) < .seconds(60))
    }

    @Test("a server that accepts connections and never answers is an error within the connect timeout")
    func silent() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "silent-\(UInt32.random(in: 0 ... .max))"
        ).path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/.s.PGSQL.5432".utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0 && listen(descriptor, 10) == 0)
        let error = await #expect(throws: PostgreSQLError.self) {
            _ = try await Database.open(.parameters(["host": folder]), configuration: Self.configuration)
        }
        #expect(error?.code == .cannotConnect)
    }

    @Test("a rejected user is an error with the server's reason, and without the password")
    func rejected() async throws {
        let server = try await PostgreSQLServer.shared
        try #require(PostgreSQLServer.isOwned)
        let location = Database.Location.parameters([
            "host": server.folder ?? "", "user": "nobody-of-this-name", "password": "secret", "dbname": "postgres",
        ])
        let error = await #expect(throws: PostgreSQLError.self) { _ = try await Database.open(location) }
        #expect(error?.message.contains("role \"nobody-of-this-name\" does not exist") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        "a connection string that cannot be parsed is an error without the password",
        arguments: ["host=a password=my secret", "postgresql://user:secret%@[", "password=secret foo", "://secret"])
    func unparsable(text: String) async throws {
        let error = await #expect(throws: PostgreSQLError.self) {
            _ = try await Database.open(.url(text), configuration: Self.configuration)
        }
        #expect(error?.code == .cannotConnect)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("a parameter with a NUL, where libpq would stop reading, is an error without the password")
    func parameterWithNUL() async throws {
        for location: Database.Location in [
            .url("postgresql://user:secret@localhost/db\0?sslmode=verify-full"),
            .url("host=localhost password=secret\0 sslmode=verify-full"),
            .parameters(["host": "localhost\0.example.org", "password": "secret"]),
            .parameters(["host": "localhost", "sslmode\0": "verify-full", "password": "secret"]),
            .environment.inSchema("a\0b"),
        ] {
            let error = await #expect(throws: PostgreSQLError.self) {
                _ = try await Database.open(location, configuration: Self.configuration)
            }
            #expect(error?.code == .cannotConnect)
            #expect(error?.message.contains("NUL") == true)
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test("writes respect the administrator's default of reading only, unless they override it")
    func readOnlyByDefault() async throws {
        try await withTemporarySchema { (location) async throws in
            for overrides in [false, true] {
                let configuration = Database.Configuration().with {
                    $0.overridesReadOnlyDefault = overrides
                    $0.prepare = { db in try db.execute("SET default_transaction_read_only = on") }
                }
                let database = try await Database.open(location, configuration: configuration)
                let create = { @Sendable (db: Connection) in _ = try db.execute("CREATE TABLE t (x int)") }
                if overrides {
                    try await database.write(create)
                } else {
                    let error = await #expect(throws: PostgreSQLError.self) { try await database.write(create) }
                    #expect(error?.code == .readOnly)
                }
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
                await database.close()
            }
        }
    }

    @Test("a new connection is prepared before its first access, and an error of that is thrown")
    func prepared() async throws {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in try db.execute("SET application_name = 'prepared'") }
        }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            #expect(
                try await database.read { db in try db.fetchOne(String.self, "SHOW application_name") }
                    == "prepared")
        }
        let failing = Database.Configuration().with { $0.prepare = { db in try db.execute("SELEKT 1") } }
        try await withTemporarySchema { (location) async throws in
            let error = await #expect(throws: PostgreSQLError.self) {
                _ = try await Database.open(location, configuration: failing)
            }
            #expect(error?.code == .syntaxError)
        }
    }

    @Test("texts are in UTF-8, whatever encoding the location names", .needsOwnServer)
    func encoding() async throws {
        let location = Database.Location.parameters([
            "host": try await PostgreSQLServer.shared.folder ?? "", "user": "postgres", "dbname": "postgres",
            "client_encoding": "LATIN1",
        ])
        let database = try await Database.open(location)
        #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT length(\("é바다"))") } == 3)
        await database.close()
    }

    @Test(
        "a schema with any name is used for unqualified names",
        arguments: [
            "we\"ird \\ schéma, '%$1", "back\\\u{301}slash", "quote\"\u{301}", "space \u{301}", "line\r\nbreak",
        ])
    func schemas(name: String) async throws {
        let server = try await PostgreSQLServer.shared
        let admin = try await Database.open(server.location)
        try await admin.writeWithoutTransaction { (db) throws in
            try db.execute("DROP SCHEMA IF EXISTS \(identifier: name) CASCADE")
            try db.execute("CREATE SCHEMA \(identifier: name)")
        }
        let database = try await Database.open(server.location.inSchema(name))
        #expect(try await database.read { db in try db.fetchOne(String.self, "SELECT current_schema()") } == name)
        await database.close()
        try await admin.writeWithoutTransaction { db in try db.execute("DROP SCHEMA \(identifier: name) CASCADE") }
        await admin.close()
    }
}
#endif
