import Foundation
import TravelDataSQLite

/// The system's files, where something else happens before each sweep.
struct InterveningFiles: ImageFiles {
    private let system = SystemFiles()
    /// Called on a thread that may wait.
    let beforeSweep: @Sendable () -> Void

    func makeFolder(_ path: String) throws { try system.makeFolder(path) }
    func write(_ bytes: Data, to path: String) throws { try system.write(bytes, to: path) }
    func sync(_ path: String) throws { try system.sync(path) }
    func read(_ path: String) throws -> Data? { try system.read(path) }
    func remove(_ path: String) throws { try system.remove(path) }
    func names(in folder: String) throws -> [String]? { try system.names(in: folder) }

    func lock(_ folder: String, isShared: Bool) throws -> FolderLock? {
        if !isShared { beforeSweep() }
        return try system.lock(folder, isShared: isShared)
    }
}
