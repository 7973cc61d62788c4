internal import CSQLite
internal import Dispatch
internal import Synchronization

/// Notices, while anything is observed, commits by others: other processes, and other `Database`s of this one.
///
/// SQLite counts commits in the file, whoever makes them (``CommitCounters``). A connection of its own, on which nothing
/// else is run, looks at that count without a transaction, so that it neither waits for an access nor delays one. The
/// connection that writes tells which commits were its own: while its transaction is open nobody else can commit, so that
/// what the count has gained before it and after it is another's.
final class ExternalChangeMonitor: Sendable {
    private let open: @Sendable () throws -> Connection
    private let fileIdentity: FileIdentity
    private let interval: Duration
    /// Called for each gain of others, on any thread.
    private let report: @Sendable () -> Void
    private let queue = DispatchQueue(label: "SQLiteStore.ExternalChangeMonitor", qos: .utility)
    private let state = Mutex(State())
    /// Read by every write, so that one that nobody observes takes no lock.
    private let isWatching = Atomic(false)

    fileprivate struct State {
        var observerCount = 0
        var phase = Phase.idle
        var watch: Watch?
        /// The counts that are accounted for.
        var known: [UInt64] = []
        /// Whether a transaction of the connection that writes is open.
        var isWriting = false
        /// How many pages that connection had written before.
        var pageCount: Int32 = 0
        /// Whether a fetch began while the connection was being opened.
        var hasLateFetch = false
    }

    fileprivate enum Phase {
        case idle, opening, watching, closed
    }

    /// What looking takes.
    ///
    /// `@unchecked Sendable`: reached with the lock held, and once taken out by one thread alone.
    fileprivate final class Watch: @unchecked Sendable {
        private(set) var counters: CommitCounters?
        let watcher: FileWatcher

        init(_ counters: CommitCounters, _ watcher: FileWatcher) {
            self.counters = counters
            self.watcher = watcher
        }

        /// Closes the connection, whoever still holds the watch.
        func end() {
            counters = nil
        }
    }

    init(
        interval: Duration, fileIdentity: FileIdentity, open: @escaping @Sendable () throws -> Connection,
        report: @escaping @Sendable () -> Void
    ) {
        self.interval = interval
        self.fileIdentity = fileIdentity
        self.open = open
        self.report = report
    }

    func addObserver() {
        state.withLock { $0.observerCount += 1 }
    }

    /// The last one to leave ends the watch.
    func removeObserver() {
        let watch = state.withLock { state -> Watch? in
            state.observerCount -= 1
            return state.observerCount == 0 ? endWatch(&state) : nil
        }
        close(watch, completion: {})
    }

    /// Begins the watch if there is none yet: whatever is read after this call, each later commit by another is reported.
    /// Called where waiting for the disk is allowed.
    func willFetch() {
        let mayOpen = state.withLock { state in
            if state.phase == .opening { state.hasLateFetch = true }
            guard state.phase == .idle, state.observerCount > 0 else { return false }
            state.phase = .opening
            return true
        }
        guard mayOpen else { return }
        // Without a file descriptor left, for one, it cannot be opened. What is observed is fetched all the same, and the
        // next fetch tries again; until then commits by others are not seen.
        let counters = try? CommitCounters(open())
        let known = counters?.read()
        let watch = counters.map { counters in
            Watch(
                counters,
                FileWatcher(paths: counters.connection.watchedPaths, interval: interval, queue: queue) { [weak self] in
                    self?.checkCounters()
                })
        }
        let (unused, isLate) = state.withLock { state -> (Watch?, Bool) in
            guard state.phase == .opening else { return (watch, false) }
            guard let known, let watch, state.observerCount > 0 else {
                (state.phase, state.hasLateFetch) = (.idle, true)
                return (watch, false)
            }
            (state.phase, state.watch, state.known, state.isWriting) = (.watching, watch, known, false)
            isWatching.store(true, ordering: .releasing)
            watch.watcher.start()
            defer { state.hasLateFetch = false }
            return (nil, state.hasLateFetch)
        }
        close(unused, completion: {})
        if isLate { report() }
    }

    /// Notes that `writer` has begun a transaction, and nobody else can commit.
    func writeBegan(on writer: Connection) {
        guard isWatching.load(ordering: .acquiring) else { return }
        let hasNewCommits = state.withLock { state in
            guard state.watch != nil else { return false }
            (state.isWriting, state.pageCount) = (true, writer.writtenPageCount)
            return state.takeNewCommitCount() > 0
        }
        if hasNewCommits { report() }
    }

    /// Notes that the transaction is over, and others may have committed since.
    ///
    /// One that wrote to several files is taken for another's too, because there is no telling them apart.
    func writeEnded(on writer: Connection, hasCommitted: Bool) {
        guard isWatching.load(ordering: .acquiring) else { return }
        let hasNewCommits = state.withLock { state in
            guard state.watch != nil, state.isWriting else { return false }
            state.isWriting = false
            let isOwn = hasCommitted && writer.writtenPageCount != state.pageCount
            return state.takeNewCommitCount() > (isOwn ? 1 : 0)
        }
        if hasNewCommits { report() }
    }

    /// Ends the watch until the next fetch.
    func pause(completion: @escaping @Sendable () -> Void) {
        close(state.withLock { endWatch(&$0) }, completion: completion)
    }

    /// Ends the watch for good.
    func close(completion: @escaping @Sendable () -> Void) {
        let watch = state.withLock { state in
            defer { state.phase = .closed }
            return endWatch(&state)
        }
        close(watch, completion: completion)
    }

    private func checkCounters() {
        let hasNewCommits = state.withLock { state in
            // The writer has looked when it began, and will look when it ends.
            state.watch != nil && !state.isWriting && state.takeNewCommitCount() > 0
        }
        // Of a file that is not the one that was opened, the next fetch tells.
        if hasNewCommits || fileIdentity.reportsNewReplacement() { report() }
    }

    private func endWatch(_ state: inout State) -> Watch? {
        guard state.phase == .watching else { return nil }
        state.phase = .idle
        isWatching.store(false, ordering: .releasing)
        defer { state.watch = nil }
        return state.watch
    }

    /// On the queue, because closing a connection may wait for the disk.
    private func close(_ watch: Watch?, completion: @escaping @Sendable () -> Void) {
        guard let watch else { return completion() }
        watch.watcher.cancel()
        queue.async {
            watch.end()
            completion()
        }
    }
}

extension ExternalChangeMonitor.State {
    /// How many commits the files have gained since the last time.
    fileprivate mutating func takeNewCommitCount() -> UInt64 {
        // A file that cannot be read now will be looked at again.
        guard let counts = watch?.counters?.read() else { return 0 }
        defer { known = counts }
        return zip(counts, known).reduce(0) { sum, pair in sum &+ (pair.0 &- pair.1) & 0xFFFF_FFFF }
    }
}

extension Connection {
    /// The files that a commit may write to.
    fileprivate var watchedPaths: [String] {
        // Of a connection that cannot say so, none: the alarm has its timer.
        let files = try? fetchAll(String.self, "SELECT file FROM pragma_database_list WHERE file <> ''")
        return (files ?? []).flatMap { [$0, $0 + "-wal"] }
    }

    /// How many pages this connection has written to any file.
    fileprivate var writtenPageCount: Int32 {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 0)
        return count
    }
}
