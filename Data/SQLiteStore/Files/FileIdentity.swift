internal import CSQLite
internal import DatabaseAccess
internal import Synchronization

/// Detects that a file of a database was replaced, moved, deleted, overwritten or truncated while it is open, or that
/// its write-ahead log was.
///
/// SQLite continues to use an open file after it was moved or deleted, and relies on its page cache. Commits to a file
/// that was moved, deleted or replaced would be lost, as would those to a log that was deleted, and reads of a file
/// that was overwritten in place could mix pages of two databases.
///
/// The checks rely on what no use of SQLite changes, in this process or another:
/// - A file keeps its device and number.
/// - In WAL mode only a checkpoint writes to the file, and the wal-index counts checkpoints: without one, the header,
///   the size and the time of modification stay the same. The log keeps its device and number while a connection uses
///   it, because SQLite removes it with the last connection; its header has the salts of the wal-index, and it holds at
///   least the committed frames.
/// - In other modes the change counter in the header grows with each commit. The time of modification says nothing: a
///   transaction that is rolled back may have written to the file.
final class FileIdentity: Sendable {
    /// The minimum time between two checks by reads, and between two readings of the header of a file whose time of
    /// modification is the same, in nanoseconds.
    fileprivate static let checkInterval = 10_000_000

    private let state = Mutex(State())
    private let nextCheck = Atomic(0)
    private let isReplaced = Atomic(false)
    private let isReported = Atomic(false)
    private let keepsLog = Atomic(false)
    /// Whether the main file is known to have a write-ahead log.
    private let isLogged = Atomic(false)

    var hasLog: Bool { isLogged.load(ordering: .relaxed) }

    /// Whether the log of the main file has no pages.
    var isLogEmpty: Bool { state.withLock { !PrivateFile.hasContent(at: $0.files[0].logPath) } }

    private struct State {
        /// The main file is the first.
        var files: [WatchedFile] = []
        var fault: Fault?
    }

    fileprivate struct Fault {
        let error: SQLiteError
        /// Whether the log must not be copied into the file: they do not belong together any more.
        var keepsLog = false
    }

    fileprivate struct WatchedFile {
        /// The name of the database in SQL.
        let name: String
        let path: String
        /// The path of the log. SQLite resolves links.
        let logPath: String
        /// nil for a path without a file, which belongs to a virtual file system and is not checked.
        var known: FileStatus?
        /// The log that the holders use.
        var log: FileStatus.ID?
        /// The file after the last checkpoint.
        var content: Content?
        /// When to read the header next, although the time of modification is the same.
        var nextHeaderReading = 0
        /// The greatest change counter that a connection has read or committed in a mode without a log.
        var changeCounter: UInt32?
        /// The change counter during the last write transaction, which only the writer knows: a read can follow the commit
        /// before `committed` does.
        var written: (changeCounter: UInt32, pageCount: Int32)?
        /// Whether the time of modification changes only when the file is written.
        let hasExactTimes: Bool
        /// Open connections that used the file as `log`, `content` and `changeCounter` describe it. While there are
        /// any, nothing else can remove the log or restart the counters of the wal-index.
        var holders: Set<ObjectIdentifier> = []

        mutating func forget() {
            (log, content, changeCounter, written, holders) = (nil, nil, nil, nil, [])
        }
    }

    fileprivate struct Content {
        var header: FileHeader
        let status: FileStatus
        let index: LogIndex
    }

    /// Registers the files of a new connection, by the names of their databases. Throws if an earlier connection has
    /// opened other files.
    func register(_ connection: Connection, paths: [String: String]) throws {
        try state.withLock { state in
            for (name, givenPath) in paths {
                // The current directory can change, and links can be redirected.
                let ownPath = sqlite3_db_filename(connection.handle, name).map { String(cString: $0) } ?? givenPath
                let path = givenPath.hasPrefix("/") ? givenPath : ownPath
                let status = FileStatus(at: path)
                guard let file = state.files.first(where: { $0.name == name }) else {
                    state.files.insert(
                        WatchedFile(
                            name: name, path: path, logPath: ownPath + "-wal", known: status,
                            hasExactTimes: csqlite_is_local(path) != 0),
                        at: name == "main" ? 0 : state.files.endIndex)
                    continue
                }
                guard let known = file.known else { continue }
                guard status?.id == known.id else { throw Fault.replaced(path).error }
                if let log = file.log, FileStatus.ofLog(file.logPath)?.id != log {
                    throw Fault.replacedLog(file.logPath).error
                }
            }
        }
    }

