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
        public var isReadOnly = false
        /// When a commit is on the disk; `.full` unless set.
        public var synchronous = Synchronous.full
        /// How often to look for commits by other processes while anything is observed; every 50 milliseconds unless
        /// set, never if nil; no more often than every millisecond.
        public var externalChangeInterval: Duration? = .milliseconds(50)
        /// What the intervals of observations are measured by; the continuous clock unless set.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// How many compiled statements each connection keeps; 200 unless set, and never less than 1.
        public var statementCacheCapacity = 200
        /// The name of the SQLite virtual file system to use; the system's own unless set.
        public var fileSystem: String?
        /// Databases to attach: the path of each by its name in SQL. Each is switched to write-ahead logging, so that a
        /// transaction over several of them is whole in each, but after the loss of power perhaps not in all.
        public var attached: [String: String] = [:]
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
}
