public import DatabaseAccess

extension Database {
    /// The options for opening a database.
    ///
    /// ```swift
    /// let configuration = Database.Configuration().with { $0.readerCount = 2 }
    /// ```
    public struct Configuration: Sendable {
        /// Where accesses run; the default is `.adaptive`.
        public var execution = Execution.adaptive
        /// The maximum number of concurrent reads, at least 1; the default is 4.
        public var readerCount = 4
        /// The maximum time to wait for a lock of another process before `.busy` is thrown; the default is 5 seconds.
        public var busyTimeout = Duration.seconds(5)
        /// Whether foreign keys are enforced; the default is true.
        public var foreignKeys = true
        /// Whether the database is opened for reading only; the default is false. The file must exist, and no migration
        /// is run.
        ///
        /// If no files can be created next to a database with an empty log, for example in a read-only directory, the
        /// database is opened as immutable: other processes must not change it.
        public var isReadOnly = false
        /// Whether the database keeps its locks until it closes, so that nothing else can use the file; the default is
        /// false. SQLite then keeps the index of a write-ahead log in memory of the process: use it where the file with
        /// the suffix `-shm` cannot be created, as on a full disk or on a file system over a network.
        ///
        /// There is one connection for reads and writes. `open` throws `.busy` if another connection uses the file for
        /// longer than the busy timeout. With a rollback journal, others can read until the first write. A file that is
        /// replaced while it is open is not detected. The file must be writable: `isReadOnly` together with this is
        /// `.misuse`.
        public var isExclusive = false
        /// When commits reach the disk; the default is `.full`. Nothing waits for the disk if the location is
        /// ``Location/temporary``.
        public var synchronous = Synchronous.full
        /// The number of pages of the write-ahead log at which reads are held back, so that the log can be truncated; the
        /// default is 10,000 pages, 40 MB in files with pages of 4 KB.
        ///
        /// A log begins anew when no read uses it. Reads that overlap without a gap would let it grow without bound: at this
        /// number of pages, and whenever the log has doubled since, reads that begin wait until the running ones have ended
        /// and the log is truncated, or for 50 milliseconds. A single read that takes longer keeps the log growing. With nil
        /// no read is held back, and with `.inline` execution neither.
        public var logPageLimit: Int? = 10_000
        /// The maximum delay until commits by other processes are noticed while an observation is active, at least 1
        /// millisecond; the default is 50 milliseconds. With nil they are not noticed. Unchanged files are polled once
        /// a second.
        public var externalChangeInterval: Duration? = .milliseconds(50)
        /// The clock of the intervals of observations; the default is the continuous clock.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The number of compiled statements that each connection caches, at least 1; the default is 200.
        public var statementCacheCapacity = 200
        /// The name of the SQLite virtual file system; the default is that of the operating system.
        public var fileSystem: String?
        /// The journal mode. With nil, the default, a new file uses a write-ahead log and an existing file keeps its
        /// mode. Any other value changes the mode of the file and of attached files in `open`; the change is
        /// persistent.
        public var journalMode: JournalMode?
        /// Whether a file is erased that has applied other migrations than those of the list, instead of being refused; the
        /// default is false. For development, while a migration is still edited: all data is lost.
        ///
        /// ```swift
        /// #if DEBUG
        /// configuration.erasesOnMigrationChange = true
        /// #endif
        /// ```
        public var erasesOnMigrationChange = false
        /// The reporting of slow statements; the default is none.
        public var slowStatements: SlowStatements?
        /// The paths of databases to attach, by schema name; see ``Location/file(_:)``. With write-ahead logs, a transaction over several files is
        /// atomic in each file, but after a loss of power possibly not across files.
        public var attached: [String: String] = [:]
        /// Called with each new connection before it reads from the file. Use it to set the key of an encrypted
        /// database, with `execute("PRAGMA key = …")` or the connection's handle. Its errors are thrown as those of
        /// `prepare` are.
        public var beforeFirstRead: (@Sendable (Connection) throws -> Void)?
        /// Called with each new connection before its first access. Use it to register functions and collations and to
        /// set pragmas, for example to turn `recursive_triggers` off, which is on by default. It also prepares reader
        /// connections and must not change the database; run pragmas with `execute`, because `executeScript` requires
        /// write access. Its errors are thrown by `open`, or by the access that needed the connection.
        public var prepare: (@Sendable (Connection) throws -> Void)?

        public init() {}

        public func with(_ change: (inout Configuration) throws -> Void) rethrows -> Configuration {
            var copy = self
            try change(&copy)
            return copy
        }
    }

    /// When commits reach the disk.
    public enum Synchronous: String, Hashable, Sendable {
        /// Each commit waits for the disk: a write that has returned survives a loss of power.
        case full = "FULL"
        /// Only checkpoints wait for the disk: a write that has returned survives the end of the process, but the last
        /// writes may be lost with a loss of power. The database stays consistent in both cases.
        case normal = "NORMAL"
    }

    /// The journal modes of SQLite: https://www.sqlite.org/pragma.html#pragma_journal_mode.
    ///
    /// ```swift
    /// let singleFile = Database.Configuration().with { $0.journalMode = .delete }    // for a file that is mailed
    /// ```
    public enum JournalMode: String, Hashable, Sendable {
        /// A write-ahead log next to the file. Reads run concurrently with a write.
        case writeAheadLog = "WAL"
        /// A rollback journal next to the file during each write. Reads and writes block each other; between writes the
        /// database is a single file.
        case delete = "DELETE"
        /// Like `delete`, but the journal is truncated instead of deleted.
        case truncate = "TRUNCATE"
        /// Like `delete`, but the journal is marked as invalid instead of deleted.
        case persist = "PERSIST"
    }
}

extension Database {
    /// Where a database is stored.
    ///
    /// ```swift
    /// let database = try await Database.open(.file("cities.db"))
    /// let scratch = try await Database.open(.inMemory)    // empty, and discarded when it closes
    /// ```
    public enum Location: Hashable, Sendable {
        /// A file at this path; SQLite creates two more files next to it, with the suffixes `-wal` and `-shm`. New
        /// files are readable by their owner only.
        ///
        /// A relative path begins at the current directory of the moment when the database opens; later changes of the
        /// directory do not matter. The empty path, `:memory:` and URIs are rejected: use ``temporary`` and ``inMemory``
        /// instead.
        case file(String)
        /// Memory, with a single connection for reads and writes.
        case inMemory
        /// A file in a directory of its own below the system's temporary directory, removed when the database closes. It
        /// does not wait for the disk, since nobody opens it again.
        case temporary
    }

    public typealias Execution = AccessExecution
}