    /// Forgets what only this connection knows. Call this before it closes.
    func unregister(_ connection: Connection) {
        state.withLock { state in
            for index in state.files.indices {
                guard state.files[index].holders.remove(ObjectIdentifier(connection)) != nil else { continue }
                if state.files[index].holders.isEmpty { state.files[index].forget() }
            }
        }
        if keepsLog.load(ordering: .relaxed) {
            csqlite_db_config(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        }
    }

    /// Forgets all but the identity of the files. Call this when the journal mode may have changed.
    func forget() {
        state.withLock { state in
            for index in state.files.indices { state.files[index].forget() }
            isLogged.store(false, ordering: .relaxed)
        }
    }

    /// Throws if a file is no longer the one that was opened. `isForced` skips the rate limit, as for every write.
    ///
    /// The contents are checked only within a transaction.
    func check(_ connection: Connection, isForced: Bool) throws {
        if !isForced, !isReplaced.load(ordering: .relaxed), MonotonicClock.now() < nextCheck.load(ordering: .relaxed) {
            return
        }
        nextCheck.store(MonotonicClock.now() + Self.checkInterval, ordering: .relaxed)
        if let fault = try inspect(connection) { throw fault.error }
    }

    /// Updates what is known after a commit of `connection`, which may have run a checkpoint.
    func committed(_ connection: Connection) {
        let hasCheckpoint = state.withLock { state in
            guard state.fault == nil else { return false }
            if let written = state.files[0].written {
                state.files[0].written = nil
                // With several files the pages could be those of another one.
                if state.files.count == 1, connection.writtenPageCount != written.pageCount {
                    state.files[0].raiseChangeCounter(to: written.changeCounter &+ 1)
                }
                return false
            }
            // The log of a connection that has just used it is still mapped.
            guard let content = state.files[0].content else { return false }
            return LogIndex(connection, "main")?.isSameCheckpoint(as: content.index) == false
        }
        guard hasCheckpoint else { return }
        // The commit is already acknowledged: an error is reported by the next access.
        connection.withReadTransaction { _ = try? inspect(connection) }
    }

    /// Returns whether a file has been replaced; true only for the first call that detects it.
    func reportsNewReplacement() -> Bool {
        // Without a connection nothing is read, so that nothing is thrown.
        (try? inspect(nil)) != nil && !isReported.exchange(true, ordering: .relaxed)
    }

    /// Returns the persistent fault; throws if a file cannot be read now.
    private func inspect(_ connection: Connection?) throws -> Fault? {
        try state.withLock { state in
            if let fault = state.fault { return fault }
            for index in state.files.indices {
                let fault = try state.files[index].fault(connection)
                if index == 0 { isLogged.store(state.files[0].content != nil, ordering: .relaxed) }
                guard let fault else { continue }
                state.fault = fault
                isReplaced.store(true, ordering: .relaxed)
                if fault.keepsLog { keepsLog.store(true, ordering: .relaxed) }
                return fault
            }
            return nil
        }
    }
}

// The checks of one file.
extension FileIdentity.WatchedFile {
    fileprivate mutating func fault(_ connection: Connection?) throws -> FileIdentity.Fault? {
        guard let known else { return nil }
        guard let status = FileStatus(at: path), status.id == known.id else { return .replaced(path) }
        guard status.size > 0 || known.size == 0 else { return .emptied(path) }
        // A new file is empty until the first checkpoint.
        if known.size == 0, status.size > 0 { self.known = status }
        let state = connection.map { db in name.withCString { sqlite3_txn_state(db.handle, $0) } } ?? SQLITE_TXN_NONE
        guard let connection, state > SQLITE_TXN_NONE else {
            if let log, FileStatus.ofLog(logPath)?.id != log { return .replacedLog(logPath) }
            return nil
        }
        if content == nil {
            // The wal-index must not be accessed in other modes than WAL, because SQLite would create it and never close
            // it. The header of an encrypted file does not tell. With `content` a holder keeps the file in WAL mode,
            // whatever the header says now.
            let header = try FileHeader(connection, name, path)
            guard header.isInWALMode || (!header.isReadable && FileStatus.ofLog(logPath) != nil) else {
                guard header.isReadable else { return nil }
                return changeCounterFault(header, connection, isWriting: state == SQLITE_TXN_WRITE)
            }
        }
        guard let index = LogIndex(connection, name) else { return nil }
        if try !isUnchanged(status, index, connection), let fault = try contentFault(connection) { return fault }
        return try logFault(index, connection, isWriting: state == SQLITE_TXN_WRITE)
    }

