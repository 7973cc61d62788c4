public import SQLiteStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

/// Calls `body` with the path of an empty temporary directory, for databases that are opened more than once, and then
/// removes it with its contents.
///
/// ```swift
/// try await withTemporaryFolder { folder in
///     let database = try await Database.open(.file(folder + "/cities.db"))
///     await database.close()
/// }
/// ```
///
/// - Throws: The errors of creating and removing the directory, and of `body`.
public func withTemporaryFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        let value = try await body(folder.path())
        try FileManager.default.removeItem(at: folder)
        return value
    } catch {
        // The error of the body is more important than files that remain in the temporary directory.
        try? FileManager.default.removeItem(at: folder)
        throw error
    }
}
