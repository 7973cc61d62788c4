internal import CSQLite
internal import DatabaseAccess
internal import Synchronization

/// When the pages of the log are moved into the file: by an access of its own on the writer's thread, so that no commit
/// waits for it. SQLite's own way is a part of the commit after which the log is too long.
final class CheckpointSchedule {
    /// The plan of the main file; nil if checkpoints are left to SQLite, or to the app.
    private var plan: CheckpointPlan?
    /// The plans of attached files, by the names of their databases.
    private var others: [String: CheckpointPlan] = [:]
    private var due: CheckpointPlan.Checkpoint?
    private let request = CheckpointRequest()
    /// Whether the connection, which may write later, has not been examined.
    var isWanted = false
    /// As `configuration.logPageLimit`.
    var pageLimit: Int?
    /// The reads that a checkpoint can hold back.
    var reads: PausableReads?

    /// Before the first write, replaces SQLite's checkpoints, if they are on; keeps the threshold that the app may have
    /// set.
    func attach(to connection: Connection) throws {
        guard isWanted else { return }
        // The number of pages is 0 if checkpoints are off, or if the app has registered a hook of its own.
        let pages = try connection.recorder.withoutRecording {
            try connection.fetchOne(Int32.self, "PRAGMA wal_autocheckpoint") ?? 0
        }
        isWanted = false
        guard pages > 0 else { return }
        plan = CheckpointPlan(threshold: pages, limit: pageLimit.map(Int32.init(clamping:)))
        register(on: connection)
    }

    /// Registers the hook again if it was replaced, and returns whether there is one.
    @discardableResult
    func register(on connection: Connection) -> Bool {
        guard plan != nil else { return false }
        // The connection owns this object, and outlives its handle's hook.
        sqlite3_wal_hook(
            connection.handle,
            { context, _, name, pages in
                let schedule = Unmanaged<CheckpointSchedule>.fromOpaque(context!)
                schedule._withUnsafeGuaranteedRef { $0.committed(pages, name!) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
        return true
    }

    private func committed(_ pages: Int32, _ name: UnsafePointer<CChar>) {
        let checkpoint: CheckpointPlan.Checkpoint?
        if sqlite3_stricmp(name, "main") == 0 {
            checkpoint = plan?.committed(pages)
        } else {
            checkpoint = others[String(cString: name), default: plan?.restarted ?? CheckpointPlan()].committed(pages)
        }
        if let checkpoint, due != .truncating { due = checkpoint }
    }

    var isDue: Bool { due != nil }

    /// Returns the request for a checkpoint, if one is to be made now.
    func begin() -> CheckpointRequest? {
        isDue && request.begin() ? request : nil
    }

    /// The requested checkpoint runs now.
    func end() -> CheckpointPlan.Checkpoint {
        defer { due = nil }
        request.end()
        return due ?? .passive
    }
}

/// Whether a checkpoint has been requested, and has not begun.
final class CheckpointRequest: Sendable {
    private let isPending = Atomic(false)

    func begin() -> Bool { !isPending.exchange(true, ordering: .relaxed) }

    /// The checkpoint begins, or the request has failed.
    func end() { isPending.store(false, ordering: .relaxed) }
}

/// Which checkpoint of a log is due after each commit.
///
/// A passive checkpoint is due when the log has as many pages as the threshold. The log begins anew when all of its pages are
/// moved and no read uses it. While there are reads, the next attempts come after as many pages again: one after each commit
/// would be futile. From the limit on, whenever the log has doubled, a checkpoint waits for the reads.
struct CheckpointPlan {
    enum Checkpoint {
        /// Moves as many pages as possible without waiting.
        case passive
        /// Waits for reads, moves all pages, and truncates the log.
        case truncating
    }

    private let threshold: Int32
    private let limit: Int32
    private var pages: Int32 = 0
    private var nextPassive: Int32
    private var nextTruncating: Int32

    /// A plan for a log that is empty. Without a limit, no checkpoint waits.
    init(threshold: Int32 = .max, limit: Int32? = nil) {
        self.threshold = threshold
        self.limit = max(limit ?? .max, threshold)
        (nextPassive, nextTruncating) = (threshold, self.limit)
    }

    /// The same plan for another log.
    var restarted: CheckpointPlan { CheckpointPlan(threshold: threshold, limit: limit) }

    /// Returns the checkpoint that is due after a commit that has left this number of pages in the log.
    mutating func committed(_ pages: Int32) -> Checkpoint? {
        // A commit adds pages, unless the log has begun anew.
        if pages <= self.pages { self = restarted }
        self.pages = pages
        guard pages >= min(nextPassive, nextTruncating) else { return nil }
        nextPassive = pages.saturatingSum(threshold)
        guard pages >= nextTruncating else { return .passive }
        nextTruncating = pages.saturatingSum(pages)
        return .truncating
    }
}

extension Int32 {
    fileprivate func saturatingSum(_ other: Int32) -> Int32 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

/// The reads of a database, whose pool opens after the writer's.
final class PausableReads: Sendable {
    private let pool = Mutex(Pool())

    private struct Pool {
        // The pool of the reads refers to the writer's, which has this object.
        weak var readers: ConnectionPool?
    }

    func set(_ readers: ConnectionPool) {
        pool.withLock { $0.readers = readers }
    }

    /// Runs `body` while no read begins.
    func whilePaused(_ body: () -> Void) {
        let readers = pool.withLock { $0.readers }
        readers?.pause()
        body()
        readers?.resume()
    }
}

extension Connection {
    /// Runs a checkpoint of all files. As in SQLite's own checkpoints, a failure is left to the next one: all commits are in
    /// the log.
    func run(_ checkpoint: CheckpointPlan.Checkpoint) {
        // SQLite forgets an interruption that arrives between two calls.
        if interruption.isFlagged { return }
        // Also before the other: most pages are moved while others read.
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard checkpoint == .truncating, let reads = checkpoints.reads else { return }
        reads.whilePaused {
            if interruption.isFlagged { return }
            busyPolicy.pointee.end = Deadline(after: .milliseconds(50))
            defer { busyPolicy.pointee.end = nil }
            sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        }
    }
}
