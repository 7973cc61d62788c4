internal import SQLiteStore
import TravelDomain

extension Database {
    /// A read whose database errors are the domain's.
    func readTravels<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await mappingErrors { try await read(body) }
    }

    /// A write whose database errors are the domain's, and after which the bitmaps know most travels.
    func writeTravels<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await mappingErrors {
            try await write { db in
                let value = try body(db)
                try TravelBitmaps.update(db)
                return value
            }
        }
    }
}

/// What `body` returns; a database error that it throws becomes the domain's, and all others pass.
func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as SQLiteError {
        throw TravelError.unavailable(error.outage)
    }
}

/// What `body` makes of values read from the file, which that has checked before.
///
/// - Throws: `TravelError.unavailable` where they break a rule of the domain all the same.
func readingValues<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch TravelError.invalid {
        throw TravelError.unavailable(.init("The travel database holds values that break its rules.", canRetry: false))
    }
}

extension SQLiteError {
    /// The error in the domain's terms. Neither the message nor the SQL of a database error holds values.
    var outage: TravelError.Outage {
        switch code {
        case .busy, .locked: .init("Another program is writing to the travel database.", canRetry: true)
        case .full: .init("The disk is full.", canRetry: true)
        case .databaseIsNewer: .init("The travel database was written by a newer version.", canRetry: false)
        case .notADatabase: .init("The file is no travel database: choose another path.", canRetry: false)
        case .corrupt: .init("The travel database is damaged: restore a backup.", canRetry: false)
        case .cannotOpen, .permission, .readOnly:
            .init("The travel database cannot be opened: check its path and permissions.", canRetry: false)
        default: .init("The travel database failed: \(message) (\(extendedCode.rawValue)).", canRetry: false)
        }
    }
}
