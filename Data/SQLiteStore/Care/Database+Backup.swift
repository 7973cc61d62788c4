internal import CSQLite

/// The progress of a backup.
///
/// ```swift
/// try await database.backup(to: path) { print("\(Int($0.fraction * 100)) %") }
/// ```
public struct BackupProgress: Hashable, Sendable {
    /// The number of pages still to be copied.
    public let remaining: Int
    /// The total number of pages.
    public let total: Int

    /// The completed fraction, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(total - remaining) / Double(total) }
}

extension Database {
    /// Copies the database to another file while it is in use.
    ///
    /// The copy is the state at the beginning of the backup, regardless of later writes. The last step replaces the
    /// content of the other file; if the task is cancelled before the last step, or an error is thrown, the other file
    /// keeps its content. Once the last step has begun, cancellation has no effect.
    ///
    /// ```swift
    /// try await database.backup(to: "cities-backup.db")    // writes may continue meanwhile
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the other file. A file that does not exist is created with permissions for its owner only.
    ///   - pagesPerStep: The number of pages that are copied between two calls of `progress`.
    ///   - progress: Called after each step, on the thread that copies.
    /// - Throws: `.misuse` if the path leads to a file of this database; `.cannotOpen` if the other file cannot be opened or created; `.busy` if another connection uses it;
    ///   the errors of reading and writing, such as `.full`; `CancellationError`.
    public func backup(
        to path: String, pagesPerStep: Int = 256, progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws {
        try PrivateFile.check(path)
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
        if code == SQLITE_OK { throw CancellationError() }
        guard code == SQLITE_DONE else { throw SQLiteError.last(on: target, code: code) }
    }
}
