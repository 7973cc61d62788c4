#if PostgreSQL
import Foundation
public import PostgreSQLStore

/// Calls `body` with the location of an empty schema on the shared server, and then drops the schema.
///
/// - Throws: `PostgreSQLServer.StartError`; `PostgreSQLError` when the schema cannot be made; the errors of `body`.
public func withTemporarySchema<Value>(_ body: (Database.Location) async throws -> Value) async throws -> Value {
    try await withTemporarySchema(on: .shared, body)
}

/// Calls `body` with the location of an empty schema on a server, and then drops the schema.
///
/// - Throws: `PostgreSQLError` when the schema cannot be made; the errors of `body`.
public func withTemporarySchema<Value>(
    on server: PostgreSQLServer, _ body: (Database.Location) async throws -> Value
) async throws -> Value {
    let name = "test_\(UUID().uuidString.lowercased())"
    try await runOnce("CREATE SCHEMA \(identifier: name)", on: server)
    do {
        let value = try await body(server.location.inSchema(name))
        try await runOnce("DROP SCHEMA \(identifier: name) CASCADE", on: server)
        return value
    } catch {
        // The error of the body is more important than a schema that remains.
        try? await runOnce("DROP SCHEMA \(identifier: name) CASCADE", on: server)
        throw error
    }
}

/// Calls `body` with a database in an empty schema of the shared server, and then closes and drops it.
///
/// ```swift
/// try await withTemporaryDatabase(migrations: migrations) { database in
///     try await database.write { db in … }
/// }
/// ```
///
/// - Throws: `PostgreSQLServer.StartError`; `PostgreSQLError` when the database cannot be opened or migrated; the
///   errors of `body`.
public func withTemporaryDatabase<Value>(
    configuration: Database.Configuration = Database.Configuration(), migrations: [Migration] = [],
    _ body: (Database) async throws -> Value
) async throws -> Value {
    try await withTemporarySchema { location in
        let database = try await Database.open(location, configuration: configuration, migrations: migrations)
        do {
            let value = try await body(database)
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }
}

private func runOnce(_ sql: SQL, on server: PostgreSQLServer) async throws {
    let configuration = Database.Configuration().with {
        $0.connectionCount = 1
        // The server may be behind a pooler, which runs each statement on any of its connections.
        $0.preparesStatements = false
    }
    let database = try await Database.open(server.location, configuration: configuration)
    do {
        try await database.writeWithoutTransaction { db in _ = try db.execute(sql) }
        await database.close()
    } catch {
        await database.close()
        throw error
    }
}
#endif