    /// Whether there was no checkpoint since the last check, as usual, and the file is the same.
    private mutating func isUnchanged(
        _ status: FileStatus, _ index: LogIndex, _ connection: Connection
    ) throws -> Bool {
        guard let content, content.index.isSameCheckpoint(as: index), isSame(status, content.status) else {
            return false
        }
        let now = MonotonicClock.now()
        if hasExactTimes, now < nextHeaderReading { return true }
        nextHeaderReading = now + FileIdentity.checkInterval
        return try FileHeader(connection, name, path) == content.header
    }

    private func isSame(_ status: FileStatus, _ known: FileStatus) -> Bool {
        status.size == known.size && (!hasExactTimes || status.modified == known.modified)
    }

    /// Compares the file with its state after the last checkpoint, or records it after another one.
    private mutating func contentFault(_ connection: Connection) throws -> FileIdentity.Fault? {
        guard let index = LogIndex(connection, name), index.done == index.attempted else { return nil }
        let header = try FileHeader(connection, name, path)
        guard let status = FileStatus(at: path), LogIndex(connection, name)?.isSameCheckpoint(as: index) == true else {
            return nil
        }
        if let content, content.index.isSameCheckpoint(as: index) {
            let keepsLog = index.done < index.frameCount
            if content.header != header { return .overwritten(path, keepsLog: keepsLog) }
            if status.size < content.status.size {
                return .truncated(path, from: content.status.size, to: status.size, keepsLog: keepsLog)
            }
            if !isSame(status, content.status) { return .overwritten(path, keepsLog: keepsLog) }
        }
        content = FileIdentity.Content(header: header, status: status, index: index)
        (changeCounter, written) = (nil, nil)
        holders.insert(ObjectIdentifier(connection))
        return nil
    }

    private mutating func logFault(
        _ index: LogIndex, _ connection: Connection, isWriting: Bool
    ) throws -> FileIdentity.Fault? {
        let status = FileStatus.ofLog(logPath)
        if let log {
            guard status?.id == log else { return .replacedLog(logPath) }
        } else if let status {
            log = status.id
            holders.insert(ObjectIdentifier(connection))
        } else if isWriting {
            return .replacedLog(logPath)
        }
        // During a write transaction nobody else writes to the log, restarts it or truncates it.
        guard isWriting, let status, index.frameCount > 0 else { return nil }
        var (header, isComplete): ((UInt64, UInt64, UInt64, UInt64), Bool) = ((0, 0, 0, 0), true)
        let code = name.withCString { name in
            withUnsafeMutableBytes(of: &header) { csqlite_read_log(connection.handle, name, $0.baseAddress, 32) }
        }
        if code == SQLITE_IOERR | (2 << 8) { isComplete = false } else { try FileHeader.check(code, logPath) }
        guard isComplete, header.2 == index.salts, status.size >= index.logSize else { return .damagedLog(logPath) }
        return nil
    }

    /// Compares the change counter with that of the last commit.
    private mutating func changeCounterFault(
        _ header: FileHeader, _ connection: Connection, isWriting: Bool
    ) -> FileIdentity.Fault? {
        let now = header.changeCounter
        if let changeCounter, Self.isSmaller(now, than: changeCounter) { return .overwritten(path, keepsLog: false) }
        if isWriting { written = nil }
        // A page that was written before the commit may be rolled back.
        guard connection.takeSpillCount() == 0 else {
            changeCounter = nil
            return nil
        }
        raiseChangeCounter(to: now)
        // The pages of temporary tables are counted, too.
        if isWriting, sqlite3_txn_state(connection.handle, "temp") <= SQLITE_TXN_NONE {
            written = (now, connection.writtenPageCount)
        }
        holders.insert(ObjectIdentifier(connection))
        return nil
    }

    fileprivate mutating func raiseChangeCounter(to counter: UInt32) {
        if let changeCounter, Self.isSmaller(counter, than: changeCounter) { return }
        changeCounter = counter
    }

