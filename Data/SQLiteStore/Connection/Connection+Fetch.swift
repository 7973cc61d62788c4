public import CSQLite

extension Connection {
    /// Calls `body` with every row of the result, in order. Nothing is kept: a result of any length costs one row.
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

    /// Calls `body` with every row of the result, in order, until it says to stop. Later rows are not computed; a
    /// statement that writes is run to its end all the same.
    ///
    /// ```swift
    /// var total = 0
    /// try db.forEach("SELECT population FROM cities ORDER BY population DESC") { row, stop in
    ///     total += try row[0]
    ///     stop = total > 20_000_000
    /// }
    /// // The population of the largest cities, until it is more than 20 million.
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

    /// Every row of the result, as `decode` reads it.
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

    /// Every row of the result.
    @inlinable
    public func fetchAll<Value: RowDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> [Value] {
        try fetchAll(sql) { row in try Value(row: row) }
    }

    /// The first column of every row of the result.
    ///
    /// ```swift
    /// let names = try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
    /// ```
    @inlinable
    public func fetchAll<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> [Value] {
        try fetchAll(sql) { row in try row[0] }
    }

    /// The first row of the result, as `decode` reads it, or nil if the result is empty. Later rows are not computed; a
    /// statement that writes is run to its end all the same.
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

    /// The first row of a statement that has been started.
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

    /// Outside of a transaction a statement commits with its last step, which may fail.
    @usableFromInline
    func runToEnd(_ statement: Statement) throws {
        var code: Int32
        repeat { code = sqlite3_step(statement.handle) } while code == SQLITE_ROW
        if code != SQLITE_DONE { try runAgain(statement, after: code) }
    }

    /// Runs a statement again that failed because it was compiled again, and now there is a trigger that writes to a
    /// virtual table; any other failure is thrown.
    @usableFromInline
    @inline(never)
    func runAgain(_ statement: Statement, after code: Int32) throws {
        guard code == SQLITE_ERROR, trustSchemaIfHarmless() else { throw failure(code, of: statement) }
        sqlite3_reset(statement.handle)
        try runToEnd(statement)
    }

    /// The first row of the result, or nil if the result is empty.
    @inlinable
    public func fetchOne<Value: RowDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try Value(row: row) }
    }

    /// The first column of the first row, or nil if the result is empty, or what is there is `NULL`.
    ///
    /// ```swift
    /// let largest = try db.fetchOne(Int?.self, "SELECT MAX(population) FROM cities")  // Int?, nil without a city
    /// ```
    @inlinable
    public func fetchOne<Value: SQLDecodable>(_ type: Value?.Type, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row[0] as Value? } ?? nil
    }

    /// The first column of the first row, or nil if the result is empty; `NULL` is a mismatch.
    ///
    /// ```swift
    /// let count = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") ?? 0
    /// ```
    @inlinable
    public func fetchOne<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row[0] }
    }
}
