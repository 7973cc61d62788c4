#if PostgreSQL
    internal import PostgreSQLStore
    import TravelDomain

    extension PostgreSQLError {
        /// The reason why no connection could be made, in words of the travel log.
        ///
        /// What libpq itself reports, before the server has answered, has no code: only its message tells why.
        var connectOutage: TravelError.Outage {
            // A pooler, or a server that asks for a password before libpq has one.
            let refusals = ["authentication failed", "no password supplied", "pg_hba.conf", "no such user"]
            if refusals.contains(where: message.contains) { return .accessRefused }
            if message.contains("no such database") { return .noSuchDatabase }
            if message.contains("connection pooler ignores the schema") || message.contains("startup parameter") {
                return .init(
                    "A connection pooler ignores the schema of the address: connect to the server itself, or set it with "
                        + "ALTER ROLE … SET search_path.", cause: .invalidAddress, canRetry: false)
            }
            if message.hasPrefix("invalid ") {
                return .init(
                    "The address of the travel server is not valid: \(message).", cause: .invalidAddress,
                    canRetry: false)
            }
            if message.contains("service file") || message.contains("definition of service") {
                return .init(
                    "The service is not in the service file: check PGSERVICE, PGSERVICEFILE and ~/.pg_service.conf.",
                    cause: .invalidAddress, canRetry: false)
            }
            if message.contains("connection string is not valid") {
                return .init(
                    "The address of the travel server is not valid: write postgresql://user@host:port/database, and escape "
                        + "special characters.", cause: .invalidAddress, canRetry: false)
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
        static let accessRefused = Self(
            "The travel server refuses access: check the user and the password.", cause: .accessRefused, canRetry: false
        )

        static let noSuchDatabase = Self(
            "The travel server has no such database: check its name, or create it with createdb.",
            cause: .noSuchDatabase, canRetry: false)

        /// A role that does not own the database may not create tables, from PostgreSQL 15 on.
        static let missingPrivilege = Self(
            "The user of the travel server lacks a privilege: as the owner of the database run GRANT CREATE, USAGE ON "
                + "SCHEMA public TO the user, and connect as the user that created the tables, or have that user grant "
                + "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public.", cause: .missingPrivilege,
            canRetry: false)

        static let readOnlyServer = Self(
            "The travel server can only be read: connect to the primary server, for example with both hosts in the URL and "
                + "target_session_attrs=read-write.", cause: .readOnly, canRetry: false)
    }
#endif
