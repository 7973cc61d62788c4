internal import CSQLite

extension Connection {
    /// Copies the write-ahead log into the database file and truncates it, if it exceeds its size limit. Does nothing
    /// within a transaction, and waits at most 100 milliseconds for other connections.
    func limitLog() {
        guard let limit = logSizeLimit, sqlite3_get_autocommit(handle) != 0 else { return }
        // A log that does not belong to the file must not be copied into it.
        if let fileIdentity, fileIdentity.hasFault { return }
        var size: Int64 = 0
        // Fails without a log.
        guard csqlite_log_size(handle, "main", &size) == SQLITE_OK, size > limit else { return }
        waitWhenBusy(for: .milliseconds(100))
        // A failed checkpoint is retried after the next commit.
        _ = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        waitWhenBusy(for: busyTimeout)
    }
}
