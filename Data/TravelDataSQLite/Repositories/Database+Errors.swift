internal import SQLiteStore
import TravelDomain

extension Database {
    /// Reads, and converts database errors to errors of the domain.
    func readMappingErrors<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws
        -> Value
    {
        try await mappingErrors { try await read(body) }
    }

    /// Writes, and converts database errors to errors of the domain.
    func writeMappingErrors<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws
        -> Value
    {
        try await mappingErrors { try await write(body) }
    }
}

/// Calls `body` and converts database errors to errors of the domain; other errors pass through.
func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as SQLiteError {
        throw TravelError.unavailable(error.outage)
    }
}

/// Calls `body` to create domain values from values that the schema has already checked.
///
/// - Throws: `TravelError.unavailable` when a value breaks a rule of the domain nevertheless.
func readingValues<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch TravelError.invalid {
        throw TravelError.unavailable(
            .init("The travel database contains invalid values.", cause: .damaged, canRetry: false))
    }
}

extension SQLiteError {
    /// The error as an outage of the domain. The message and the SQL of a database error contain no values.
    var outage: TravelError.Outage {
        switch code {
        case .busy, .locked: .init("Another program is writing to the travel database.", cause: .busy, canRetry: true)
        case .full: .init("The disk is full.", cause: .diskFull, canRetry: true)
        case .databaseIsNewer:
            .init("The travel database was written by a newer version.", cause: .newerVersion, canRetry: false)
        case .notADatabase:
            .init(
                "The file is not a travel database: choose another path.", cause: .notATravelDatabase, canRetry: false)
        case .corrupt: .init("The travel database is damaged: restore a backup.", cause: .damaged, canRetry: false)
        case .cannotOpen, .permission, .readOnly:
            .init(
                "The travel database cannot be opened: check its path and permissions.", cause: .inaccessible,
                canRetry: false)
        default: .init("The travel database failed: \(message) (\(extendedCode.rawValue)).", canRetry: false)
        }
    }
}
