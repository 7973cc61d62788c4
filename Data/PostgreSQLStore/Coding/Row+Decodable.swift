#if PostgreSQL
    internal import DatabaseAccess

    extension Row {
        /// Decodes a `Decodable` value from the row. Each property is read from the column with the name of its coding
        /// key.
        ///
        /// ```swift
        /// struct City: Decodable { let name: String; let population: Int?; let districts: [String] }
        /// let city = try db.fetchOne("SELECT name, population, districts FROM cities") { row in
        ///     try row.decode(City.self)
        /// }
        /// ```
        ///
        /// Properties of `SQLDecodable` types, arrays of them included, are read as `row[…]` reads them, with the same
        /// errors. Every type is decoded from `json` and `jsonb`, and those that are not `SQLDecodable`, such as nested
        /// structs, from JSON in a text. A missing column is nil for an optional property and an error for any other.
        /// `Codable` is several times slower than ``RowDecodable``; prefer the latter for large results.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`, `.range` or `.misuse`; other errors of the type's
        ///   `init(from:)`.
        public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            let source = ResultRow(self)
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
        /// - Throws: ``PostgreSQLError``, also for a row that cannot be decoded; `CancellationError`.
        public func fetchAll<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> [Value] {
            // Shared by all rows, so that the column names are looked up once.
            var shared: ResultRow?
            defer { shared?.isOver = true }
            return try fetchAll(sql) { row in
                let source = shared ?? ResultRow(row)
                source.position = row.position
                shared = source
                return try RowDecoder(source: source).decode(type)
            }
        }

        /// Returns the first row of the result as a `Decodable` value, decoded as ``Row/decode(_:)`` does, or nil if
        /// the result is empty.
        ///
        /// ```swift
        /// // nil without the row
        /// let seoul = try db.fetchOne(decoding: City.self, "SELECT * FROM cities WHERE id = 1")
        /// ```
        ///
        /// - Throws: ``PostgreSQLError``, also for a row that cannot be decoded; `CancellationError`.
        public func fetchOne<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> Value? {
            try fetchOne(sql) { row in try row.decode(type) }
        }
    }
#endif
