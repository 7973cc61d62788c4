import CSQLite

/// The baseline: the C API of SQLite called directly, with every statement prepared once.
///
/// `@unchecked Sendable`: each connection is used by one thread at a time.
final class CConnection: @unchecked Sendable {
    let handle: OpaquePointer

    init(path: String, readOnly: Bool = false) {
        var opened: OpaquePointer?
        let mode = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        check(sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil))
        handle = opened!
        // Readers of the log can hold the lock of a writer for a moment.
        sqlite3_busy_timeout(handle, 5000)
        execute("PRAGMA foreign_keys = ON")
        execute("PRAGMA synchronous = NORMAL")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) {
        check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Returns the integer in the first column of the first row.
    func integer(_ sql: String) -> Int {
        let statement = prepare(sql)
        defer { sqlite3_finalize(statement) }
        precondition(sqlite3_step(statement) == SQLITE_ROW)
        return Int(sqlite3_column_int64(statement, 0))
    }

    func prepare(_ sql: String) -> OpaquePointer {
        var statement: OpaquePointer?
        check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        return statement!
    }
}

@inline(__always)
func check(_ code: Int32) {
    precondition(code == SQLITE_OK || code == SQLITE_DONE, "SQLite error \(code)")
}
