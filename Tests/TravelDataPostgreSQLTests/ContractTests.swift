#if PostgreSQL
    import PostgreSQLStoreTesting
    import TestTurns
    import Testing
    import TravelDataPostgreSQL
    import TravelDomain
    import TravelDomainTesting

    @Suite(
        "The PostgreSQL repositories fulfil their contracts",
        .enabled(
            if: PostgreSQLServer.isAvailable,
            "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"), .takesTurns)
    struct PostgreSQLContractTests {
        /// Calls `body` with a function that opens the repository of an empty database.
        private func withRepository(
            _ body: (@escaping @Sendable () async throws -> PostgreSQLTravelRepository) async throws -> Void
        ) async throws {
            try await withTemporarySchema { (location) async throws in
                let database = try await PostgreSQLTravelDatabase.open(location)
                try await body { database.travels }
                await database.close()
            }
        }

        @Test(arguments: TravelRepositoryContract.checks)
        func fulfilsTravelRepositoryContract(check: ContractCheck<any TravelRepository>) async throws {
            try await withRepository { open in try await check.run { try await open() } }
        }

        @Test(arguments: TitleRepositoryContract.checks)
        func fulfilsTitleRepositoryContract(check: ContractCheck<TitleRepositoryContract.Subject>) async throws {
            try await withRepository { open in try await check.run { try await open() } }
        }

        @Test(arguments: TravelEditingContract.checks)
        func fulfilsTravelEditingContract(check: ContractCheck<TravelEditingContract.Subject>) async throws {
            try await withRepository { open in try await check.run { try await open() } }
        }

        @Test(arguments: ModerationContract.checks)
        func fulfilsModerationContract(check: ContractCheck<ModerationContract.Subject>) async throws {
            try await withRepository { open in try await check.run { try await open() } }
        }

        @Test(arguments: UserRepositoryContract.checks)
        func fulfilsUserRepositoryContract(check: ContractCheck<UserRepositoryContract.Subject>) async throws {
            try await withRepository { open in try await check.run { try await open() } }
        }

        @Test(arguments: TravelObservingContract.checks)
        func fulfilsTravelObservingContract(check: ContractCheck<TravelObservingContract.Subject>) async throws {
            try await withRepository { open in try await check.run { try await open() } }
        }

        @Test(arguments: ImageContract.checks)
        func fulfilsImageContract(check: ContractCheck<ImageContract.Subject>) async throws {
            try await withRepository { open in try await check.run { try await open() } }
        }

        @Test(arguments: TravelStoreContract.checks)
        func fulfilsTravelStoreContract(check: ContractCheck<any TravelStore>) async throws {
            try await withRepository { open in try await check.run { try await open() } }
        }

        @Test(arguments: ReopeningContract.checks)
        func fulfilsReopeningContract(check: ContractCheck<ReopenableStore>) async throws {
            try await withTemporarySchema { (location) async throws in
                try await check.run {
                    ReopenableStore {
                        try await PostgreSQLTravelDatabase.open(location)
                    } close: {
                        await $0.close()
                    } store: {
                        $0.travels
                    }
                }
            }
        }
    }
#endif
