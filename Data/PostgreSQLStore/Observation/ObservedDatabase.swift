#if PostgreSQL
    internal import DatabaseAccess

    /// A database as its observations use it.
    struct ObservedDatabase: ObservationBackend {
        typealias Connection = PostgreSQLStore.Connection
        typealias Changes = Topics
        typealias Health = ObservationHealth

        let database: Database

        /// Identifies equivalent queries.
        enum Identity: Hashable {
            case name(String, topics: Set<String>)
            case sql(String, [SQLValue], topics: Set<String>)
        }

        static var live: ObservationHealth { .live }

        static func health(after error: any Error) -> ObservationHealth {
            if let error = error as? PostgreSQLError, error.code.isTemporary { return .retrying(error) }
            return .failed(error)
        }

        static func phase(of health: ObservationHealth) -> HealthPhase {
            switch health {
            case .live: .live
            case .retrying: .retrying
            case .failed: .failed
            }
        }

        var hub: ObservationHub<ObservedDatabase> { database.hub }
        var clock: AnyClock { database.clock }
        var fetchesOnThreads: Bool { true }

        func observerAdded() {
            database.listener.addObserver()
        }

        func observerRemoved() {
            database.listener.removeObserver()
        }

        /// Waits until the server announces commits.
        func prepareFetch(isolation: isolated (any Actor)?) async throws {
            try await database.listener.listening(isolation: isolation)
        }

        func fetch<Value: Sendable>(
            isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
        ) async throws -> Value {
            try await database.fetchForObservation(isolation: isolation, body)
        }

        func startFetch<Value: Sendable>(
            _ body: @escaping @Sendable (Connection) throws -> Value,
            completion: @escaping @Sendable (Result<Value, any Error>) -> Void
        ) -> @Sendable () -> Void {
            database.startFetch(body, completion: completion)
        }
    }

    extension ObservationHub<ObservedDatabase> {
        /// Throws if the thread is within an access to the database.
        func checkNoAccess() throws {
            try CurrentAccess.check(self, orThrow: Slot.error(for:))
        }
    }
#endif
