#if PostgreSQL
import PostgreSQLStoreTesting
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataPostgreSQL

@Suite(
    "The PostgreSQL repositories fulfil their contracts",
    .enabled(
        if: PostgreSQLServer.isAvailable,
        "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"),
    .limitedConcurrency)
struct PostgreSQLContractTests {
    /// How statements are sent.
    enum Mode: CaseIterable {
        /// Prepared once, and run by name.
        case prepared
        /// Prepared for each run, as before a connection pooler.
        case pooled

        var configuration: Database.Configuration {
            Database.Configuration().with { $0.preparesStatements = self == .prepared }
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsTravelStoreContract(mode: Mode) async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: mode.configuration)
            try await TravelStoreContract.checks.report { try await database.emptied() }
            await database.close()
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsAccountRepositoryContract(mode: Mode) async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: mode.configuration)
            try await AccountRepositoryContract.checks.report {
                AccountRepositoryContract.Subject(accounts: database.accounts, users: try await database.emptied())
            }
            await database.close()
        }
    }

    @Test(arguments: Mode.allCases)
    func keepsSmallerPictures(mode: Mode) async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: mode.configuration)
            try await ImageContract.smallerPictures.report { try await database.emptied() }
            await database.close()
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsOversightContract(mode: Mode) async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: mode.configuration)
            try await OversightContract.checks.report {
                OversightContract.Subject(store: try await database.emptied(), accounts: database.accounts)
            }
            await database.close()
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsReopeningContract(mode: Mode) async throws {
        for check in ReopeningContract.checks {
            try await withTemporarySchema { (location) async throws in
                try await check.run {
                    ReopenableStore {
                        try await PostgreSQLTravelDatabase.open(location, configuration: mode.configuration)
                    } close: {
                        await $0.close()
                    } store: {
                        $0.trips
                    }
                }
            }
        }
    }
}
#endif
