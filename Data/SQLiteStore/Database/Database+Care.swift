internal import CSQLite

extension Database {
    /// Returns the problems that SQLite finds in the file: damaged pages, indexes that do not match their tables,
    /// violated constraints, and rows whose foreign key refers to a missing row; empty if the file is sound.
    ///
    /// The result names at most 100 problems of the first three kinds and contains no values of rows. The check reads
    /// the whole file, and its duration grows with the size of the file. SQLite checks full-text indexes (FTS3 to FTS5)
    /// from version 3.44 on.
    ///
    /// ```swift
    /// let problems = try await database.integrityCheck()
    /// if !problems.isEmpty { log(problems.joined(separator: "\n")) }
    /// ```
    ///
    /// - Throws: ``SQLiteError`` if the file cannot be read; `CancellationError`.
    public func integrityCheck() async throws -> [String] {
        try await read { db in
            let problems = try db.fetchAll(String.self, "PRAGMA integrity_check").filter { $0 != "ok" }
            let orphans = try db.fetchAll("PRAGMA foreign_key_check") { row in
                "a row of table \"\(try row[0] as String)\" refers to a missing row of \"\(try row[2] as String)\""
            }
            return problems + orphans
        }
    }

    /// The kinds of checkpoints, as in https://www.sqlite.org/c3ref/wal_checkpoint_v2.html.
    public enum CheckpointMode: Int32, Hashable, Sendable {
        /// Moves as many pages as possible without waiting.
        case passive = 0
        /// Moves all pages; waits for writers, and for readers of earlier states.
        case full = 1
        /// Like `full`; then the next write begins at the start of the log.
        case restart = 2
        /// Like `restart`, and truncates the log file to zero bytes.
        case truncate = 3
    }

    /// Moves committed pages from the write-ahead log into the database file.
    ///
    /// SQLite does this automatically every 1,000 pages. Call it to choose the moment, for example when the app is
    /// idle.
    ///
    /// ```swift
    /// let pages = try await database.checkpoint()
    /// print("\(pages.moved) of \(pages.logged) pages are in the database file")
    /// ```
    ///
    /// - Returns: The number of pages in the log, and the number of those that have been moved; 0 for both without a
    ///   log, for example in memory.
    /// - Throws: `.busy` if waiting for other connections exceeds the busy timeout, never for `.passive`; other
    ///   ``SQLiteError``s of reading and writing the file; `CancellationError`.
    @discardableResult
    public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> (logged: Int, moved: Int) {
        try await writeWithoutTransaction { db in
            // SQLite forgets an interruption that arrives before the call.
            if db.interruption.isFlagged { throw db.interruption.error }
            var (logged, moved): (Int32, Int32) = (0, 0)
            let code = sqlite3_wal_checkpoint_v2(db.handle, nil, mode.rawValue, &logged, &moved)
            guard code == SQLITE_OK else { throw db.failure(code, sql: "checkpoint") }
            // Both are -1 without a log.
            return (max(Int(logged), 0), max(Int(moved), 0))
        }
    }

    /// Writes a compact copy of the current database to a file, with permissions for its owner only. The copy survives a
    /// loss of power, even if the database would not.
    ///
    /// - Parameter path: The path of the copy. The file must not exist, or must be empty.
    /// - Throws: ``SQLiteError``, such as `.error` if the file has content and `.full`; `CancellationError`. A file
    ///   that this call created is then removed.
    public func vacuum(into path: String) async throws {
        try PrivateFile.check(path)
        let path = try PrivateFile.absolute(path)
        try await writeWithoutTransaction { db in
            let isNew = PrivateFile.create(at: path)
            do {
                // SQLite waits for the copy as this setting of its source says.
                try db.execute("PRAGMA synchronous = FULL")
                try db.execute("VACUUM INTO \(path)")
            } catch {
                if isNew { PrivateFile.remove(at: path) }
                throw error
            }
        }
    }

