public import CSQLite

extension Connection {
    /// Runs one statement for each of many elements, and returns how many rows it inserted, updated or deleted.
    ///
    /// ```swift
    /// try db.execute("INSERT INTO points (latitude, longitude) VALUES (?, ?)", forEach: track.points) { point, values in
    ///     try values.bind(point.latitude)
    ///     try values.bind(point.longitude)
    /// }
    /// ```
    ///
    /// It is the fastest way to write very many rows: as fast as SQLite itself. For a few, a literal is easier to read.
    ///
    /// - Parameters:
    ///   - sql: The statement, with `?` for each value; nothing is interpolated into it but text.
    ///   - elements: What it is run for, in their order.
    ///   - bind: Binds every parameter, in order.
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
            if code != SQLITE_DONE { try runAgain(statement, after: code) }
            count += sqlite3_changes64(self.handle)
            sqlite3_reset(handle)
            try checkCancellation()
        }
        return Int(count)
    }

    /// The statement of `sql`, whose values are still to be bound, marked as running; `finish` must follow.
    @usableFromInline
    func startBatch(_ sql: SQL) throws -> Statement {
        let statement = try compiled(sql)
        guard !statement.isReadOnly else {
            throw SQLiteError(.misuse, "only a statement that writes can be run for each element", sql: statement.sql)
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
