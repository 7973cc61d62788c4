internal import CSQLite
internal import DatabaseAccess
internal import Dispatch
internal import Synchronization

/// Detects commits by other processes, and by other `Database`s of this process, while observations are active.
///
/// SQLite counts all commits in the file (``CommitCounters``). The monitor reads these counters on a connection of its
/// own without a transaction, so that it neither waits for accesses nor delays them. The writer connection reports its
/// transactions: no other connection can commit while one is open, so that commits counted before and after it belong
/// to others.
final class ExternalChangeMonitor: Sendable {
    private let open: @Sendable () throws -> Connection
    private let fileIdentity: FileIdentity
    private let interval: Duration
    /// Called for new commits of others, on any thread.
    private let report: @Sendable () -> Void
    private let queue = DispatchQueue(label: "SQLiteStore.ExternalChangeMonitor", qos: .utility)
    private let state = Mutex(State())
    /// Read by every write, so that writes of an unobserved database take no lock.
    private let isWatching = Atomic(false)

    fileprivate struct State {
        var observerCount = 0
        /// Whether a connection has been opened, ever.
        var hasOpened = false
        var phase = Phase.idle
        var resources: MonitorResources?
        /// The counts that have been processed.
        var known: [UInt64] = []
        var isWriting = false
        /// The number of pages that the writer connection had written before the transaction.
        var pageCount: Int32 = 0
        var hasLateFetch = false
    }

    fileprivate enum Phase {
        case idle, opening, watching, closed
    }

    /// The resources of an active monitor.
    ///
    /// `@unchecked Sendable`: accessed while the lock is held, and after its removal from the state by one thread only.
    fileprivate final class MonitorResources: @unchecked Sendable {
        private(set) var counters: CommitCounters?
        let fileWatcher: FileWatcher

        init(_ counters: CommitCounters, _ fileWatcher: FileWatcher) {
            self.counters = counters
            self.fileWatcher = fileWatcher
        }

        /// Closes the connection, even if the resources are still referenced.
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

    func removeObserver() {
        let resources = state.withLock { state -> MonitorResources? in
            state.observerCount -= 1
            return state.observerCount == 0 ? endMonitoring(&state) : nil
        }
        if let resources { close(resources, completion: {}) }
    }

    /// Starts monitoring unless it is active: later commits by others are reported for everything that is read after
    /// this call. Call this only where waiting for the disk is allowed. Returns false if that fails.
    @discardableResult
    func willFetch() -> Bool {
        let mayOpen = state.withLock { state in
            if state.phase == .opening { state.hasLateFetch = true }
            guard state.phase == .idle, state.observerCount > 0 else { return false }
            (state.phase, state.hasOpened) = (.opening, true)
            return true
        }
        guard mayOpen else { return true }
        // The connection cannot be opened if, for example, the process has no file descriptors left. The fetch
        // continues, and the next fetch tries again; until then commits by others are not detected.
        let counters = try? CommitCounters(open())
        let known = counters?.read()
        let resources = counters.map { counters in
            MonitorResources(
                counters,
                FileWatcher(paths: counters.connection.watchedPaths, interval: interval, queue: queue) { [weak self] in
                    self?.checkCounters()
                })
        }
        let (unused, isLate) = state.withLock { state -> (MonitorResources?, Bool) in
            guard state.phase == .opening else { return (resources, false) }
            guard let known, let resources, state.observerCount > 0 else {
                (state.phase, state.hasLateFetch) = (.idle, true)
                return (resources, false)
            }
            (state.phase, state.resources, state.known, state.isWriting) = (.watching, resources, known, false)
            isWatching.store(true, ordering: .releasing)
            resources.fileWatcher.start()
            defer { state.hasLateFetch = false }
            return (nil, state.hasLateFetch)
        }
        if let unused { close(unused, completion: {}) }
        if isLate { report() }
        return known != nil
    }

    var isActive: Bool { isWatching.load(ordering: .acquiring) }

    /// Marks the beginning of a transaction of `writer`; from now on no other connection can commit.
    func writeBegan(on writer: Connection) {
        guard isWatching.load(ordering: .acquiring) else { return }
        let hasNewCommits = state.withLock { state in
            guard state.resources != nil else { return false }
            (state.isWriting, state.pageCount) = (true, writer.writtenPageCount)
            return state.takeNewCommitCount() > 0
        }
        if hasNewCommits { report() }
    }

    /// Marks the end of the transaction; others may have committed since.
    ///
    /// A transaction that wrote to several files also counts as one of others, because its commits cannot be
    /// distinguished.
    func writeEnded(on writer: Connection, hasCommitted: Bool) {
        guard isWatching.load(ordering: .acquiring) else { return }
        let hasNewCommits = state.withLock { state in
            guard state.resources != nil, state.isWriting else { return false }
            state.isWriting = false
            let isOwn = hasCommitted && writer.writtenPageCount != state.pageCount
            return state.takeNewCommitCount() > (isOwn ? 1 : 0)
        }
        if hasNewCommits { report() }
    }

    /// Stops monitoring until the next fetch.
    func pause(completion: @escaping @Sendable () -> Void) {
        close(state.withLock { state in endMonitoring(&state) }, completion: completion)
    }

    /// Stops monitoring permanently.
    func close(completion: @escaping @Sendable () -> Void) {
        let resources = state.withLock { state in
            defer { state.phase = .closed }
            return endMonitoring(&state)
        }
        close(resources, completion: completion)
    }

    private func checkCounters() {
        let hasNewCommits = state.withLock { state in
            // The writer has checked the counters at the beginning of its transaction and does so again at its end.
            state.resources != nil && !state.isWriting && state.takeNewCommitCount() > 0
        }
        // The next fetch throws the error of a replaced file.
        if hasNewCommits || fileIdentity.reportsNewReplacement() { report() }
    }

    private func endMonitoring(_ state: inout State) -> MonitorResources? {
        guard state.phase == .watching else { return nil }
        state.phase = .idle
        isWatching.store(false, ordering: .releasing)
        defer { state.resources = nil }
        return state.resources
    }

    /// Closes the resources on the queue, because closing a connection may wait for the disk.
    private func close(_ resources: MonitorResources?, completion: @escaping @Sendable () -> Void) {
        // Without resources, those of the last observer may be about to close on the queue.
        guard resources != nil || state.withLock({ $0.hasOpened }) else { return completion() }
        resources?.fileWatcher.cancel()
        queue.async {
            resources?.end()
            completion()
        }
    }
}

extension ExternalChangeMonitor.State {
    fileprivate mutating func takeNewCommitCount() -> UInt64 {
        // A file that cannot be read now is checked again later.
        guard let counts = resources?.counters?.read() else { return 0 }
        defer { known = counts }
        return zip(counts, known).reduce(0) { sum, pair in sum &+ (pair.0 &- pair.1) & 0xFFFF_FFFF }
    }
}

extension Connection {
    fileprivate var watchedPaths: [String] {
        // If the query fails, the watcher relies on its timer.
        let files = try? fetchAll(String.self, "SELECT file FROM pragma_database_list WHERE file <> ''")
        return (files ?? []).flatMap { [$0, $0 + "-wal"] }
    }

    var writtenPageCount: Int32 {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 0)
        return count
    }
}
