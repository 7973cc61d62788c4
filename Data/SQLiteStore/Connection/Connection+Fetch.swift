public import CSQLite

extension Connection {
    /// Calls `body` with each row of the result, in order. Only one row is in memory at a time.
    ///
    /// ```swift
    /// try db.forEach("SELECT name, population FROM cities") { row in
    ///     print(try row[0] as String, try row[1] as Int)
    /// }
    /// ```
    ///
    /// - Throws: ``SQLiteError``; the errors of `body`, which end the statement; `CancellationError`.
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
    ///
    /// - Throws: ``SQLiteError``; the errors of `body`, which end the statement; `CancellationError`.
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
    ///
    /// - Throws: ``SQLiteError``; the errors of `decode`; `CancellationError`.
    @inlinable
    public func fetchAll<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try forEach(sql) { row in values.append(try decode(row)) }
        return values
    }

    /// Returns every row of the result.
    ///
    /// ```swift
    /// let cities = try db.fetchAll(City.self, "SELECT * FROM cities")    // `City` conforms to `RowDecodable`
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.mismatch` for a column of another type; the errors of `Value.init(row:)`;
    ///   `CancellationError`.
    @inlinable
    public func fetchAll<Value: RowDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> [Value] {
        try fetchAll(sql) { row in try Value(row: row) }
    }

    /// Returns the first column of every row of the result.
    ///
    /// ```swift
    /// let names = try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.mismatch` for a value of another type; `CancellationError`.
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
    ///
    /// - Throws: ``SQLiteError``; the errors of `decode`; `CancellationError`.
    @inlinable
    public func fetchOne<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> Value? {
        let statement = try start(sql)
        defer { finish(statement) }
        return try firstRow(of: statement, decode)
    }

    /// Returns the first row of a started statement.
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
    ///
    /// ```swift
    /// let seoul = try db.fetchOne(City.self, "SELECT * FROM cities WHERE name = 'Seoul'")    // nil without it
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.mismatch` for a column of another type; the errors of `Value.init(row:)`;
    ///   `CancellationError`.
    @inlinable
    public func fetchOne<Value: RowDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try Value(row: row) }
    }

    /// Returns the first column of the first row, or nil if the result is empty or the value is `NULL`.
    ///
    /// ```swift
    /// let largest = try db.fetchOne(Int?.self, "SELECT MAX(population) FROM cities")  // Int?, nil without a city
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.mismatch` for a value of another type; `CancellationError`.
    @inlinable
    public func fetchOne<Value: SQLDecodable>(_ type: Value?.Type, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row[0] as Value? } ?? nil
    }

    /// Returns the first column of the first row, or nil if the result is empty. `NULL` is a mismatch.
    ///
    /// ```swift
    /// let count = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") ?? 0
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.mismatch` for a value of another type or `NULL`; `CancellationError`.
    @inlinable
    public func fetchOne<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row[0] }
    }
}
