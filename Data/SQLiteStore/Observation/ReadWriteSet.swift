internal import CSQLite
internal import DatabaseAccess

/// The regions that a statement reads and writes, including triggers and foreign key actions.
struct ReadWriteSet: Sendable {
    var reads = Region()
    var writes = Region()
    /// Whether the statement begins or ends a transaction.
    var controlsTransaction = false
    /// Whether the statement begins, releases or rolls back a savepoint, which outside a transaction begins one.
    var controlsSavepoint = false

    var isEmpty: Bool { reads.isEmpty && writes.isEmpty && !controlsTransaction && !controlsSavepoint }

    mutating func formUnion(_ other: ReadWriteSet) {
        reads.formUnion(other.reads)
        writes.formUnion(other.writes)
        controlsTransaction = controlsTransaction || other.controlsTransaction
        controlsSavepoint = controlsSavepoint || other.controlsSavepoint
    }
}

/// Collects the read and write sets of the statements that SQLite compiles on one connection.
///
/// While SQLite compiles a statement, it calls the authorizer for each accessed table and column. Therefore the sets
/// include views, triggers, foreign key actions, `WITHOUT ROWID` tables and `DELETE` without `WHERE`; the update hook
/// does not report the last two.
final class AuthorizerRecorder {
    private var readWriteSet = ReadWriteSet()
    /// Whether anything was recorded since the last `take`.
    private(set) var hasRecords = false

    /// Registers the authorizer. SQLite stops calling it when the connection closes.
    func attach(to handle: OpaquePointer) {
        // Set only once: setting it makes SQLite recompile every statement.
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                let recorder = Unmanaged<AuthorizerRecorder>.fromOpaque(context!)
                return recorder._withUnsafeGuaranteedRef { recorder in
                    if action == SQLITE_PRAGMA, AuthorizerRecorder.holdsLocksAcrossTransactions(first, second) {
                        return SQLITE_DENY
                    }
                    recorder.record(action, first, second)
                    return SQLITE_OK
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns what was recorded since the last call.
    func take() -> ReadWriteSet {
        guard hasRecords else { return ReadWriteSet() }
        hasRecords = false
        defer { readWriteSet = ReadWriteSet() }
        return readWriteSet
    }

    /// Returns whether a pragma would hold file locks across transactions.
    private static func holdsLocksAcrossTransactions(_ pragma: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?)
        -> Bool
    {
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
            // The second argument is the table, the first its database.
            readWriteSet.writes.insert(table: column)
            readWriteSet.writes.insertEverything()
        case SQLITE_CREATE_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW, SQLITE_CREATE_VTABLE, SQLITE_DROP_INDEX,
            SQLITE_DROP_TRIGGER, SQLITE_DROP_VIEW, SQLITE_DROP_VTABLE, SQLITE_ATTACH, SQLITE_DETACH:
            readWriteSet.writes.insertEverything()
        default: break
        }
    }
}
