import Foundation
import Synchronization
import TravelDataSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A new database, created under a temporary name in its final folder and moved to its path when it is complete: an
/// interrupted run leaves nothing that a later run would mistake for a database.
///
/// The process holds a lock on a file beside the draft. The lock shows whether the process is alive, also to processes
/// in other containers.
final class DraftDatabase: Sendable {
    let path: String
    private let draft: String
    private let makesFolders: Bool
    private let state = Mutex(State.none)

    private enum State {
        case none, open, abandoned, published
    }

    /// Prepares a draft of the database at `path`. The folder must exist, unless `makesFolders`.
    init(path: String, makesFolders: Bool = false) {
        self.path = path
        self.makesFolders = makesFolders
        draft = "\(path).\(UUID().uuidString.prefix(8)).new"
    }

    /// Creates a database, fills it with `fill`, and moves it to `path`. Returns false if another process was first.
    func create(_ fill: (TravelDatabase) async throws -> Void) async throws -> Bool {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if makesFolders {
            do {
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw FileError(path: directory, reason: "the directory cannot be made.", code: .unavailable)
            }
        } else if !FileManager.default.fileExists(atPath: directory) {
            throw FileError(
                path: path, reason: "there is no directory \(directory); make it first, or correct the path.",
                code: .usage)
        }
        removeAbandonedDrafts()
        let lock = try lockDraft()
        defer {
            remove(draft)
            unlink(Self.lockFile(of: draft))
            close(lock)
        }
        let database = try await TravelDatabase.open(path: draft)
        state.withLock { $0 = .open }
        do {
            try await fill(database)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
        return try publish()
    }

    /// Removes the draft while it is being filled, as a process does that ends now; false if there is none, because it
    /// is not made yet or is whole.
    func abandon() -> Bool {
        state.withLock { state in
            if state == .open {
                remove(draft)
                unlink(Self.lockFile(of: draft))
                state = .abandoned
            }
            return state == .abandoned
        }
    }

    private func publish() throws -> Bool {
        try state.withLock { state in
            if state == .abandoned { throw CancellationError() }
            state = .published
            if link(draft, path) == 0 { return true }
            if errno == EEXIST { return false }
            // Some file systems have no hard links.
            guard rename(draft, path) == 0 else {
                throw FileError(path: path, reason: String(cString: strerror(errno)), code: .unavailable)
            }
            return true
        }
    }

    private func remove(_ draft: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
    }

    /// Creates and locks the lock file, which exists from before the draft is created until after it is gone.
    private func lockDraft() throws -> Int32 {
        while true {
            let lock = open(Self.lockFile(of: draft), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard lock >= 0 else {
                throw FileError(path: path, reason: String(cString: strerror(errno)), code: .unavailable)
            }
            // Before the lock is acquired, another process may consider the file abandoned and remove it.
            var info = stat()
            if flock(lock, LOCK_EX) == 0, fstat(lock, &info) == 0, info.st_nlink > 0 { return lock }
            close(lock)
        }
    }

    private static func lockFile(of draft: String) -> String { draft + "-lock" }

    /// Removes what processes have left that were killed meanwhile.
    func removeAbandonedDrafts() {
        let place = URL(fileURLWithPath: path)
        let (name, directory) = (place.lastPathComponent, place.deletingLastPathComponent().path)
        // A directory that cannot be listed holds nothing that could be removed.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let drafts = files.compactMap { file -> String? in
            guard file.hasPrefix(name + ".") else { return nil }
            let draft = file.hasSuffix("-lock") ? String(file.dropLast(5)) : file
            return draft.hasSuffix(".new") ? "\(directory)/\(draft)" : nil
        }
        for draft in Set(drafts) {
            let lock = open(Self.lockFile(of: draft), O_RDWR | O_CLOEXEC)
            defer { if lock >= 0 { close(lock) } }
            // A draft without a lock file is not made by this version, or is being removed by another process.
            guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { continue }
            remove(draft)
            unlink(Self.lockFile(of: draft))
        }
    }
}
