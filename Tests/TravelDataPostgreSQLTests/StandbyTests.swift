#if PostgreSQL
import PostgreSQLStoreTesting
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataPostgreSQL

@Suite(
    "A streaming standby",
    .enabled(
        if: PostgreSQLServer.isAvailable && PostgreSQLServer.isOwned,
        "no PostgreSQL server of the tests' own: install the Debian package postgresql"),
    .limitedConcurrency)
struct StandbyTests {
    private let mina = try! User(seed: 1, nickname: "mina")

    /// Calls `body` with the folders of a server with one trip, and of its standby.
    private func withServers(_ body: (_ primary: String, _ standby: String) async throws -> Void) async throws {
        let primary = try await PostgreSQLServer.start()
        defer { primary.stop() }
        let database = try await PostgreSQLTravelDatabase.open(primary.location)
        try await database.trips.add([TripBuilder(seed: 1, author: mina).build()])
        await database.close()
        let standby = try await PostgreSQLServer.startStandby(of: primary)
        defer { standby.stop() }
        try await body(#require(primary.folder), #require(standby.folder))
    }

    private func withDatabase<Value>(
        at hosts: String, _ target: String = "any", _ body: (PostgreSQLTripRepository) async throws -> Value
    ) async throws -> Value {
        let parameters = [
            "host": hosts, "user": "postgres", "dbname": "postgres", "target_session_attrs": target,
        ]
        let database = try await PostgreSQLTravelDatabase.open(.parameters(parameters))
        do {
            let value = try await body(database.trips)
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }

    /// The cause of the outage that `body` throws.
    private func cause(_ body: () async throws -> Void) async throws -> TravelError.Outage.Cause? {
        do {
            try await body()
            return nil
        } catch TravelError.unavailable(let outage) {
            return outage.cause
        }
    }

    @Test("answers searches, and refuses writes and observers as a server that can only be read")
    func standby() async throws {
        try await withServers { (_, standby) async throws in
            try await withDatabase(at: standby) { (trips) async throws in
                let query = try TripQuery(TripCriteria(sort: .newest), viewer: nil, limit: 5)
                #expect(try await trips.search(query).trips.map(\.author) == [mina])
                #expect(try await cause { try await trips.add(User(seed: 2, nickname: "jun")) } == .readOnly)
                let observed = try await cause { for try await _ in trips.observe(query) { break } }
                #expect(observed == .readOnly)
            }
        }
    }

    @Test("is skipped by an address of both servers that asks for one to write, and is no such server itself")
    func choosingByTarget() async throws {
        try await withServers { (primary, standby) async throws in
            try await withDatabase(at: "\(standby),\(primary)", "read-write") { (trips) async throws in
                try await trips.add(User(seed: 2, nickname: "jun"))
            }
            #expect(try await cause { try await withDatabase(at: standby, "read-write") { _ in } } == .readOnly)
        }
    }
}
#endif
