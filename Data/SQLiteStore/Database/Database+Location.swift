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
        /// The empty path, `:memory:` and URIs are rejected: use ``temporary`` and ``inMemory`` instead.
        case file(String)
        /// Memory: a single connection for reads and writes; closing it discards the database.
        case inMemory
        /// A file in a directory of its own below the system's temporary directory, removed when the database closes.
        case temporary
    }

    /// Where accesses run.
    ///
    /// ```swift
    /// let configuration = Database.Configuration().with { $0.execution = .inline }    // for tests in virtual time
    /// ```
    public enum Execution: Hashable, Sendable {
        /// On threads that belong to the database: the threads of the caller never wait for a disk or a lock.
        case dedicatedThreads
        /// On the executor of the caller, without a change of thread: for tests in virtual time and for many short
        /// reads. The calling thread waits while SQLite works.
        case inline
    }
}
