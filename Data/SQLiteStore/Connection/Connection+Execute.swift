internal import CSQLite

extension Connection {
    /// Runs one statement to its end, and returns the number of rows that it inserted, updated or deleted.
    ///
    /// The number does not include rows changed by triggers and foreign key actions. Rows that a `SELECT` or
    /// `RETURNING` yields are skipped.
    ///
    /// ```swift
    /// let liked = try db.execute("INSERT OR IGNORE INTO liked (user, travel) VALUES (\(user), \(travel))") == 1
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.constraint`, or `.readOnly` for a statement that writes in a read;
    ///   `CancellationError` if the access has been cancelled.
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        let statement = try start(sql)
        defer { finish(statement) }
        try runToEnd(statement)
        return changeCount(of: statement)
    }

    /// The `rowid` of the row that this connection inserted last, in any access; 0 before the first.
    public var lastInsertedRowID: Int64 {
        sqlite3_last_insert_rowid(handle)
    }
}
