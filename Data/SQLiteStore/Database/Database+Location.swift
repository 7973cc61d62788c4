extension Database {
    /// Where a database is kept.
    public enum Location: Hashable, Sendable {
        /// A file at this path; with it go two more, named `-wal` and `-shm`. A new one may be read by its owner alone.
        ///
        /// An empty path, `:memory:`, and URIs are refused: ``temporary`` and ``inMemory`` say the same.
        case file(String)
        /// Memory: one connection that reads and writes in turn, and nothing left when it closes.
        case inMemory
        /// A file of its own in the system's temporary directory, removed when the database closes.
        case temporary
    }

    /// Where accesses run.
    public enum Execution: Hashable, Sendable {
        /// On threads that belong to the database, so that the caller's threads never wait for a disk or a lock.
        case dedicatedThreads
        /// Where the caller runs: without a change of thread, for tests in virtual time and for short reads by the
        /// thousand. The caller's thread waits while SQLite works.
        case inline
    }
}
