internal import CSQLite

/// What a statement reads and what it changes, triggers and foreign key actions included.
struct ReadWriteSet: Sendable {
    var reads = Region()
    var writes = Region()
    /// Whether it begins or ends a transaction.
    var controlsTransaction = false
    /// Whether it begins, ends or undoes a savepoint, which outside of a transaction is one.
    var controlsSavepoint = false

    var isEmpty: Bool { reads.isEmpty && writes.isEmpty && !controlsTransaction && !controlsSavepoint }

    mutating func formUnion(_ other: ReadWriteSet) {
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
final class AuthorizerRecorder {
    private var readWriteSet = ReadWriteSet()
    /// Whether anything was recorded since the last time.
    private(set) var hasRecords = false

    /// Begins to listen. It is told of nothing any more once the connection has closed.
    func attach(to handle: OpaquePointer) {
        // Set once and for all: setting it makes SQLite compile every statement again.
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                let recorder = Unmanaged<AuthorizerRecorder>.fromOpaque(context!)
                return recorder._withUnsafeGuaranteedRef { recorder in
                    if action == SQLITE_PRAGMA, AuthorizerRecorder.locksOthersOut(first, second) { return SQLITE_DENY }
                    recorder.record(action, first, second)
                    return SQLITE_OK
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// What was recorded since the last time.
    func take() -> ReadWriteSet {
        guard hasRecords else { return ReadWriteSet() }
        hasRecords = false
        defer { readWriteSet = ReadWriteSet() }
        return readWriteSet
    }

    /// Whether a pragma would keep the lock of a file from one transaction to the next.
    private static func locksOthersOut(_ pragma: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) -> Bool {
        guard let pragma, let value else { return false }
        return sqlite3_stricmp(pragma, "locking_mode") == 0 && sqlite3_stricmp(value, "exclusive") == 0
    }

    private func record(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) {
        hasRecords = true
        let table = first.map { String(cString: $0) } ?? ""
        let column = second.map { String(cString: $0) } ?? ""
        switch action {
        case SQLITE_READ: readWriteSet.reads.insert(table: table, column: column)
        case SQLITE_INSERT, SQLITE_DELETE: readWriteSet.writes.insert(table: table)
        case SQLITE_UPDATE: readWriteSet.writes.insert(table: table, column: column)
        case SQLITE_TRANSACTION: readWriteSet.controlsTransaction = true
        case SQLITE_SAVEPOINT: readWriteSet.controlsSavepoint = true
        case SQLITE_CREATE_TABLE, SQLITE_DROP_TABLE:
            readWriteSet.writes.insert(table: table)
            readWriteSet.writes.insertEverything()
        case SQLITE_ALTER_TABLE:
            // The table is the second: the first is its database.
            readWriteSet.writes.insert(table: column)
            readWriteSet.writes.insertEverything()
        case SQLITE_CREATE_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW, SQLITE_CREATE_VTABLE, SQLITE_DROP_INDEX,
            SQLITE_DROP_TRIGGER, SQLITE_DROP_VIEW, SQLITE_DROP_VTABLE, SQLITE_ATTACH, SQLITE_DETACH:
            readWriteSet.writes.insertEverything()
        default: break
        }
    }
}
