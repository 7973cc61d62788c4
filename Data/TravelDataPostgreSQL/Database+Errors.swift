#if PostgreSQL
public import PostgreSQLStore
public import TravelDataShared
public import TravelDomain

extension Database {
    /// Runs a read, and throws `TravelError.unavailable` for errors of the database.
    func readTrips<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws
        -> Value
    {
        try await mappingErrors { try await read(body) }
    }

    /// Runs a write that changes what observers see, and throws `TravelError.unavailable` for errors of the
    /// database.
    func writeTrips<Value: Sendable>(
        isolation: Isolation? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await mappingErrors {
            try await write(isolation: isolation) { db in
                db.notify(tripTopic)
                return try body(db)
            }
        }
    }
}

extension Database {
    /// Like `readTrips`, for work of many statements: each has the time of a statement, all together have no limit.
    func readLong<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await readTrips { [limit = configuration.statementTimeout] db in
            try db.withStatementTimeout(limit) { try body(db) }
        }
    }

    /// Like `writeTrips`, for work of many statements: each has the time of a statement, all together have no
    /// limit. Its locks keep writers out, so that it cannot fail to be serialized after all its work.
    func writeLong(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await writeTrips(isolation: .readCommitted) { [limit = configuration.statementTimeout] db in
            try db.withStatementTimeout(limit) {
                try db.execute("LOCK TABLE app_user, trip IN EXCLUSIVE MODE")
                try body(db)
            }
        }
    }
}

/// The topic of everything that trips, their authors and their visibility consist of.
let tripTopic = "trips"

/// Runs a statement, and throws a conflict over `subject` if it violates a unique constraint.
@discardableResult
func unique<Value>(_ subject: TravelError.Subject, _ insert: () throws -> Value) throws -> Value {
    do {
        return try insert()
    } catch let error as PostgreSQLError where error.code == .uniqueViolation {
        throw TravelError.conflict(subject)
    }
}

extension PostgreSQLError: StoreError {
    public var outage: TravelError.Outage {
        switch code {
        case .cannotConnect: connectOutage
        case .connectionLost:
            .init("The connection to the travel server was lost.", cause: .unreachable, canRetry: true)
        case .commitUnknown:
            .init(
                "The connection to the travel server was lost: check whether the change was saved.", canRetry: false
            )
        case .tooManyConnections:
            .init(
                "The travel server is busy: it has no free connection.", cause: .serverBusy, canRetry: true)
        // The server cancels a statement after its own `statement_timeout`, or when its administrator says so.
        case .leaseTimeout, .statementTimeout, .queryCanceled, .serializationFailure, .deadlockDetected,
            .lockNotAvailable:
            .init("The travel server is busy.", cause: .serverBusy, canRetry: true)
        case .databaseIsNewer: .newerVersion
        case .migrationChanged: .earlierVersion
        case .invalidPassword, .invalidAuthorization: .accessRefused
        case .undefinedDatabase: .noSuchDatabase
        case .insufficientPrivilege: .missingPrivilege
        case .diskFull:
            .init(
                "The disk of the travel server is full: free space on it, and try again.", cause: .diskFull,
                canRetry: true)
        case .readOnly: .readOnlyServer
        case Code(rawValue: "22P05"): .otherEncoding
        // A write begins with a mode that a standby does not have.
        case Code(rawValue: "0A000") where message.contains("hot standby"): .readOnlyServer
        default: .init("The travel server failed: \(message) (\(code.rawValue)).", canRetry: false)
        }
    }
}

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

    static let otherEncoding = Self(
        "The database of the travel server has an encoding that lacks characters: create one with createdb -T template0 "
            + "-l C -E UTF8.", cause: .otherEncoding, canRetry: false)

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
