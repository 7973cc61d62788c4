public import SQLiteStore

/// Calls `body` with a database in a file of its own, and closes and removes it afterwards.
///
/// ```swift
/// try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
///     try await database.write { db in … }
/// }
/// ```
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
