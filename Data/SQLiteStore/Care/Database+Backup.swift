internal import CSQLite

/// How far a backup has got.
public struct BackupProgress: Hashable, Sendable {
    /// Pages still to be copied.
    public let remaining: Int
    /// Pages in all.
    public let total: Int

    /// From 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(total - remaining) / Double(total) }
}

extension Database {
    /// Copies the database to another file while it is being used.
    ///
    /// The copy is the state at the beginning, whatever is written meanwhile. What was in the other file is replaced by the
    /// last step; if the task is cancelled before that, or anything fails, it is as it was. Once the last step has begun,
    /// cancellation has no effect.
    ///
    /// - Parameters:
    ///   - path: The other file; created, for its owner alone, if there is none.
    ///   - pagesPerStep: How many pages are copied between two calls of `progress`.
    ///   - progress: Called after each step, on the thread that copies.
    /// - Throws: `.cannotOpen` if the other file cannot be made; `.busy` if anyone uses it; `CancellationError`.
    public func backup(
        to path: String, pagesPerStep: Int = 256, progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws {
        try PrivateFile.check(path)
        try await read { db in
            PrivateFile.create(at: path)
            // The first statement fixes the state that is copied.
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
        // The last step commits, so that it is the point of no return: a cancellation that arrives later must not be
        // reported while the other file has been replaced.
        while code == SQLITE_OK,
            remaining > pagesPerStep ? !interruption.isRequested : interruption.passPointOfNoReturn()
        {
            code = sqlite3_backup_step(backup, pagesPerStep)
            remaining = sqlite3_backup_remaining(backup)
            progress(BackupProgress(remaining: Int(remaining), total: Int(sqlite3_backup_pagecount(backup))))
        }
        // Undoes what has been written if the last page has not been reached.
        sqlite3_backup_finish(backup)
        if code == SQLITE_OK { throw CancellationError() }
        guard code == SQLITE_DONE else { throw SQLiteError.last(on: target, code: code) }
    }
}
