#if PostgreSQL
    public import CPostgreSQL

    extension Connection {
        /// Calls `body` with each row of the result, in order. Only one row is in memory at a time, and no other
        /// statement can be run meanwhile.
        ///
        /// For results that fit into memory `fetchAll` is faster.
        ///
        /// - Throws: ``PostgreSQLError``; the errors of `body`, after which the remaining rows are received and
        ///   dropped; `CancellationError`.
        public func forEach(_ sql: SQL, _ body: (borrowing Row) throws -> Void) throws {
            try forEach(sql) { row, _ in try body(row) }
        }

        /// Calls `body` with each row of the result, in order, until `body` sets `stop`. The remaining rows are
        /// received and dropped.
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
        /// - Throws: ``PostgreSQLError``; the errors of `body`; `CancellationError`.
        public func forEach(_ sql: SQL, _ body: (_ row: borrowing Row, _ stop: inout Bool) throws -> Void) throws {
            let statement = try bound(sql)
            try setPlanMode(for: sql.plan)
            try exchange(sql: statement.sql) {
                send(statement) & PQsetSingleRowMode(raw)
            } receive: {
                isStreaming = true
                defer { isStreaming = false }
                try receiveRows(of: statement, body)
            }
            try checkTransaction(after: statement.sql)
        }

        private func receiveRows(
            of statement: Statement, _ body: (_ row: borrowing Row, _ stop: inout Bool) throws -> Void
        ) throws {
            while let result = try nextResult(sql: statement.sql) {
                defer { PQclear(result) }
                do {
                    try check(result, sql: statement.sql)
                    var stop = false
                    if PQntuples(result) > 0 { try body(Row(result: result, statement: statement), &stop) }
                    if stop { return try drainResults(sql: statement.sql) }
                } catch {
                    if !isLost { try drainResults(sql: statement.sql) }
                    throw error
                }
            }
        }

        /// Returns every row of the result, decoded by `decode`.
        ///
        /// ```swift
        /// let pairs = try db.fetchAll("SELECT name, population FROM cities") { row in
        ///     (name: try row[0] as String, population: try row[1] as Int?)
        /// }
        /// ```
        ///
        /// - Throws: ``PostgreSQLError``; the errors of `decode`; `CancellationError`.
        @inlinable
        public func fetchAll<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> [Value] {
            try withResult(of: sql) { result, statement in
                let count = PQntuples(result)
                var values: [Value] = []
                values.reserveCapacity(Int(count))
                var row = Row(result: result, statement: statement)
                while row.position < count {
                    values.append(try decode(row))
                    row.position += 1
                }
                return values
            }
        }

        /// Returns every row of the result.
        ///
        /// - Throws: ``PostgreSQLError``, such as `.mismatch` for a column of another type; the errors of
        ///   `Value.init(row:)`; `CancellationError`.
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
        /// - Throws: ``PostgreSQLError``, such as `.mismatch` for a value of another type; `CancellationError`.
        @inlinable
        public func fetchAll<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> [Value] {
            try fetchAll(sql) { row in try row[0] }
        }

        /// Returns the first row of the result, decoded by `decode`, or nil if the result is empty. Add `LIMIT 1` if
        /// there can be more rows: the server sends all of them.
        ///
        /// ```swift
        /// let id = try db.fetchOne(Int64.self, "INSERT INTO cities (name) VALUES (\(name)) RETURNING id")
        /// ```
        ///
        /// - Throws: ``PostgreSQLError``; the errors of `decode`; `CancellationError`.
        @inlinable
        public func fetchOne<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> Value? {
            try withResult(of: sql) { result, statement in
                PQntuples(result) > 0 ? try decode(Row(result: result, statement: statement)) : nil
            }
        }

        /// Returns the first row of the result, or nil if the result is empty.
        ///
        /// - Throws: ``PostgreSQLError``, such as `.mismatch` for a column of another type; the errors of
        ///   `Value.init(row:)`; `CancellationError`.
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
        /// - Throws: ``PostgreSQLError``, such as `.mismatch` for a value of another type; `CancellationError`.
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
        /// - Throws: ``PostgreSQLError``, such as `.mismatch` for a value of another type or `NULL`;
        ///   `CancellationError`.
        @inlinable
        public func fetchOne<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
            try fetchOne(sql) { row in try row[0] }
        }
    }
#endif
