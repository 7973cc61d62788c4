internal import CSQLite
internal import DatabaseAccess

extension Row {
    /// Decodes a `Decodable` value from the row. Each property is read from the column with the name of its coding key.
    ///
    /// ```swift
    /// struct City: Decodable { let name: String; let population: Int?; let districts: [String] }
    /// let city = try db.fetchOne("SELECT name, population, districts FROM cities") { row in
    ///     try row.decode(City.self)
    /// }
    /// ```
    ///
    /// Properties of `SQLDecodable` types are read as `row[…]` reads them, with the same errors; properties of other
    /// types, including arrays and nested structs, are decoded from JSON text. A missing column is nil for an optional
    /// property and an error for any other. `Codable` is several times slower than ``RowDecodable``; prefer the latter
    /// for large results.
    ///
    /// - Throws: ``SQLiteError`` with `.mismatch`, `.range` or `.misuse`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let source = StatementRow(statement: statement, columnCount: columnCount)
        defer { source.isOver = true }
        return try RowDecoder(source: source).decode(type)
    }
}

extension Connection {
    /// Returns every row of the result as a `Decodable` value, decoded as ``Row/decode(_:)`` does.
    ///
    /// ```swift
    /// let cities = try db.fetchAll(decoding: City.self, "SELECT * FROM cities")
    /// ```
    ///
    /// - Throws: ``SQLiteError``, also for a row that cannot be decoded; `CancellationError`.
    public func fetchAll<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> [Value] {
        let statement = try start(sql)
        defer { finish(statement) }
        var code = sqlite3_step(statement.handle)
        guard code == SQLITE_ROW else {
            if code == SQLITE_DONE { return [] }
            throw failure(code, of: statement)
        }
        // Shared by all rows, so that the column names are looked up once. The first step recompiles the statement if
        // the schema has changed since its last run; therefore the names are read after it.
        let source = StatementRow(
            statement: statement.handle, columnCount: Int(sqlite3_column_count(statement.handle)))
        defer { source.isOver = true }
        let decoder = RowDecoder(source: source)
        var values: [Value] = []
        while code == SQLITE_ROW {
            values.append(try decoder.decode(type))
            code = sqlite3_step(statement.handle)
        }
        guard code == SQLITE_DONE else { throw failure(code, of: statement) }
        return values
    }

    /// Returns the first row of the result as a `Decodable` value, decoded as ``Row/decode(_:)`` does, or nil if the
    /// result is empty.
    ///
    /// ```swift
    /// let seoul = try db.fetchOne(decoding: City.self, "SELECT * FROM cities WHERE id = 1")    // nil without the row
    /// ```
    ///
    /// - Throws: ``SQLiteError``, also for a row that cannot be decoded; `CancellationError`.
    public func fetchOne<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row.decode(type) }
    }
}
