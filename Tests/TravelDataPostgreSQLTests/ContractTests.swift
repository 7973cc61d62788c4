#if PostgreSQL
import Foundation
import PostgreSQLStoreTesting
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataPostgreSQL

@Suite(
    "The PostgreSQL repositories fulfil their contracts",
    .enabled(
        if: PostgreSQLServer.isAvailable,
        "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"),
    .takesTurns(within: .seconds(600)))
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

    /// Calls `body` with a function that returns the repository of an empty database, which is the same each time.
    private func withRepository(
        _ mode: Mode,
        _ body: (@escaping @Sendable () async throws -> PostgreSQLTravelRepository) async throws -> Void
    ) async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: mode.configuration)
            try await body { try await database.emptied() }
            await database.close()
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsTravelRepositoryContract(mode: Mode) async throws {
        try await withRepository(mode) { open in
            try await TravelRepositoryContract.checks.report { try await open() }
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsTitleRepositoryContract(mode: Mode) async throws {
        try await withRepository(mode) { open in
            try await TitleRepositoryContract.checks.report { try await open() }
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsTravelEditingContract(mode: Mode) async throws {
        try await withRepository(mode) { open in
            try await TravelEditingContract.checks.report { try await open() }
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsModerationContract(mode: Mode) async throws {
        try await withRepository(mode) { open in
            try await ModerationContract.checks.report { try await open() }
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsUserRepositoryContract(mode: Mode) async throws {
        try await withRepository(mode) { open in
            try await UserRepositoryContract.checks.report { try await open() }
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsAccountRepositoryContract(mode: Mode) async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: mode.configuration)
            try await AccountRepositoryContract.checks.report {
                AccountRepositoryContract.Subject(accounts: database.accounts, people: try await database.emptied())
            }
            await database.close()
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsTravelObservingContract(mode: Mode) async throws {
        try await withRepository(mode) { open in
            try await TravelObservingContract.checks.report { try await open() }
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsImageContract(mode: Mode) async throws {
        try await withRepository(mode) { open in
            try await ImageContract.checks.report { try await open() }
        }
    }

    @Test(arguments: Mode.allCases)
    func fulfilsTravelStoreContract(mode: Mode) async throws {
        try await withRepository(mode) { open in
            try await TravelStoreContract.checks.report { try await open() }
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
                        $0.travels
                    }
                }
            }
        }
    }

    @Test("a server is checked as often as a file, except for what is stored on one device")
    func numberOfChecks() throws {
        let counts = [
            "TravelRepository": TravelRepositoryContract.checks.count,
            "TitleRepository": TitleRepositoryContract.checks.count,
            "TravelEditing": TravelEditingContract.checks.count, "Moderation": ModerationContract.checks.count,
            "UserRepository": UserRepositoryContract.checks.count,
            "AccountRepository": AccountRepositoryContract.checks.count,
            "TravelObserving": TravelObservingContract.checks.count, "Image": ImageContract.checks.count,
            "TravelStore": TravelStoreContract.checks.count, "Reopening": ReopeningContract.checks.count,
            "TravelCache": 0, "SessionRepository": 0, "RecentKeywordRepository": 0,
        ]
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        func count(in target: String, _ use: Regex<(Substring, Substring)>) throws -> Int {
            let source = try String(
                contentsOf: folder.appending(path: "\(target)/ContractTests.swift"), encoding: .utf8)
            let names = Set(source.matches(of: use).map { String($0.1) })
            return try names.reduce(0) { try $0 + #require(counts[$1], "\($1) is not counted") }
        }
        let onServer = try count(
            in: "TravelDataPostgreSQLTests", #/(?:try await|in) (\w+)Contract\.checks(?:\.report)? \{/#)
        let onFile = try count(in: "TravelDataSQLiteTests", #/@Test\(arguments: (\w+)Contract\.checks/#)
        #expect(onServer == onFile)
        #expect(onServer > 700)
    }
}
#endif
