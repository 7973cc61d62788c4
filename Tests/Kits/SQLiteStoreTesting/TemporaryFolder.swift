#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
