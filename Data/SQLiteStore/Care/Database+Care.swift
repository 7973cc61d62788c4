internal import CSQLite

extension Database {
    /// What SQLite finds wrong with the file: damaged pages, indexes that do not agree with their tables, broken
    /// constraints, and rows that refer to none. Empty if all is well. Of the first three kinds it names 100 at most, and
    /// never what is in a row.
    ///
    /// It reads the whole file, and takes as long.
    public func integrityCheck() async throws -> [String] {
        try await read { db in
            let problems = try db.fetchAll(String.self, "PRAGMA integrity_check").filter { $0 != "ok" }
            let orphans = try db.fetchAll("PRAGMA foreign_key_check") { row in
                "a row of \(try row[0] as String) refers to a missing row of \(try row[2] as String)"
            }
            return problems + orphans
        }
    }

    /// How thorough a checkpoint is.
    public enum CheckpointMode: Int32, Hashable, Sendable {
        /// As much as can be moved without waiting for anyone.
        case passive = 0
        /// Everything; waits for writers, and for readers of earlier states.
        case full = 1
        /// Everything, and the next write begins the log from its start.
        case restart = 2
        /// Everything, and the log file is emptied.
        case truncate = 3
    }

    /// Moves what has been committed from the write-ahead log into the database file.
    ///
    /// SQLite does so by itself every 1,000 pages; this is for a moment of leisure.
    ///
    /// - Returns: how many pages are in the log, and how many of them have been moved; none where there is no log, as in
    ///   memory.
    /// - Throws: `.busy` if those that had to be waited for took longer than the busy timeout; never for `.passive`.
    @discardableResult
    public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> (logged: Int, moved: Int) {
        try await writeWithoutTransaction { db in
            var (logged, moved): (Int32, Int32) = (0, 0)
            let code = sqlite3_wal_checkpoint_v2(db.handle, nil, mode.rawValue, &logged, &moved)
            guard code == SQLITE_OK else { throw db.failure(code, sql: "checkpoint") }
            // Without a log both are -1.
            return (max(Int(logged), 0), max(Int(moved), 0))
        }
    }

    /// Writes a compact copy of the database, as it is now, to a new file, which its owner alone may read. The file must not
    /// exist, or be empty.
    public func vacuum(into path: String) async throws {
        try PrivateFile.check(path)
        try await writeWithoutTransaction { db in
            let isNew = PrivateFile.create(at: path)
            do {
                try db.execute("VACUUM INTO \(path)")
            } catch {
                if isNew { PrivateFile.remove(at: path) }
                throw error
            }
        }
    }

    /// Rewrites the database file without the space that deleted rows have left. Meanwhile it takes up to twice its size.
    ///
    /// - Throws: `.busy` if another process writes for longer than the busy timeout; `.full`; `CancellationError`. The file
    ///   is as it was then.
    public func vacuum() async throws {
        try await writeWithoutTransaction { db in _ = try db.execute("VACUUM") }
    }
}
