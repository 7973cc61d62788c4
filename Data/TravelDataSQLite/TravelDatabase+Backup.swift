internal import SQLiteStore
import TravelDomain

extension TravelDatabase {
    /// Copies the database and its images to a new place while it is being used.
    ///
    /// The copy is one state of it, whatever is written meanwhile, with exactly the images of that state; it is opened like
    /// any other, by ``open(path:)``. Nothing is at `path` before the copy is whole and on the disk. When this throws, or its
    /// task is cancelled, nothing is left; a process that is killed leaves a draft, which has `.draft` in its name.
    ///
    /// ```swift
    /// try await database.backup(to: "/backups/2026-11-21.db")    // and /backups/2026-11-21.db-images
    /// ```
    ///
    /// Files of images that are removed meanwhile stay on the disk until it is done.
    ///
    /// - Parameter path: Where there is nothing yet, in a folder that is there.
    /// - Throws: ``TravelError/unavailable(_:)`` when there is something at `path`, an image is missing or damaged, or the disk
    ///   is full; `CancellationError`.
    public func backup(to path: String) async throws {
        try await mappingErrors {
            let draft = TravelDraft(of: path, from: travels.imageFolder)
            do {
                try await copy(to: draft)
                try await database.read { _ in try draft.publish() }
            } catch {
                draft.remove()
                throw error
            }
            // What was kept for the copy goes; where that is cancelled, it goes another time.
            try? await travels.imageFolder.sweep(database)
        }
    }

    private func copy(to draft: TravelDraft) async throws {
        // From before the state that is copied until its last file is.
        let lock = try await database.read { [imageFolder = travels.imageFolder] _ in
            try draft.requireFreePath()
            return try imageFolder.keepFiles()
        }
        defer { withExtendedLifetime(lock) {} }
        try await database.backup(to: draft.path)
        let copy = try await Database.open(.file(draft.path))
        do {
            try await copy.read { db in
                try db.forEach(ImageRecord.selectAll) { try draft.copy(try ImageRecord(row: $0)) }
                try db.forEach(ImageRecord.selectAll) { try draft.sync(try ImageRecord(row: $0)) }
            }
        } catch {
            await copy.close()
            throw error
        }
        await copy.close()
    }
}
