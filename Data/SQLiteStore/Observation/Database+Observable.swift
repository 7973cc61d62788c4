package import DatabaseAccess

extension Database: ObservableDatabase {
    package var fetchPool: ConnectionPool { readers }

    package func observerAdded() {
        externalChangeMonitor?.addObserver()
    }

    package func observerRemoved() {
        externalChangeMonitor?.removeObserver()
    }

    /// Does nothing: the writer reports its own commits before the next one can begin, and each fetch starts the
    /// monitor of commits by other processes unless it is active.
    package func prepareFetch(isolation: isolated (any Actor)?) async throws {}

    package func isTemporary(_ error: any Error) -> Bool {
        (error as? SQLiteError).map { $0.code == .busy || $0.code == .locked } ?? false
    }
}

extension ObservationHealth {
    init(_ health: QueryHealth) {
        switch health {
        case .live: self = .live
        case .retrying(let error as SQLiteError): self = .retrying(error)
        case .retrying(let error), .failed(let error): self = .failed(error)
        }
    }
}
