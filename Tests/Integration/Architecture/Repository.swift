import Foundation

/// The files of this repository.
enum Repository {
    /// The folder of `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// All Swift files in a folder and its subfolders.
    static func swiftFiles(in folder: String) throws -> [URL] {
        let folder = root.appendingPathComponent(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
            .map { folder.appendingPathComponent($0) }
    }

    /// The names of the direct subfolders of a folder.
    static func folders(in folder: String) throws -> [String] {
        let folder = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(
                atPath: folder.appendingPathComponent(name).path, isDirectory: &isFolder)
            return exists && isFolder.boolValue
        }
    }
}
