public import SQLiteStore

/// Calls `body` with a database in a temporary file, and then closes and removes it.
///
/// ```swift
/// try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
///     try await database.write { db in … }
/// }
/// ```
///
/// - Throws: `SQLiteError` when the database cannot be opened or migrated, and the errors of `body`.
public func withTemporaryDatabase<Value>(
    configuration: Database.Configuration = Database.Configuration(), migrations: [Migration] = [],
    _ body: (Database) async throws -> Value
) async throws -> Value {
    let database = try await Database.open(.temporary, configuration: configuration, migrations: migrations)
    do {
        let value = try await body(database)
        await database.close()
        return value
    } catch {
        await database.close()
        throw error
    }
}
