internal import Synchronization
import TravelDataShared
import TravelDomain

/// A database with its images under a temporary name in its final folder. It gets its name once it is complete: an
/// interrupted run leaves nothing that a later one would mistake for a database.
package final class DatabaseDraft: Sendable {
    /// The path that the database gets.
    package let target: String
    /// The temporary path of the database.
    let path: String
    private let files: any FileAccess
    private let images: ImageFolder
    private let state = Mutex(State())

    private struct State {
        var isOpen = false
        var isAbandoned = false
        var hasImages = false
        /// Whether the images and the database have their final names.
        var hasPublishedImages = false
        var isPublished = false
    }

    init(of target: String, files: any FileAccess) {
        // The steps run at different times, and the current directory can change.
        let target = target.hasPrefix("/") ? target : FileManager.default.currentDirectoryPath + "/" + target
        (self.target, self.files) = (target, files)
        path = "\(target).\(ImageFolder.FileID()).draft"
        images = ImageFolder(path: "\(path)-images", isTemporary: false, files: files)
    }

    /// Renames the copy: the images first, so that the database is never without its images.
    func publish() throws {
        try state.withLock { state in
            if state.isAbandoned { throw CancellationError() }
            if state.hasImages {
                try files.sync(images.path)
                try files.move(images.path, to: "\(target)-images")
                state.hasPublishedImages = true
            }
            try files.move(path, to: target)
            state.isPublished = true
            try files.syncName(of: target)
        }
    }

    /// Removes what exists under the temporary and the final names.
    func remove() {
        let state = state.withLock { $0 }
        // Files that cannot be removed have a name that identifies them as a draft.
        if state.isPublished { try? files.remove(target) }
        removeDatabase(at: path)
        let path = state.hasPublishedImages ? "\(target)-images" : images.path
        ImageFolder(path: path, isTemporary: true, files: files).close()
    }

    private func removeDatabase(at path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? files.remove(path + suffix) }
    }
}

extension DatabaseDraft {
    /// Throws unless the final paths are free.
    func requireFreePath() throws {
        let isTaken = ["", "-wal", "-journal", "-images"].contains {
            FileManager.default.fileExists(atPath: target + $0)
        }
        guard !isTaken else {
            throw TravelError.unavailable(
                .init("The path of the backup already exists: choose another one.", cause: .fileExists, canRetry: false)
            )
        }
    }

    func copy(_ image: ImageRecord, from source: ImageFolder) throws {
        try state.withLock { state in
            if !state.hasImages { try images.prepare() }
            state.hasImages = true
        }
        guard let bytes = try image.bytes(in: source) else { throw ImageRecord.missing }
        try files.write(bytes, to: images.path(of: image.file))
    }

    func sync(_ image: ImageRecord) throws {
        try files.sync(images.path(of: image.file))
    }
}

/// A new database. A lock on a file beside it shows other processes, also in other containers, that this one is alive.
extension DatabaseDraft {
    /// Prepares a draft of the database at `target`, without images.
    package convenience init(of target: String) {
        self.init(of: target, files: SystemFiles(of: "the travel database"))
    }

    /// Creates a database, fills it with `fill`, and moves it to its path. Returns false if another process was first.
    ///
    /// - Throws: The errors of `fill`; `CancellationError` after ``abandon()``; `TravelError.unavailable` when the
    ///   database cannot be created, or another one has left its log there. Nothing remains then.
    package func create(_ fill: (TravelDatabase) async throws -> Void) async throws -> Bool {
        removeAbandoned()
        let lock = try lockDraft()
        defer {
            removeDatabase(at: path)
            try? files.remove(lockPath)
            withExtendedLifetime(lock) {}
        }
        let database = try await TravelDatabase.open(path: path)
        state.withLock { $0.isOpen = true }
        try await closing(database.close) { try await fill(database) }
        do {
            try requireNoLog()
            try publish()
        } catch is TravelError where FileManager.default.fileExists(atPath: target) {
            return false
        }
        return true
    }

    /// Throws when a database of that name has left the log of its last transactions, which SQLite would apply to the new
    /// one: it was removed or moved without it.
    private func requireNoLog() throws {
        // First the log, then the database: a process that was first has the database before its log.
        for suffix in ["-wal", "-journal"] {
            // One that does not exist, or is empty, has no transactions.
            let size = (try? FileManager.default.attributesOfItem(atPath: target + suffix))?[.size] as? Int
            if (size ?? 0) == 0 || FileManager.default.fileExists(atPath: target) { continue }
            let name = URL(filePath: target + suffix).lastPathComponent
            throw TravelError.unavailable(
                .init(
                    "The file \(name) belongs to a database that no longer exists: restore the database, or remove "
                        + "the file.",
                    cause: .fileExists, canRetry: false))
        }
    }

    /// Removes the draft while it is being filled, as a process does that ends now; false if there is none, because it
    /// is not made yet or is whole.
    package func abandon() -> Bool {
        state.withLock { state in
            if state.isOpen, !state.isPublished, !state.isAbandoned {
                removeDatabase(at: path)
                try? files.remove(lockPath)
                state.isAbandoned = true
            }
            return state.isAbandoned
        }
    }

    /// Removes what processes have left that were killed meanwhile.
    package func removeAbandoned() {
        let place = URL(filePath: target)
        let (name, folder) = (place.lastPathComponent, place.deletingLastPathComponent().path)
        // A folder that cannot be listed holds nothing that could be removed.
        let names = (try? files.names(in: folder)) ?? []
        for file in names where file.hasPrefix(name + ".") && file.hasSuffix(".draft-lock") {
            let lockPath = "\(folder)/\(file)"
            // Another process fills the draft, or is removing it.
            guard let lock = try? files.lock(lockPath, isShared: false) else { continue }
            removeDatabase(at: String(lockPath.dropLast("-lock".count)))
            try? files.remove(lockPath)
            withExtendedLifetime(lock) {}
        }
    }

    private var lockPath: String { path + "-lock" }

    /// Creates and locks the lock file, which exists from before the draft is created until after it is gone.
    private func lockDraft() throws -> FolderLock {
        while true {
            try files.makeFile(lockPath)
            // Before the lock is acquired, another process may consider the file abandoned, and remove it.
            if let lock = try files.lock(lockPath, isShared: false), FileManager.default.fileExists(atPath: lockPath) {
                return lock
            }
        }
    }
}
