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
        close(resources, completion: {})
    }

    /// Starts monitoring unless it is active: later commits by others are reported for everything that is read after
    /// this call. Call this only where waiting for the disk is allowed.
    func willFetch() {
        let mayOpen = state.withLock { state in
            if state.phase == .opening { state.hasLateFetch = true }
            guard state.phase == .idle, state.observerCount > 0 else { return false }
            state.phase = .opening
            return true
        }
        guard mayOpen else { return }
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
        close(unused, completion: {})
        if isLate { report() }
    }

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
        guard let resources else { return completion() }
        resources.fileWatcher.cancel()
        queue.async {
            resources.end()
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

/// The commit counters of a connection's files, read without a transaction. Commits of all connections and processes
/// count.
///
/// In WAL mode the counter is in the wal-index, which is shared memory; otherwise it is the file change counter in the
/// file's header (https://www.sqlite.org/fileformat.html, 1.3.7).
final class CommitCounters {
    /// Owns the memory of the counters.
    let connection: Connection
    private var counters: [Counter]

    private enum Counter {
        case index(UnsafePointer<UInt32>)
        case header(name: String)
        case none
    }

    /// Locates the counters of the main database and of attached ones. `connection` must not be used for anything else.
    init(_ connection: Connection) throws {
        self.connection = connection
        let names = try connection.fetchAll(
            String.self, "SELECT name FROM pragma_database_list WHERE name <> 'temp' ORDER BY seq")
        // Reading the counters must not wait for locks.
        connection.waitWhenBusy(for: .zero)
        counters = try names.map { name in try Self.counter(of: name, on: connection) }
    }

    private static func counter(of name: String, on connection: Connection) throws -> Counter {
        // The mode cannot change within a transaction. In other modes than WAL, accessing the wal-index would create it,
        // and SQLite would never close it.
        try connection.outermostTransaction(begin: .beginDeferred) {
            _ = try connection.fetchOne(Int.self, "SELECT COUNT(*) FROM \(identifier: name).sqlite_schema")
            guard let header = try? FileHeader(connection, name, name) else { return .none }
            if !header.hasWALVersions { return .header(name: name) }
            return csqlite_wal_counter(connection.handle, name).map(Counter.index) ?? .none
        }
    }

    /// Returns the current counts; each commit increments one of them. nil if a file cannot be read.
    func read() -> [UInt64]? {
        var counts: [UInt64] = []
        counts.reserveCapacity(counters.count)
        for (index, counter) in counters.enumerated() {
            switch counter {
            case .index(let count): counts.append(UInt64(csqlite_load(count)))
            case .header(let name):
                guard let header = try? FileHeader(connection, name, name) else { return nil }
                // A wal-index that cannot be mapped yet is tried again by the next call.
                if header.hasWALVersions, let counter = try? Self.counter(of: name, on: connection) {
                    // The next call reads the other counter, whose value almost certainly differs.
                    counters[index] = counter
                }
                counts.append(UInt64(header.changeCounter))
            case .none: counts.append(0)
            }
        }
        return counts
    }
}
