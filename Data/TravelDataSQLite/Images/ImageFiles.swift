#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What an ``ImageFolder`` asks of the file system.
///
/// ``SystemFiles`` is the system's own. The protocol is there so that each step can be made the last one of a process.
package protocol ImageFiles: Sendable {
    /// Makes the folder at `path`, unless it is there.
    func makeFolder(_ path: String) throws

    /// Makes an empty file at `path`, unless there is a file.
    func makeFile(_ path: String) throws

    /// Writes a file that is not there yet. What survives a loss of power is for ``sync(_:)`` to say.
    func write(_ bytes: Data, to path: String) throws

    /// Returns once what is in the file, or which names are in the folder, survives a loss of power.
    func sync(_ path: String) throws

    /// Gives the file or folder another path on the same disk, where there must be nothing yet.
    func move(_ path: String, to newPath: String) throws

    /// What is in the file; `nil` when there is none.
    func read(_ path: String) throws -> Data?

    /// Removes the file or the empty folder, unless it is gone.
    func remove(_ path: String) throws

    /// The names in the folder; `nil` when there is none.
    func names(in folder: String) throws -> [String]?

    /// Locks the folder against those who lock it in the other way, in other processes too, for as long as the result
    /// lives; `nil` when there is no folder, or when it is locked that way now.
    ///
    /// - Parameter isShared: Whether others may share the lock. One who wants to share it waits for one who does not.
    func lock(_ folder: String, isShared: Bool) throws -> FolderLock?
}

extension ImageFiles {
    /// Returns once it survives a loss of power what is at `path`, and whether anything is.
    func syncName(of path: String) throws {
        try sync(Self.folder(of: path))
    }

    /// The path of the folder that `path` is in.
    static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}

/// A lock that ends with its last reference, or with the process.
package final class FolderLock: Sendable {
    private let release: @Sendable () -> Void

    /// A lock that ends by `release`.
    init(release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
}
