#if PostgreSQL
    /// The health of an observation.
    ///
    /// ```swift
    /// switch cities.health {
    /// case .live: hideBanner()
    /// case .retrying: showBanner("The server cannot be reached")
    /// case .failed(let error): showBanner("\(error)")
    /// }
    /// ```
    public enum ObservationHealth: Sendable {
        /// The last fetch succeeded, or there was none yet.
        case live
        /// The server could not be reached, or was busy; the fetch is retried.
        case retrying(PostgreSQLError)
        /// The observation has failed with this error.
        case failed(any Error)
    }

    extension PostgreSQLError.Code {
        /// Whether a fetch can succeed later without a change of the program.
        var isTemporary: Bool {
            switch self {
            case .cannotConnect, .connectionLost, .leaseTimeout, .statementTimeout, .lockNotAvailable,
                .tooManyConnections,
                .serializationFailure, .deadlockDetected:
                true
            default: rawValue.hasPrefix("57P")
            }
        }
    }
#endif
