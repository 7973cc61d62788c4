internal import CSQLite

extension Connection {
    /// Runs one statement to its end and returns how many rows it inserted, updated or deleted.
    ///
    /// Rows changed by triggers and foreign key actions do not count; rows that a `SELECT` or `RETURNING` yields are
    /// passed over.
    ///
    /// ```swift
    /// let liked = try db.execute("INSERT OR IGNORE INTO liked (user, travel) VALUES (\(user), \(travel))") == 1
    /// ```
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        let statement = try start(sql)
        defer { finish(statement) }
        try runToEnd(statement)
        return changeCount(of: statement)
    }

    /// Runs every statement of a script, in order; none of them has values.
    ///
    /// If one fails, those after it are not run, and what those before it did is undone with the transaction alone.
    /// Cancellation ends the statement under way.
    public func executeScript(_ script: String) throws {
        guard isWritable else {
            throw SQLiteError(.readOnly, "a read access may not change the database", sql: script)
        }
        try runScript(script)
    }

    /// `executeScript` for the library itself, whatever the access may do.
    func runScript(_ script: String) throws {
        if interruption.isRequested { throw CancellationError() }
        try checkForNUL(script.utf8)
        _ = recorder.take()
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        noteFootprint(recorder.take())
        guard code == SQLITE_OK else { throw failure(code, sql: script) }
    }

    /// The `rowid` of the last row inserted on this connection, by any access to it; 0 if there was none yet.
    public var lastInsertedRowID: Int64 {
        sqlite3_last_insert_rowid(handle)
    }
}
