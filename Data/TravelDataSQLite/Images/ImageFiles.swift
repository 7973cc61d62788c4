#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The file system operations of an ``ImageFolder``.
///
/// ``SystemFiles`` implements them with system calls. Tests use other implementations to inject faults at each step.
package protocol ImageFiles: Sendable {
    /// Creates the folder at `path`, if it does not exist.
    func makeFolder(_ path: String) throws

    /// Creates an empty file at `path`, if no file exists there.
    func makeFile(_ path: String) throws

    /// Writes a new file. It is durable only after ``sync(_:)``.
    func write(_ bytes: Data, to path: String) throws

    /// Makes the content of a file, or the list of names in a folder, durable.
    func sync(_ path: String) throws

    /// Moves the file or folder to another path on the same volume, where nothing may exist yet.
    func move(_ path: String, to newPath: String) throws

    /// Reads the content of the file; `nil` when it does not exist.
    func read(_ path: String) throws -> Data?

    /// Removes the file or the empty folder, if it exists.
    func remove(_ path: String) throws

    /// Lists the names in the folder; `nil` when it does not exist.
    func names(in folder: String) throws -> [String]?

    /// Locks the folder, across processes, for the lifetime of the result; `nil` when the folder does not exist, or
    /// when an exclusive lock is not available.
    ///
    /// - Parameter isShared: Whether the lock is shared or exclusive. A request for a shared lock waits while the
    ///   folder is locked exclusively; a request for an exclusive lock does not wait.
    func lock(_ folder: String, isShared: Bool) throws -> FolderLock?
}

extension ImageFiles {
    /// Makes durable whether a file or folder exists at `path`, by syncing the enclosing folder.
    func syncName(of path: String) throws {
        try sync(Self.folder(of: path))
    }

    /// The path of the folder that contains `path`.
    static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}

/// A lock that is released with its last reference, or when the process ends.
package final class FolderLock: Sendable {
    private let release: @Sendable () -> Void

    /// Creates a lock that calls `release` when it is deinitialised.
    init(release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
}
