internal import SQLiteStore
import TravelDomain

extension TravelDatabase {
    /// Copies the database and its images to `path` while it is in use.
    ///
    /// The copy is one snapshot with exactly its images, whatever is written in the meantime, and opens with
    /// ``open(path:)``. Nothing exists at `path` before the copy is complete and durable. When this throws, or its
    /// task is cancelled, nothing remains; a process that is killed leaves a draft, whose name contains `.draft`.
    ///
    /// ```swift
    /// try await database.backup(to: "/backups/2026-11-21.db")    // and /backups/2026-11-21.db-images
    /// ```
    ///
    /// Image files that are removed in the meantime stay on the disk until the copy is complete.
    ///
    /// - Parameter path: The path of the copy, which must not exist, in an existing folder.
    /// - Throws: `TravelError.unavailable` when something exists at `path`, when an image is missing or damaged, or
    ///   when the disk is full; `CancellationError`.
    public func backup(to path: String) async throws {
        try await mappingErrors {
            let draft = TravelDraft(of: path, from: travels.imageFolder)
            do {
                try await copy(to: draft)
                try await database.offload { try draft.publish() }
            } catch {
                draft.remove()
                throw error
            }
            // Removes the files that were kept for the copy; if this is cancelled, a later sweep removes them.
            try? await travels.imageFolder.sweep(database)
        }
    }

    private func copy(to draft: TravelDraft) async throws {
        // Held from before the snapshot until the last file is copied.
        let lock = try await database.offload { [imageFolder = travels.imageFolder] in
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
