internal import CSQLite

extension Connection {
    /// Empties the write-ahead log if it is larger than it may be, and what has been committed can be moved into the file.
    func limitLog() {
        guard let limit = logSizeLimit, sqlite3_get_autocommit(handle) != 0 else { return }
        var size: Int64 = 0
        // Without a log there is nothing to be said.
        guard csqlite_log_size(handle, "main", &size) == SQLITE_OK, size > limit else { return }
        waitWhenBusy(for: .milliseconds(100))
        // One that fails is tried again after the next commit.
        _ = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        waitWhenBusy(for: busyTimeout)
    }
}
