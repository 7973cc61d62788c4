internal import CSQLite

/// When the pages of the log are moved into the file: by an access of its own on the writer's thread, so that no commit
/// waits for it. SQLite's own way is a part of the commit after which the log is too long.
final class CheckpointSchedule {
    /// The number of pages in the log from which a checkpoint is due; nil if it is left to SQLite, or to the app.
    private var threshold: Int32?
    private(set) var isDue = false
    private var hasBegun = false
    /// Whether the connection, which may write later, has not been examined.
    var isWanted = false

    /// Before the first write, replaces SQLite's checkpoints, if they are on; keeps the threshold that the app may have
    /// set.
    func attach(to connection: Connection) throws {
        guard isWanted else { return }
        // The number of pages is 0 if checkpoints are off, or if the app has registered a hook of its own.
        let pages = try connection.recorder.withoutRecording {
            try connection.fetchOne(Int32.self, "PRAGMA wal_autocheckpoint") ?? 0
        }
        isWanted = false
        guard pages > 0 else { return }
        threshold = pages
        register(on: connection)
    }

    /// Registers the hook again if it was replaced, and returns whether there is one.
    @discardableResult
    func register(on connection: Connection) -> Bool {
        guard threshold != nil else { return false }
        // The connection owns this object, and outlives its handle's hook.
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                Unmanaged<CheckpointSchedule>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.committed(pages) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
        return true
    }

    private func committed(_ pages: Int32) {
        if let threshold, pages >= threshold { isDue = true }
    }

    /// Returns whether a checkpoint is to be requested now.
    func begin() -> Bool {
        defer { hasBegun = true }
        return isDue && !hasBegun
    }

    /// The requested checkpoint runs now.
    func end() {
        (isDue, hasBegun) = (false, false)
    }
}
