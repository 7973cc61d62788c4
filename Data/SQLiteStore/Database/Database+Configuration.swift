extension Database {
    /// How a database is opened.
    ///
    /// ```swift
    /// let configuration = Database.Configuration().with { $0.readerCount = 2 }
    /// ```
    public struct Configuration: Sendable {
        /// Where accesses run; `.dedicatedThreads` unless set.
        public var execution = Execution.dedicatedThreads
        /// How many reads run at the same time at most; 4 unless set, and never less than 1.
        public var readerCount = 4
        /// How long to wait for a lock that another process holds before `.busy` is thrown; 5 seconds unless set.
        public var busyTimeout = Duration.seconds(5)
        /// Whether foreign keys are enforced; true unless set.
        public var foreignKeys = true
        /// Whether the database may only be read; the file must exist, and its schema is taken as it is.
        ///
        /// Where nothing can be written beside a file with an empty log, as in a folder that may only be read, it is opened
        /// as one that nobody changes meanwhile.
        public var isReadOnly = false
        /// When a commit is on the disk; `.full` unless set.
        public var synchronous = Synchronous.full
        /// Within how long commits by other processes are seen while anything is observed; 50 milliseconds unless set,
        /// never if nil; not less than a millisecond. Files that do not change are looked at once a second.
        public var externalChangeInterval: Duration? = .milliseconds(50)
        /// What the intervals of observations are measured by; the continuous clock unless set.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// How many compiled statements each connection keeps; 200 unless set, and never less than 1.
        public var statementCacheCapacity = 200
        /// The name of the SQLite virtual file system to use; the system's own unless set.
        public var fileSystem: String?
        /// How transactions are made safe; unless set, a new file gets a write-ahead log and one that is there keeps what
        /// it has. `open` switches the file, and those attached, to what is set, which stays with the file.
        public var journalMode: JournalMode?
        /// How many bytes the write-ahead log may have on the disk; any number unless set.
        ///
        /// A commit that leaves more behind moves the log into the file and empties it, for which it waits for reads of
        /// earlier states, at most a tenth of a second. While a read or a ``Snapshot`` goes on for longer the log grows, and the
        /// next commit tries again.
        public var logSizeLimit: Int?
        /// What is told of statements that take long; nothing unless set.
        public var slowStatements: SlowStatements?
        /// Databases to attach: the path of each by its name in SQL. With write-ahead logs a transaction over several of
        /// them is whole in each, but after the loss of power perhaps not in all.
        public var attached: [String: String] = [:]
        /// Called with each new connection before it has read anything of the file: the place for the key of an encrypted
        /// one, by `execute("PRAGMA key = …")` or by the connection's handle.
        /// What it throws is thrown as by `prepare`.
        public var beforeFirstRead: (@Sendable (Connection) throws -> Void)?
        /// Called with each new connection before its first use: the place for functions, collations and pragmas. Those
        /// that read are among them, so that it is to change nothing in the database, and runs pragmas by `execute`:
        /// `executeScript` is for what may write. What it throws is thrown by `open`, or by the access that needed the
        /// connection.
        public var prepare: (@Sendable (Connection) throws -> Void)?

        /// The configuration described above.
        public init() {}

        /// A copy with changes.
        public func with(_ change: (inout Configuration) throws -> Void) rethrows -> Configuration {
            var copy = self
            try change(&copy)
            return copy
        }
    }

    /// When a commit is on the disk.
    public enum Synchronous: String, Hashable, Sendable {
        /// With every commit: a commit that has returned survives the loss of power.
        case full = "FULL"
        /// At checkpoints: a commit that has returned survives the end of the process, but the last ones may be lost with
        /// the power. The database stays consistent either way.
        case normal = "NORMAL"
    }

    /// How transactions are made safe: https://www.sqlite.org/pragma.html#pragma_journal_mode.
    public enum JournalMode: String, Hashable, Sendable {
        /// A log beside the file, which lets reads go on beside a write.
        case writeAheadLog = "WAL"
        /// A journal beside the file during each write. Reads and writes wait for each other; between them the file is all
        /// there is.
        case delete = "DELETE"
        /// As `delete`, with a journal that is emptied instead of removed.
        case truncate = "TRUNCATE"
        /// As `delete`, with a journal that is marked as ended instead of removed.
        case persist = "PERSIST"
    }
}
