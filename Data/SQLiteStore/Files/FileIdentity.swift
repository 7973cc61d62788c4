internal import CSQLite
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Knows whether the files of a database are still those that were opened.
///
/// SQLite goes on with the file it has open, whatever happens to its name, and trusts what it has read before. So a file
/// that is moved away, deleted or exchanged would take commits that nobody finds again, and one that is overwritten in
/// place would give pages of two databases in one answer.
final class FileIdentity: Sendable {
    /// Reads look no more often than this, in nanoseconds.
    private static let checkInterval = 10_000_000

    private let state: Mutex<State>
    private let nextCheck = Atomic(0)
    private let isReplaced = Atomic(false)
    private let isReported = Atomic(false)

    private struct State {
        /// By path. A path at which the system finds no file belongs to a virtual file system, and is not looked at.
        var files: [String: File?] = [:]
        var content: Content?
        var error: SQLiteError?
    }

    private struct File: Equatable {
        let device: UInt64
        let number: UInt64
        let size: Int64

        /// The file that the path leads to; nil if there is none.
        init?(at path: String) {
            var info = stat()
            guard stat(path, &info) == 0 else { return nil }
            (device, number) = (UInt64(truncatingIfNeeded: info.st_dev), UInt64(info.st_ino))
            size = Int64(info.st_size)
        }

        func isSame(as other: File) -> Bool { device == other.device && number == other.number }
    }

    /// The header and the size of a file in WAL mode, which only a checkpoint changes, and what tells of checkpoints.
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
            // Where no transaction is open, the wal-index need not be there.
            guard sqlite3_txn_state(connection.handle, "main") > SQLITE_TXN_NONE,
                let counter = csqlite_wal_counter(connection.handle, "main")
            else { return nil }
            // The counter is at byte 8; https://www.sqlite.org/walformat.html says what is at bytes 32, 36, 96 and 128.
            salts = (csqlite_load(counter + 6), csqlite_load(counter + 7))
            done = csqlite_load(counter + 22)
            attempted = csqlite_load(counter + 30)
        }
    }

    init() {
        state = Mutex(State())
    }

    /// Notes the files of the first connection, given by the names of their databases, and throws if those of another
    /// connection are not the same.
    func register(_ connection: Connection, paths: [String: String]) throws {
        try state.withLock { state in
            for (name, givenPath) in paths {
                // The current directory may change, and links may lead elsewhere.
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

    /// Throws if a file is no longer the one that was opened. A read looks now and then, a write each time.
    func check(_ connection: Connection, isForced: Bool) throws {
        if !isForced, !isReplaced.load(ordering: .relaxed), MonotonicClock.now() < nextCheck.load(ordering: .relaxed) {
            return
        }
        nextCheck.store(MonotonicClock.now() + Self.checkInterval, ordering: .relaxed)
        if let error = try inspect(connection) { throw error }
    }

    /// Whether a file is not the one that was opened; said once.
    func reportsNewReplacement() -> Bool {
        // Without a connection nothing is read that could fail.
        (try? inspect(nil)) != nil && !isReported.exchange(true, ordering: .relaxed)
    }

    /// What is wrong, which is never put right; throws if the file cannot be read now.
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
        // A file that has never had a checkpoint is too short for a header.
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
                "\(path) was cut from \(content.size) to \(now.size) bytes while it was open: close the database and "
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
    /// A transaction at whose end the files have to be those that were opened, with the errors of one in which they are
    /// not: what SQLite says of a file that has been exchanged is not what is wrong.
    func checkedTransaction<Value>(begin: SQL, isWriting: Bool, _ body: () throws -> Value) throws -> Value {
        guard let fileIdentity else { return try outermostTransaction(begin: begin, body) }
        do {
            return try outermostTransaction(begin: begin) {
                let value = try body()
                // Before the commit: what is written to a file that nobody finds again must not be acknowledged.
                try fileIdentity.check(self, isForced: isWriting)
                return value
            }
        } catch let error as SQLiteError where [.corrupt, .notADatabase, .io].contains(error.code) {
            try fileIdentity.check(self, isForced: true)
            throw error
        }
    }
}
