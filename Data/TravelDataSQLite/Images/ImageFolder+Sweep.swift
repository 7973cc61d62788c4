internal import SQLiteStore

extension ImageFolder {
    /// Removes the files that a process has left without rows because it ended early. Files that cannot be removed
    /// now are harmless and stay for the next sweep.
    func sweep(_ database: Database) async throws {
        try await database.read { db in
            // The first query runs after the folder is locked, and determines the snapshot of the read.
            try? self.sweep { try ImageRecord.isNamed($0, db) }
        }
    }
}
