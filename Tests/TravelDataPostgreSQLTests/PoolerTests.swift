#if PostgreSQL
import PostgreSQLStoreTesting
import TestConcurrency
import Testing
import TravelDomainTesting

@testable import TravelDataPostgreSQL

/// Everything but observation, for which pgbouncer has no `LISTEN` in transaction mode.
@Suite(
    "The PostgreSQL repositories fulfil their contracts through pgbouncer in transaction mode",
    .enabled(
        if: PostgreSQLServer.isAvailable && PostgreSQLServer.isOwned && PgBouncer.isAvailable,
        "no pgbouncer or no server of the tests' own: install the Debian packages pgbouncer and postgresql"),
    .limitedConcurrency)
struct PoolerTests {
    @Test func fulfilsContractsThroughPgBouncer() async throws {
        let server = try await PostgreSQLServer.start()
        defer { server.stop() }
        let pooler = try PgBouncer(before: server)
        defer { pooler.stop() }
        let database = try await PostgreSQLTravelDatabase.open(pooler.location)
        // Those of audiences observe as well.
        let checks = TravelStoreContract.checks.filter { $0.area != "observing" && !$0.promise.contains("observer") }
        try await checks.report { try await database.emptied() }
        await database.close()
    }
}
#endif
