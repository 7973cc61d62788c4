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

    /// The `rowid` of the last row inserted on this connection, by any access to it; 0 if there was none yet.
    public var lastInsertedRowID: Int64 {
        sqlite3_last_insert_rowid(handle)
    }
}
