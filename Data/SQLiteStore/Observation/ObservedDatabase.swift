internal import DatabaseAccess

/// A database as its observations use it.
struct ObservedDatabase: ObservationBackend {
    typealias Connection = SQLiteStore.Connection
    typealias Changes = Region
    typealias Health = ObservationHealth

    let database: Database

    /// Identifies equivalent queries.
    enum Identity: Hashable {
        case name(String)
        case sql(String, [SQLValue])
    }

    static var live: ObservationHealth { .live }

    static func health(after error: any Error) -> ObservationHealth {
        if let error = error as? SQLiteError, error.code == .busy || error.code == .locked { return .retrying(error) }
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
    var fetchesOnThreads: Bool { database.configuration.execution != .inline }

    func observerAdded() {
        database.externalChangeMonitor?.addObserver()
    }

    func observerRemoved() {
        database.externalChangeMonitor?.removeObserver()
    }

    /// Commits are reported before the next one can begin; those of other processes since the fetch.
    func prepareFetch(isolation: isolated (any Actor)?) async throws {}

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

extension Region: ChangeSet {
    static let nothing = Region()
}

extension ObservationHub<ObservedDatabase> {
    /// Throws if the thread is within an access to the database.
    func checkNoAccess() throws {
        try CurrentAccess.check(self, orThrow: Connection.error(for:))
    }
}
