#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Calls `body` with the path of an empty directory, for databases that are opened more than once, and removes it
/// with all it holds afterwards.
public func withTemporaryFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        let value = try await body(folder.path())
        try FileManager.default.removeItem(at: folder)
        return value
    } catch {
        // The error of the body matters more than what is left in the temporary directory.
        try? FileManager.default.removeItem(at: folder)
        throw error
    }
}
