internal import CSQLite

/// What a statement reads and what it changes, triggers and foreign key actions included.
struct Footprint: Sendable {
    var reads = Region()
    var writes = Region()
    /// Whether it begins or ends a transaction.
    var controlsTransaction = false
    /// Whether it begins, ends or undoes a savepoint, which outside of a transaction is one.
    var controlsSavepoint = false

    var isEmpty: Bool { reads.isEmpty && writes.isEmpty && !controlsTransaction && !controlsSavepoint }

    mutating func formUnion(_ other: Footprint) {
        reads.formUnion(other.reads)
        writes.formUnion(other.writes)
        controlsTransaction = controlsTransaction || other.controlsTransaction
        controlsSavepoint = controlsSavepoint || other.controlsSavepoint
    }
}

/// Collects the footprint of whatever SQLite compiles on one connection.
///
/// SQLite asks its authorizer for permission to touch each table and column while it compiles a statement; that is how
/// the footprint of views, triggers, foreign key actions, `WITHOUT ROWID` tables and `DELETE` without `WHERE` is known,
/// for which the update hook has nothing to say.
final class FootprintRecorder {
    private var footprint = Footprint()
    /// Whether anything was recorded since the last time.
    private(set) var hasNews = false

    /// Begins to listen. It is told of nothing any more once the connection has closed.
    func attach(to handle: OpaquePointer) {
        // Set once and for all: setting it makes SQLite compile every statement again.
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                let recorder = Unmanaged<FootprintRecorder>.fromOpaque(context!)
                return recorder._withUnsafeGuaranteedRef { recorder in
                    if action == SQLITE_PRAGMA, FootprintRecorder.locksOthersOut(first, second) { return SQLITE_DENY }
                    recorder.record(action, first, second)
                    return SQLITE_OK
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// What was recorded since the last time.
    func take() -> Footprint {
        guard hasNews else { return Footprint() }
        hasNews = false
        defer { footprint = Footprint() }
        return footprint
    }

    /// Whether a pragma would keep the lock of a file from one transaction to the next.
    private static func locksOthersOut(_ pragma: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) -> Bool {
        guard let pragma, let value else { return false }
        return sqlite3_stricmp(pragma, "locking_mode") == 0 && sqlite3_stricmp(value, "exclusive") == 0
    }

    private func record(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) {
        hasNews = true
        let table = first.map { String(cString: $0) } ?? ""
        let column = second.map { String(cString: $0) } ?? ""
        switch action {
        case SQLITE_READ: footprint.reads.insert(table: table, column: column)
        case SQLITE_INSERT, SQLITE_DELETE: footprint.writes.insert(table: table)
        case SQLITE_UPDATE: footprint.writes.insert(table: table, column: column)
        case SQLITE_TRANSACTION: footprint.controlsTransaction = true
        case SQLITE_SAVEPOINT: footprint.controlsSavepoint = true
        case SQLITE_CREATE_TABLE, SQLITE_DROP_TABLE:
            footprint.writes.insert(table: table)
            footprint.writes.insertEverything()
        case SQLITE_ALTER_TABLE:
            // The table is the second: the first is its database.
            footprint.writes.insert(table: column)
            footprint.writes.insertEverything()
        case SQLITE_CREATE_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW, SQLITE_CREATE_VTABLE, SQLITE_DROP_INDEX,
            SQLITE_DROP_TRIGGER, SQLITE_DROP_VIEW, SQLITE_DROP_VTABLE, SQLITE_ATTACH, SQLITE_DETACH:
            footprint.writes.insertEverything()
        default: break
        }
    }
}