    /// Rewrites the database file without the space that deleted rows left. This temporarily takes up to twice the size
    /// of the file.
    ///
    /// - Throws: `.busy` if another process writes for longer than the busy timeout; `.full`; `CancellationError`. The
    ///   file is then unchanged.
    public func vacuum() async throws {
        try await writeWithoutTransaction { db in _ = try db.execute("VACUUM") }
    }
}

public struct BackupProgress: Hashable, Sendable {
    public let remaining: Int
    public let total: Int

    /// The completed fraction, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(total - remaining) / Double(total) }
}

extension Database {
    /// Copies the database to another file while it is in use. A file that does not exist is created with permissions
    /// for its owner only.
    ///
    /// The copy is the state at the beginning of the backup, regardless of later writes. The last step replaces the
    /// content of the other file; if the task is cancelled before the last step, or an error is thrown, the other file
    /// keeps its content. Once the last step has begun, cancellation has no effect.
    ///
    /// ```swift
    /// try await database.backup(to: path) { print("\(Int($0.fraction * 100)) %") }
    /// ```
    ///
    /// To restore a backup, copy it to the path of the database while no process has that open, after removing the files
    /// with the suffixes `-wal` and `-journal`, which a crash may have left: SQLite would apply them to the backup.
    ///
    /// `progress` is called after each step of `pagesPerStep` pages, on the thread that copies.
    ///
    /// - Throws: `.misuse` if the path leads to a file of this database; `.cannotOpen` if the other file cannot be
    /// opened or created; `.busy` if another connection uses it; the errors of reading and writing, such as `.full`;
    /// `CancellationError`.
    public func backup(
        to path: String, pagesPerStep: Int = 256, progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws {
        try PrivateFile.check(path)
        let path = try PrivateFile.absolute(path)
        let own = try await read { db in
            try db.fetchAll(String.self, "SELECT file FROM pragma_database_list WHERE file <> ''")
        }
        for file in own.flatMap({ file in ["", "-wal", "-shm", "-journal"].map { file + $0 } })
        where PrivateFile.isSame(file, path) {
            throw SQLiteError(.misuse, "\(path) belongs to the database that is copied: choose another path")
        }
        try await read { db in
            PrivateFile.create(at: path)
            // The first statement of the read fixes the state that is copied.
            _ = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM sqlite_schema")
            var opened: OpaquePointer?
            let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
            defer { sqlite3_close_v2(opened) }
            guard code == SQLITE_OK, let target = opened else { throw SQLiteError.last(on: opened, code: code) }
            try db.copy(to: target, pagesPerStep: Int32(clamping: pagesPerStep), progress: progress)
        }
    }
}

extension Connection {
    fileprivate func copy(
        to target: OpaquePointer, pagesPerStep: Int32, progress: (BackupProgress) -> Void
    ) throws {
        guard let backup = sqlite3_backup_init(target, "main", handle, "main") else {
            throw SQLiteError.last(on: target, code: sqlite3_errcode(target))
        }
        let pagesPerStep = max(pagesPerStep, 1)
        var remaining = try fetchOne(Int32.self, "PRAGMA page_count") ?? 0
        var code = SQLITE_OK
        // The last step commits and is the point of no return: a later cancellation must not be reported, because the
        // other file has been replaced.
        while code == SQLITE_OK,
            remaining > pagesPerStep ? !interruption.isRequested : interruption.passPointOfNoReturn()
        {
            code = sqlite3_backup_step(backup, pagesPerStep)
            remaining = sqlite3_backup_remaining(backup)
            progress(BackupProgress(remaining: Int(remaining), total: Int(sqlite3_backup_pagecount(backup))))
        }
        // Rolls the written pages back unless the last page was reached.
        sqlite3_backup_finish(backup)
        if code == SQLITE_OK { throw interruption.error }
        guard code == SQLITE_DONE else { throw SQLiteError.last(on: target, code: code) }
    }
}
