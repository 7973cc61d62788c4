#if PostgreSQL
    internal import PostgreSQLStore
    import TravelDomain

    extension PostgreSQLError {
        /// The reason why no connection could be made, in words of the travel log.
        ///
        /// A refused connection has no SQLSTATE in libpq: only the message tells why. It is that of the server, which
        /// writes it in its own language; where it is not English, the cause is that the server cannot be reached.
        var connectOutage: TravelError.Outage {
            let refusals = ["authentication failed", "no password supplied", "pg_hba.conf", "role \""]
            if refusals.contains(where: message.contains) {
                return .init(
                    "The travel server refuses access: check the user and the password.", cause: .accessRefused,
                    canRetry: false)
            }
            if message.contains("database \""), message.contains("does not exist") {
                return .init(
                    "The travel server has no such database: check its name, or create it with createdb.",
                    cause: .noSuchDatabase, canRetry: false)
            }
            if message.contains("service file") || message.contains("definition of service") {
                return .init(
                    "The service is not in the service file: check PGSERVICE, PGSERVICEFILE and ~/.pg_service.conf.",
                    cause: .inaccessible, canRetry: false)
            }
            if message.contains("connection string is not valid") {
                return .init(
                    "The address of the travel server is not valid: write postgresql://user@host:port/database, and escape "
                        + "special characters.", cause: .inaccessible, canRetry: false)
            }
            // A URL with `target_session_attrs=read-write`, of which every host is a standby.
            if message.contains("session is read-only") { return .readOnlyServer }
            if message.contains("certificate") || message.contains("SSL") {
                return .init(
                    "The connection to the travel server is not secure as required: check sslmode, sslrootcert and the "
                        + "certificate of the server.", cause: .notSecure, canRetry: false)
            }
            return .init("The travel server cannot be reached.", cause: .unreachable, canRetry: true)
        }
    }

    extension TravelError.Outage {
        static let readOnlyServer = Self(
            "The travel server can only be read: connect to the primary server, for example with both hosts in the URL and "
                + "target_session_attrs=read-write.", cause: .readOnly, canRetry: false)
    }
#endif
