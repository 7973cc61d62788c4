internal import CSQLite
internal import DatabaseAccess
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Detects that a file of a database was replaced, moved, deleted, overwritten or truncated while it is open.
///
/// SQLite continues to use an open file after it was moved or deleted, and relies on its page cache. Commits to a file
/// that was moved, deleted or replaced would be lost, and reads of a file that was overwritten in place could mix pages
/// of two databases.
final class FileIdentity: Sendable {
    /// The minimum time between two checks by reads, in nanoseconds.
    private static let checkInterval = 10_000_000

    private let state: Mutex<State>
    private let nextCheck = Atomic(0)
    private let isReplaced = Atomic(false)
    private let isReported = Atomic(false)

    private struct State {
        /// The files by path. A path without a file belongs to a virtual file system and is not checked.
        var files: [String: File?] = [:]
        var content: Content?
        var error: SQLiteError?
    }

    private struct File: Equatable {
        let device: UInt64
        let number: UInt64
        let size: Int64

        /// Identifies the file at `path`; nil if there is none.
        init?(at path: String) {
            var info = stat()
            guard stat(path, &info) == 0 else { return nil }
            (device, number) = (UInt64(truncatingIfNeeded: info.st_dev), UInt64(info.st_ino))
            size = Int64(info.st_size)
        }

        func isSame(as other: File) -> Bool { device == other.device && number == other.number }
    }

    /// The header and size of a file in WAL mode, which only a checkpoint changes, with the checkpoint counters.
    private struct Content: Equatable {
        var header = [UInt8](repeating: 0, count: 100)
        var size: Int64
        var checkpoints: Checkpoints
    }

    private struct Checkpoints: Equatable {
        var salts: (UInt32, UInt32)
        var done: UInt32
        var attempted: UInt32

        static func == (left: Checkpoints, right: Checkpoints) -> Bool {
            left.salts == right.salts && left.done == right.done && left.attempted == right.attempted
        }

        init?(_ connection: Connection) {
            // The wal-index is only guaranteed to be mapped within a transaction.
            guard sqlite3_txn_state(connection.handle, "main") > SQLITE_TXN_NONE,
                let counter = csqlite_wal_counter(connection.handle, "main")
            else { return nil }
            // The counter is at byte 8; https://www.sqlite.org/walformat.html describes the fields at bytes 32, 36, 96
            // and 128.
            salts = (csqlite_load(counter + 6), csqlite_load(counter + 7))
            done = csqlite_load(counter + 22)
            attempted = csqlite_load(counter + 30)
        }
    }

    init() {
        state = Mutex(State())
    }

    /// Registers the files of the first connection, by the names of their databases. Throws if a later connection has
    /// opened other files.
    func register(_ connection: Connection, paths: [String: String]) throws {
        try state.withLock { state in
            for (name, givenPath) in paths {
                // The current directory can change, and links can be redirected.
                let path =
                    givenPath.hasPrefix("/")
                    ? givenPath : sqlite3_db_filename(connection.handle, name).map { String(cString: $0) } ?? givenPath
                let file = File(at: path)
                if let known = state.files[path] {
                    guard let known else { continue }
                    guard let file, file.isSame(as: known) else { throw Self.replaced(path) }
                } else {
                    state.files[path] = .some(file)
                }
            }
        }
    }

    /// Throws if a file is no longer the one that was opened. `isForced` skips the rate limit, as for every write.
    func check(_ connection: Connection, isForced: Bool) throws {
        if !isForced, !isReplaced.load(ordering: .relaxed), MonotonicClock.now() < nextCheck.load(ordering: .relaxed) {
            return
        }
        nextCheck.store(MonotonicClock.now() + Self.checkInterval, ordering: .relaxed)
        if let error = try inspect(connection) { throw error }
    }

    /// Returns whether a file has been replaced; true only for the first call that detects it.
    func reportsNewReplacement() -> Bool {
        // Without a connection nothing is read, so that nothing is thrown.
        (try? inspect(nil)) != nil && !isReported.exchange(true, ordering: .relaxed)
    }

    /// Returns the error of a replaced file, which persists; throws if the file cannot be read now.
    private func inspect(_ connection: Connection?) throws -> SQLiteError? {
        try state.withLock { state in
            if state.error == nil {
                state.error =
                    try Self.fault(of: &state.files) ?? connection.flatMap { try Self.fault(of: &state.content, $0) }
                if state.error != nil { isReplaced.store(true, ordering: .relaxed) }
            }
            return state.error
        }
    }

    private static func fault(of files: inout [String: File?]) -> SQLiteError? {
        for case (let path, let known?) in files {
            guard let file = File(at: path), file.isSame(as: known) else { return replaced(path) }
            guard file.size > 0 || known.size == 0 else {
                return SQLiteError(
                    .corrupt, "\(path) was emptied while it was open: close the database and restore the file")
            }
            // A new file is empty until the first checkpoint.
            if known.size == 0, file.size > 0 { files[path] = .some(file) }
        }
        return nil
    }

    private static func fault(of content: inout Content?, _ connection: Connection) throws -> SQLiteError? {
        guard let before = Checkpoints(connection), before.done == before.attempted else { return nil }
        let path = sqlite3_db_filename(connection.handle, "main").map { String(cString: $0) } ?? ""
        var now = Content(size: File(at: path)?.size ?? 0, checkpoints: before)
        let code = now.header.withUnsafeMutableBytes {
            csqlite_read(connection.handle, "main", $0.baseAddress, Int32($0.count), 0)
        }
        // A file without any checkpoint is too short for a header.
        guard code == SQLITE_OK || code == SQLITE_IOERR | (2 << 8) else {
            throw SQLiteError(
                SQLiteError.Code(rawValue: code), "cannot read \(path): \(String(cString: sqlite3_errstr(code)))")
        }
        guard Checkpoints(connection) == before else { return nil }
        defer { content = now }
        guard let content, content.checkpoints == before else { return nil }
        if content.header != now.header {
            return SQLiteError(
                .replaced, "\(path) was overwritten while it was open: close the database and open it again")
        }
        if now.size < content.size {
            return SQLiteError(
                .corrupt,
                "\(path) was truncated from \(content.size) to \(now.size) bytes while it was open: close the database and "
                    + "restore the file")
        }
        return nil
    }

    private static func replaced(_ path: String) -> SQLiteError {
        SQLiteError(
            .replaced,
            "\(path) is no longer the file that was opened: it was moved, deleted or replaced; close the database and "
                + "open it again")
    }
}

extension Connection {
    /// Runs a transaction that fails if the files were replaced. Errors of SQLite that result from a replaced file are
    /// reported as such.
    func checkedTransaction<Value>(begin: SQL, isWriting: Bool, _ body: () throws -> Value) throws -> Value {
        guard let fileIdentity else { return try outermostTransaction(begin: begin, body) }
        do {
            return try outermostTransaction(begin: begin) {
                let value = try body()
                // Checked before the commit: a write to a lost file must not be acknowledged.
                try fileIdentity.check(self, isForced: isWriting)
                return value
            }
        } catch let error as SQLiteError where [.corrupt, .notADatabase, .io].contains(error.code) {
            try fileIdentity.check(self, isForced: true)
            throw error
        }
    }
}
