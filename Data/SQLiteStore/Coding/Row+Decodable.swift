internal import CSQLite

extension Row {
    /// The row as a `Decodable` value: each property is read from the column of its coding key's name.
    ///
    /// ```swift
    /// struct City: Decodable { let name: String; let population: Int?; let districts: [String] }
    /// let city = try db.fetchOne("SELECT name, population, districts FROM cities") { row in try row.decode(City.self) }
    /// ```
    ///
    /// A property of an `SQLDecodable` type is read as `row[…]` reads it, with the same errors; one of any other type,
    /// arrays and nested structs among them, from JSON text. A column that is missing is nil for an optional property and
    /// an error for any other. `Codable` costs several times as much as `RowDecodable`, which is the way for many rows.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let source = RowSource(statement: statement, columnCount: columnCount)
        defer { source.isOver = true }
        return try RowDecoder(source: source).decode(type)
    }
}

extension Connection {
    /// Every row of the result as a `Decodable` value, as `Row.decode` reads it.
    ///
    /// ```swift
    /// let cities = try db.fetchAll(decoding: City.self, "SELECT * FROM cities")
    /// ```
    public func fetchAll<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> [Value] {
        let statement = try start(sql)
        defer { finish(statement) }
        var code = sqlite3_step(statement.handle)
        guard code == SQLITE_ROW else {
            if code == SQLITE_DONE { return [] }
            throw failure(code, of: statement)
        }
        // One for all rows: the names of the columns are looked up once. The first step compiles the statement again if the
        // schema has changed since the last run, so the names are those of this run only after it.
        let source = RowSource(
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

    /// The first row of the result as a `Decodable` value, as `Row.decode` reads it, or nil if the result is empty.
    public func fetchOne<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row.decode(type) }
    }
}
