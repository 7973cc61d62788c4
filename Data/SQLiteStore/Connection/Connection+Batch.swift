public import CSQLite

extension Connection {
    /// Runs one statement for each element of a sequence, and returns the number of rows that it inserted, updated or
    /// deleted.
    ///
    /// ```swift
    /// let insertion: SQL = "INSERT INTO points (latitude, longitude) VALUES (?, ?)"
    /// try db.execute(insertion, forEach: track.points) { point, values in
    ///     try values.bind(point.latitude)
    ///     try values.bind(point.longitude)
    /// }
    /// ```
    ///
    /// This is the fastest way to write many rows, as fast as the C API of SQLite. For a few rows a literal is easier
    /// to read.
    ///
    /// - Parameters:
    ///   - sql: The statement, with `?` for each value. It must not contain interpolated values.
    ///   - elements: The elements, in the order of the runs.
    ///   - bind: Binds every parameter, in order.
    /// - Throws: ``SQLiteError``, such as `.range` if `bind` binds too few or too many values; the errors of `bind`;
    ///   `CancellationError`.
    @inlinable
    @discardableResult
    public func execute<Elements: Sequence>(
        _ sql: SQL, forEach elements: Elements,
        _ bind: (Elements.Element, inout ParameterBinder) throws -> Void
    ) throws -> Int {
        let statement = try startBatch(sql)
        defer { finish(statement) }
        let (handle, parameterCount) = (statement.handle, Int32(statement.parameterCount))
        var values = ParameterBinder(statement: handle)
        var count: Int64 = 0
        for element in elements {
            values.rewind()
            try bind(element, &values)
            guard values.index == parameterCount else { throw values.failure(SQLITE_RANGE) }
            var code: Int32
            repeat { code = sqlite3_step(handle) } while code == SQLITE_ROW
            if code != SQLITE_DONE { throw failure(code, of: statement) }
            count += sqlite3_changes64(self.handle)
            sqlite3_reset(handle)
            try checkCancellation()
        }
        return Int(count)
    }

    /// Returns the statement of `sql` without bound values, marked as running. The caller must call `finish`.
    @usableFromInline
    func startBatch(_ sql: SQL) throws -> Statement {
        let statement = try compiled(sql)
        guard !statement.isReadOnly else {
            throw SQLiteError(.misuse, "a statement that only reads cannot be run for each element", sql: statement.sql)
        }
        try checkStart(of: statement)
        statement.isRunning = true
        statement.clearsBindings = true
        return statement
    }

    @usableFromInline
    func checkCancellation() throws {
        if interruption.isFlagged { throw CancellationError() }
    }
}
