#if PostgreSQL
    internal import PostgreSQLStore
    import TravelDomain

    extension Database {
        /// Runs a read, and throws `TravelError.unavailable` for errors of the database.
        func readTravels<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws
            -> Value
        {
            try await mappingErrors { try await read(body) }
        }

        /// Runs a write that changes what observers see, and throws `TravelError.unavailable` for errors of the
        /// database.
        func writeTravels<Value: Sendable>(
            isolation: Isolation? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
        ) async throws -> Value {
            try await mappingErrors {
                try await write(isolation: isolation) { db in
                    db.notify(travelTopic)
                    return try body(db)
                }
            }
        }
    }

    extension Database {
        /// Like `readTravels`, for work of many statements: each has the time of a statement, all together have no limit.
        func readLong<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
            try await readTravels { [limit = configuration.statementTimeout] db in
                try db.withStatementTimeout(limit) { try body(db) }
            }
        }

        /// Like `writeTravels`, for work of many statements: each has the time of a statement, all together have no
        /// limit.
        func writeLong<Value: Sendable>(
            isolation: Isolation? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
        ) async throws -> Value {
            try await writeTravels(isolation: isolation) { [limit = configuration.statementTimeout] db in
                try db.withStatementTimeout(limit) { try body(db) }
            }
        }
    }

    /// The topic of everything that travels, their authors and their visibility consist of.
    let travelTopic = "travels"

    /// Throws `TravelError.unavailable` for errors of the database.
    func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgreSQLError {
            throw TravelError.unavailable(error.outage)
        }
    }

    /// Throws `TravelError.unavailable` for stored values that the domain does not accept.
    func readingValues<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch TravelError.invalid {
            throw TravelError.unavailable(
                .init("The travel database contains invalid values.", cause: .damaged, canRetry: false))
        }
    }

    /// Runs a statement, and throws a conflict over `subject` if it violates a unique constraint.
    @discardableResult
    func unique<Value>(_ subject: TravelError.Subject, _ insert: () throws -> Value) throws -> Value {
        do {
            return try insert()
        } catch let error as PostgreSQLError where error.code == .uniqueViolation {
            throw TravelError.conflict(subject)
        }
    }

    extension PostgreSQLError {
        /// The reason in words of the travel log, without values.
        var outage: TravelError.Outage {
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
                    "The travel server is busy: it has no free connection.", cause: .busy, canRetry: true)
            case .leaseTimeout, .statementTimeout, .serializationFailure, .deadlockDetected,
                .lockNotAvailable:
                .init("The travel server is busy.", cause: .busy, canRetry: true)
            case .databaseIsNewer:
                .init("The travel database was written by a newer version.", cause: .newerVersion, canRetry: false)
            case .invalidPassword, .invalidAuthorization: .accessRefused
            case .undefinedDatabase: .noSuchDatabase
            case .insufficientPrivilege: .missingPrivilege
            case .diskFull:
                .init(
                    "The disk of the travel server is full: free space on it, and try again.", cause: .diskFull,
                    canRetry: true)
            case .readOnly: .readOnlyServer
            // A write begins with a mode that a standby does not have.
            case Code(rawValue: "0A000") where message.contains("hot standby"): .readOnlyServer
            default: .init("The travel server failed: \(message) (\(code.rawValue)).", canRetry: false)
            }
        }
    }
#endif
