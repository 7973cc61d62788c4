internal import CSQLite
internal import DatabaseAccess

/// The regions that a statement reads and writes according to SQLite's authorizer, including triggers and foreign key
/// actions. `SchemaRules` extends them by what the authorizer does not report.
struct ReadWriteSet: Sendable {
    var reads = Region()
    var writes = Region()
    var insertedTables: Set<ExactText> = []
    /// The views and triggers through which the statement reads and writes.
    var sources: Set<ExactText> = []
    /// Whether `PRAGMA data_version` is read, by the statement or by a full-text index that it reads.
    var readsDataVersion = false
    /// The settings of the connection that the statement changes.
    var settings: Set<ConnectionSetting> = []
    var controlsTransaction = false
    /// Whether the statement begins, releases or rolls back a savepoint, which outside a transaction begins one.
    var controlsSavepoint = false

    var isEmpty: Bool { reads.isEmpty && writes.isEmpty && !controlsTransaction && !controlsSavepoint }

    /// Adds the accesses of inner statements. What they control is no concern of the statement.
    mutating func addAccesses(of other: ReadWriteSet) {
        reads.formUnion(other.reads)
        writes.formUnion(other.writes)
        insertedTables.formUnion(other.insertedTables)
        sources.formUnion(other.sources)
    }
}

/// Collects the read and write sets of the statements that SQLite compiles on one connection.
///
/// While SQLite compiles a statement, it calls the authorizer for each accessed table and column. Therefore the sets
/// include views, triggers, foreign key actions, `WITHOUT ROWID` tables and `DELETE` without `WHERE`; the update hook
/// does not report the last two.
final class AuthorizerRecorder {
    private var readWriteSet = ReadWriteSet()
    private(set) var hasRecords = false
    private var isPaused = false
    /// While SQLite compiles a statement for the library, the settings that it may change, because they are saved.
    private var changeableSettings: Set<ConnectionSetting>?
    /// The setting because of which the last compilation failed.
    private var refusedSetting: ConnectionSetting?

    /// Registers the authorizer. SQLite stops calling it when the connection closes.
    func attach(to handle: OpaquePointer) {
        // Set only once: setting it makes SQLite recompile every statement.
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, schema, source in
                let recorder = Unmanaged<AuthorizerRecorder>.fromOpaque(context!)
                return recorder._withUnsafeGuaranteedRef { recorder in
                    if recorder.isPaused { return SQLITE_OK }
                    if action == SQLITE_PRAGMA {
                        return recorder.recordPragma(first, second, schema) ? SQLITE_OK : SQLITE_DENY
                    }
                    recorder.record(action, first, second, source)
                    return SQLITE_OK
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func take() -> ReadWriteSet {
        guard hasRecords else { return ReadWriteSet() }
        hasRecords = false
        defer { readWriteSet = ReadWriteSet() }
        return readWriteSet
    }

    /// Runs `body`, whose statements are those of the library itself.
    func withoutRecording<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isNested = isPaused
        isPaused = true
        defer { isPaused = isNested }
        return try body()
    }

    /// Returns the set of the statements that `body` compiles, which belong to no other; nil if `body` returns false.
    func recording(_ body: () -> Bool) -> ReadWriteSet? {
        let (earlier, hadRecords, wasPaused) = (readWriteSet, hasRecords, isPaused)
        (readWriteSet, hasRecords, isPaused) = (ReadWriteSet(), false, false)
        defer { (readWriteSet, hasRecords, isPaused) = (earlier, hadRecords, wasPaused) }
        return body() ? readWriteSet : nil
    }

    /// Calls `compile`. If the statement would change a setting other than `settings`, SQLite does not compile it, and
    /// the setting is returned: some pragmas take effect while they are compiled.
    func compiling(
        changing settings: some Collection<ConnectionSetting>, _ compile: () -> Int32
    ) -> (code: Int32, refused: ConnectionSetting?) {
        changeableSettings = Set(settings)
        defer { (changeableSettings, refusedSetting) = (nil, nil) }
        let code = compile()
        return (code, refusedSetting)
    }

    private func recordPragma(
        _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?, _ schema: UnsafePointer<CChar>?
    ) -> Bool {
        let name = name.map { String(cString: $0).lowercasingASCII() } ?? ""
        let value = value.map { String(cString: $0).lowercasingASCII() }
        // Would hold file locks across transactions.
        if name == "locking_mode", value == "exclusive" { return false }
        hasRecords = true
        if let setting = ConnectionSetting(pragma: name, value: value, schema: schema.map { String(cString: $0) }) {
            if let changeableSettings, !changeableSettings.contains(setting) {
                refusedSetting = setting
                return false
            }
            readWriteSet.settings.insert(setting)
            return true
        }
        // A pragma accesses what no other call reports, such as the header of the file.
        if name == "data_version" {
            // Full-text indexes read it, too.
            readWriteSet.readsDataVersion = true
        } else {
            readWriteSet.reads.insertEverything()
        }
        let writes = value != nil ? !Self.pragmasWithSubject.contains(name) : Self.writingPragmas.contains(name)
        if writes { readWriteSet.writes.insertEverything() }
        return true
    }

    /// The pragmas whose argument is what they read, not a value that they set.
    private static let pragmasWithSubject: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    private static let writingPragmas: Set<String> = ["incremental_vacuum", "optimize"]

    private func record(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        _ source: UnsafePointer<CChar>?
    ) {
        hasRecords = true
        if let source { readWriteSet.sources.insert(ExactText(name: String(cString: source))) }
        let table = first.map { String(cString: $0) } ?? ""
        let column = second.map { String(cString: $0) } ?? ""
        switch action {
        case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE: break
        case SQLITE_READ: readWriteSet.reads.insert(table: table, column: column)
        case SQLITE_DELETE: readWriteSet.writes.insert(table: table)
        case SQLITE_INSERT:
            readWriteSet.writes.insert(table: table)
            readWriteSet.insertedTables.insert(ExactText(name: table))
        // The `rowid` may have the name of a column, under which it is read.
        case SQLITE_UPDATE where column == "ROWID": readWriteSet.writes.insert(table: table)
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
        // Other changes of the schema, `ANALYZE`, `REINDEX`, `ATTACH` and `DETACH`, and what later versions may add.
        default: readWriteSet.writes.insertEverything()
        }
    }
}