    /// Compares counters that start again at 0 after the greatest number.
    private static func isSmaller(_ counter: UInt32, than other: UInt32) -> Bool {
        Int32(bitPattern: counter &- other) < 0
    }
}

extension FileIdentity.Fault {
    private init(_ code: SQLiteError.Code, _ message: String, keepsLog: Bool = false) {
        (error, self.keepsLog) = (SQLiteError(code, message), keepsLog)
    }

    fileprivate static func replaced(_ path: String) -> Self {
        Self(
            .replaced,
            "\(path) is no longer the file that was opened: it was moved, deleted or replaced; close the database and open "
                + "it again")
    }

    fileprivate static func emptied(_ path: String) -> Self {
        Self(.corrupt, "\(path) was emptied while it was open: close the database and restore the file")
    }

    fileprivate static func overwritten(_ path: String, keepsLog: Bool) -> Self {
        let remedy = keepsLog ? restoring(path) : "and open it again"
        return Self(
            .replaced, "\(path) was overwritten while it was open: close the database, \(remedy)", keepsLog: keepsLog)
    }

    fileprivate static func truncated(_ path: String, from old: Int64, to new: Int64, keepsLog: Bool) -> Self {
        let remedy = keepsLog ? restoring(path) : "and restore the file"
        return Self(
            .corrupt,
            "\(path) was truncated from \(old) to \(new) bytes while it was open: close the database, \(remedy)",
            keepsLog: keepsLog)
    }

    private static func restoring(_ path: String) -> String {
        "remove \(path)-wal, whose commits do not fit the file any more, and restore the file"
    }

    fileprivate static func replacedLog(_ path: String) -> Self {
        Self(
            .replaced,
            "\(path), the log with the last commits, was moved, deleted or replaced while it was open: close the database, "
                + "which saves these commits unless another process uses the file, and open it again")
    }

    fileprivate static func damagedLog(_ path: String) -> Self {
        Self(
            .corrupt,
            "\(path), the log with the last commits, was overwritten or truncated while it was open: close the database, "
                + "remove the log, and restore the file", keepsLog: true)
    }
}

extension Connection {
    /// Runs a transaction that fails if the files were replaced. Errors of SQLite that result from a replaced file are
    /// reported as such.
    func checkedTransaction<Value>(begin: TransactionControl, _ body: () throws -> Value) throws -> Value {
        guard let fileIdentity else { return try outermostTransaction(begin: begin, body) }
        do {
            let value = try outermostTransaction(begin: begin, body)
            if isWritable { fileIdentity.committed(self) }
            return value
        } catch let error as SQLiteError where [.corrupt, .notADatabase, .io].contains(error.code) {
            try fileIdentity.check(self, isForced: true)
            throw error
        }
    }

    /// Runs `body`, whose statements can be any, and fails if the files were replaced before or after it.
    func checkedAccess<Value>(_ body: () throws -> Value) throws -> Value {
        guard let fileIdentity else { return try body() }
        try checkFiles()
        // The body can change the journal mode, and with it everything but the identity of the files.
        fileIdentity.forget()
        let result = Swift.Result { try rollingBackLeftovers(body) }
        fileIdentity.forget()
        try checkFiles()
        return try result.get()
    }

    /// Throws if the files were replaced, and records their content.
    func checkFiles() throws {
        guard let fileIdentity else { return }
        try withReadTransaction { try fileIdentity.check(self, isForced: true) }
    }

    /// Reads the main file if the transaction has not, so that the files are checked.
    func readsFile() throws {
        guard sqlite3_txn_state(handle, "main") == SQLITE_TXN_NONE else { return }
        let sql = "SELECT 1 FROM sqlite_schema LIMIT 1"
        let code = recorder.withoutRecording { sqlite3_exec(handle, sql, nil, nil, nil) }
        guard code == SQLITE_OK else { throw failure(code, sql: sql) }
    }

    /// Runs `body` in a transaction that has read the main file, unless it cannot be read.
    fileprivate func withReadTransaction<Result>(_ body: () throws -> Result) rethrows -> Result {
        try recorder.withoutRecording {
            // A file that cannot be read is not checked; the statements of the access report why.
            sqlite3_exec(handle, "BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
            defer {
                // A transaction that stays open would count as one that the access has left.
                if sqlite3_get_autocommit(handle) == 0 {
                    interruption.withoutCancellation { _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
                }
            }
            return try body()
        }
    }

    /// The number of pages that were written before their commit since the last call, because the cache was full.
    fileprivate func takeSpillCount() -> Int32 {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_SPILL, &count, &highest, 1)
        return count
    }
}
