public import CSQLite

extension Connection {
    /// Runs one statement to its end, and returns the number of rows that it inserted, updated or deleted.
    ///
    /// The number does not include rows changed by triggers and foreign key actions. Rows that a `SELECT` or
    /// `RETURNING` yields are skipped.
    ///
    /// ```swift
    /// let liked = try db.execute("INSERT OR IGNORE INTO liked (user, trip) VALUES (\(user), \(trip))") == 1
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

extension Connection {
    /// Calls `body` with each row of the result, in order. Only one row is in memory at a time.
    ///
    /// ```swift
    /// try db.forEach("SELECT name, population FROM cities") { row in
    ///     print(try row[0] as String, try row[1] as Int)
    /// }
    /// ```
    @inlinable
    public func forEach(_ sql: SQL, _ body: (borrowing Row) throws -> Void) throws {
        let statement = try start(sql)
        defer { finish(statement) }
        var code = sqlite3_step(statement.handle)
        let row = Row(statement: statement.handle)
        while code == SQLITE_ROW {
            try body(row)
            code = sqlite3_step(statement.handle)
        }
        guard code == SQLITE_DONE else { throw failure(code, of: statement) }
    }

    /// Calls `body` with each row of the result, in order, until `body` sets `stop`. The remaining rows are not
    /// computed, but a statement that writes is run to its end.
    ///
    /// ```swift
    /// var total = 0
    /// try db.forEach("SELECT population FROM cities ORDER BY population DESC") { row, stop in
    ///     total += try row[0]
    ///     stop = total > 20_000_000
    /// }
    /// // Sums the largest cities until the total exceeds 20 million.
    /// ```
    @inlinable
    public func forEach(_ sql: SQL, _ body: (_ row: borrowing Row, _ stop: inout Bool) throws -> Void) throws {
        let statement = try start(sql)
        defer { finish(statement) }
        var code = sqlite3_step(statement.handle)
        let row = Row(statement: statement.handle)
        var stop = false
        while code == SQLITE_ROW {
            try body(row, &stop)
            if stop { return statement.isReadOnly ? () : try runToEnd(statement) }
            code = sqlite3_step(statement.handle)
        }
        guard code == SQLITE_DONE else { throw failure(code, of: statement) }
    }

    /// Returns every row of the result, decoded by `decode`.
    ///
    /// ```swift
    /// let pairs = try db.fetchAll("SELECT name, population FROM cities") { row in
    ///     (name: try row[0] as String, population: try row[1] as Int?)
    /// }
    /// ```
    @inlinable
    public func fetchAll<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try forEach(sql) { row in values.append(try decode(row)) }
        return values
    }

    @inlinable
    public func fetchAll<Value: RowDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> [Value] {
        try fetchAll(sql) { row in try Value(row: row) }
    }

    /// Returns the first column of every row of the result.
    ///
    /// ```swift
    /// let names = try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
    /// ```
    @inlinable
    public func fetchAll<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> [Value] {
        try fetchAll(sql) { row in try row[0] }
    }

    /// Returns the first row of the result, decoded by `decode`, or nil if the result is empty. The remaining rows are
    /// not computed, but a statement that writes is run to its end.
    ///
    /// ```swift
    /// let id = try db.fetchOne(Int64.self, "INSERT INTO cities (name) VALUES (\(name)) RETURNING id")
    /// ```
    @inlinable
    public func fetchOne<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> Value? {
        let statement = try start(sql)
        defer { finish(statement) }
        return try firstRow(of: statement, decode)
    }

    @inlinable
    func firstRow<Value>(of statement: Statement, _ decode: (borrowing Row) throws -> Value) throws -> Value? {
        switch sqlite3_step(statement.handle) {
        case SQLITE_ROW:
            let value = try decode(Row(statement: statement.handle))
            if !statement.isReadOnly { try runToEnd(statement) }
            return value
        case SQLITE_DONE: return nil
        case let code: throw failure(code, of: statement)
        }
    }

    /// Runs the remaining steps. Outside a transaction the last step of a statement commits and may fail.
    @usableFromInline
    func runToEnd(_ statement: Statement) throws {
        var code: Int32
        repeat { code = sqlite3_step(statement.handle) } while code == SQLITE_ROW
        if code != SQLITE_DONE { throw failure(code, of: statement) }
    }

    /// Returns the first row of the result, or nil if the result is empty.
    @inlinable
    public func fetchOne<Value: RowDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try Value(row: row) }
    }

    /// Returns the first column of the first row, or nil if the result is empty or the value is `NULL`.
    ///
    /// ```swift
    /// let largest = try db.fetchOne(Int?.self, "SELECT MAX(population) FROM cities")  // Int?, nil without a city
    /// ```
    @inlinable
    public func fetchOne<Value: SQLDecodable>(_ type: Value?.Type, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row[0] as Value? } ?? nil
    }

    /// Returns the first column of the first row, or nil if the result is empty. `NULL` is a mismatch.
    ///
    /// ```swift
    /// let count = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") ?? 0
    /// ```
    @inlinable
    public func fetchOne<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row[0] }
    }
}

extension Connection {
    /// Runs one statement, with `?` for each value, once for each element, and returns the number of rows that it
    /// inserted, updated or deleted. `bind` binds every parameter, in order.
    ///
    /// ```swift
    /// let insertion: SQL = "INSERT INTO points (latitude, longitude) VALUES (?, ?)"
    /// try db.execute(insertion, forEach: track.points) { point, values in
    ///     try values.bind(point.latitude, point.longitude)
    /// }
    /// ```
    ///
    /// This is the fastest way to write many rows, as fast as the C API of SQLite. For a few rows a literal is easier
    /// to read.
    ///
    /// - Throws: ``SQLiteError``, such as `.range` if `bind` binds too few or too many values; the errors of `bind`;
    /// `CancellationError`.
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
        if interruption.isFlagged { throw interruption.error }
    }
}

extension Connection {
    /// Returns the plan of SQLite for `sql`, as `EXPLAIN QUERY PLAN` describes it: one step per line, with nested steps
    /// indented by two spaces.
    ///
    /// ```swift
    /// print(try db.explain("SELECT * FROM cities WHERE name = \(name) ORDER BY population"))
    /// // SEARCH cities USING INDEX cities_by_name (name=?)
    /// // USE TEMP B-TREE FOR ORDER BY
    /// ```
    ///
    /// The statement is not run, so that a read can explain a statement that writes. `SCAN` reads a table completely;
    /// `SEARCH` finds rows by an index. To require properties of a plan in a test, use `QueryPlan` of
    /// SQLiteStoreTesting.
    public func explain(_ sql: SQL) throws -> String {
        var depths: [Int: Int] = [:]
        return try fetchAll("EXPLAIN QUERY PLAN \(sql)") { row in
            let depth = depths[try row[1]].map { $0 + 1 } ?? 0
            depths[try row[0]] = depth
            return String(repeating: "  ", count: depth) + (try row[3] as String)
        }
        .joined(separator: "\n")
    }
}
