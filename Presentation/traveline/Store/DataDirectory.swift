import Foundation

/// Where this command keeps its database.
enum DataDirectory {
    /// The database of the person who runs the command: in `$XDG_DATA_HOME/traveline`, by default
    /// `~/.local/share/traveline` (XDG Base Directory Specification 0.8); on Apple platforms in Application Support.
    static func databasePath(in environment: [String: String]) throws -> String {
        try directory(in: environment) + "/travels.sqlite"
    }

    /// The file of what the device keeps for itself, in the same directory.
    static func devicePath(in environment: [String: String]) throws -> String {
        try directory(in: environment) + "/device.sqlite"
    }

    /// Creates the folder of a file, unless it exists.
    ///
    /// - Throws: `FileError` when it cannot be made.
    static func makeFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw FileError(
                path: folder, reason: "the directory cannot be made.", code: .unavailable, isInaccessible: true)
        }
    }

    private static func directory(in environment: [String: String]) throws -> String {
        // A relative path in XDG_DATA_HOME is to be ignored, says the specification.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/traveline" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw UsageError(
                "HOME is not set, so there is no data directory; name a database with --database PATH",
                "HOME이 없어서 데이터 폴더를 알 수 없습니다. --database PATH로 데이터베이스를 지정하세요")
        }
        #if canImport(Darwin)
            return home + "/Library/Application Support/traveline"
        #else
            return home + "/.local/share/traveline"
        #endif
    }
}
