internal import SQLiteStore

extension ImageFolder {
    /// Removes what a process has left that ended between a file and its row. What cannot be removed now does no harm, and
    /// is left for another time.
    func sweep(_ database: Database) async throws {
        try await database.read { db in
            // The state that is read is that of the first question, when the folder is locked.
            try? self.sweep { try ImageRecord.isNamed($0, db) }
        }
    }
}
