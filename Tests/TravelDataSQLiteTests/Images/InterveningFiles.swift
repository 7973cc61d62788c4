import Foundation
import TravelDataSQLite
import TravelDataShared

/// The system's files, with actions that run before some calls.
struct InterveningFiles: FileAccess {
    private let system = SystemFiles()
    /// These are called on a thread that may block.
    var beforeSweep: @Sendable () -> Void = {}
    var beforeListing: @Sendable (_ folder: String) -> Void = { _ in }
    var beforeWriting: @Sendable () -> Void = {}
    var beforeReading: @Sendable () throws -> Void = {}

    func makeFolder(_ path: String) throws { try system.makeFolder(path) }
    func makeFile(_ path: String) throws { try system.makeFile(path) }
    func write(_ bytes: Data, to path: String) throws {
        beforeWriting()
        try system.write(bytes, to: path)
    }

    func sync(_ path: String) throws { try system.sync(path) }
    func move(_ path: String, to newPath: String) throws { try system.move(path, to: newPath) }

    func read(_ path: String) throws -> Data? {
        try beforeReading()
        return try system.read(path)
    }

    func remove(_ path: String) throws { try system.remove(path) }
    func names(in folder: String) throws -> [String]? {
        beforeListing(folder)
        return try system.names(in: folder)
    }

    func lock(_ folder: String, isShared: Bool) throws -> FolderLock? {
        if !isShared { beforeSweep() }
        return try system.lock(folder, isShared: isShared)
    }
}
