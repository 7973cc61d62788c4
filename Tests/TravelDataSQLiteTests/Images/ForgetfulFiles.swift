import Foundation
import Synchronization
import TravelDataSQLite
import TravelDataShared
import TravelDomain

/// Files on a disk that loses unsynced changes with the power.
///
/// The power fails at a given call: that call and all later ones throw. ``forget()`` then restores the disk: files
/// that were written but not synced are empty, names that were not synced with their folder are missing, and names
/// that were removed since then exist again. Unsynced changes may also survive: a `Memory` decides which folders lose
/// them.
final class ForgetfulFiles: FileAccess {
    /// The folders that lose unsynced changes. The others lose none.
    enum Memory: CaseIterable {
        case noneKeeps, onlyMarksKeep, onlyFilesKeep

        fileprivate func keeps(_ path: String) -> Bool {
            let isMark = path.contains("-images/unsettled/")
            return switch self {
            case .noneKeeps: false
            case .onlyMarksKeep: isMark
            case .onlyFilesKeep: !isMark
            }
        }
    }

    private struct State {
        var calls = 0
        /// Files of which only the name is certain.
        var unsynced: Set<String> = []
        /// Names that their folder may lose.
        var unlisted: Set<String> = []
        /// Files that their folder may restore.
        var removed: [String: Data] = [:]
    }

    private let system = SystemFiles()
    private let lastCall: Int
    private let memory: Memory
    private let state = Mutex(State())

    /// Creates files whose power fails at the call with that number, counted from 1.
    init(powerFailsAt call: Int, _ memory: Memory) { (lastCall, self.memory) = (call, memory) }

    /// Whether the power has failed.
    var hasFailed: Bool { state.withLock { $0.calls >= lastCall } }

    func makeFolder(_ path: String) throws {
        try step { state in
            if try system.names(in: path) == nil { state.unlisted.insert(path) }
            try system.makeFolder(path)
        }
    }

    func makeFile(_ path: String) throws {
        try step { state in
            try system.makeFile(path)
            if !memory.keeps(path) { state.unlisted.insert(path) }
        }
    }

    func write(_ bytes: Data, to path: String) throws {
        try step { state in
            try system.write(bytes, to: path)
            if memory.keeps(path) { return }
            state.unsynced.insert(path)
            state.unlisted.insert(path)
        }
    }

    func sync(_ path: String) throws {
        try step { state in
            try system.sync(path)
            state.unsynced.remove(path)
            let isInside = { (file: String) in URL(filePath: file).deletingLastPathComponent().path == path }
            state.unlisted = state.unlisted.filter { !isInside($0) }
            state.removed = state.removed.filter { !isInside($0.key) }
        }
    }

    func remove(_ path: String) throws {
        try step { state in
            if !state.unlisted.contains(path), !memory.keeps(path) { state.removed[path] = try system.read(path) }
            try system.remove(path)
        }
    }

    /// Does not count as a change.
    func move(_ path: String, to newPath: String) throws { try system.move(path, to: newPath) }
    func read(_ path: String) throws -> Data? { try system.read(path) }
    func names(in folder: String) throws -> [String]? { try system.names(in: folder) }
    func lock(_ folder: String, isShared: Bool) throws -> FolderLock? { try system.lock(folder, isShared: isShared) }

    /// Restores the disk to its state after the loss of power.
    func forget() throws {
        let state = state.withLock { $0 }
        for (path, bytes) in state.removed { try bytes.write(to: URL(filePath: path)) }
        for path in state.unsynced where FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(filePath: path))
        }
        for path in state.unlisted where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private func step(_ body: (inout State) throws -> Void) throws {
        try state.withLock { state in
            state.calls += 1
            guard state.calls < lastCall else { throw ScriptedFiles.fault }
            try body(&state)
        }
    }
}
