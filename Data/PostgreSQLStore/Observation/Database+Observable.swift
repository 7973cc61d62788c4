#if PostgreSQL
    package import DatabaseAccess

    extension Database: ObservableDatabase {
        package var fetchPool: ConnectionPool { pool }

        package func observerAdded() {
            listener.addObserver()
        }

        package func observerRemoved() {
            listener.removeObserver()
        }

        /// Waits until the listener receives announcements of commits.
        package func prepareFetch(isolation: isolated (any Actor)?) async throws {
            try await listener.listening(isolation: isolation)
        }

        package func isTemporary(_ error: any Error) -> Bool {
            (error as? PostgreSQLError)?.code.isTemporary ?? false
        }
    }

    extension ObservationHealth {
        init(_ health: QueryHealth) {
            switch health {
            case .live: self = .live
            case .retrying(let error as PostgreSQLError): self = .retrying(error)
            case .retrying(let error), .failed(let error): self = .failed(error)
            }
        }
    }
#endif
