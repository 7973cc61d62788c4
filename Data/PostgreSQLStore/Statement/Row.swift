#if PostgreSQL
    public import CPostgreSQL

    /// The current row of a result.
    ///
    /// Columns are read by position, from 0, as any `SQLDecodable` type:
    ///
    /// ```swift
    /// struct City: RowDecodable {
    ///     let name: String
    ///     let population: Int?
    ///
    ///     init(row: borrowing Row) throws {
    ///         name = try row[0]
    ///         population = try row[1]
    ///     }
    /// }
    /// ```
    ///
    /// A row is valid within the closure or initializer that receives it; the compiler prevents it from escaping.
    public struct Row: ~Copyable {
        @usableFromInline
        var result: OpaquePointer
        /// Retained by the caller that created the row. An `unowned(unsafe)` reference would be retained and released
        /// for each column, a tenth of the time of a row.
        @usableFromInline
        let statement: Unmanaged<Statement>
        /// The position of the row in the result.
        @usableFromInline
        var position: Int32 = 0

        /// The number of columns.
        public let columnCount: Int

        @inlinable
        init(result: OpaquePointer, statement: Statement) {
            self.result = result
            self.statement = .passUnretained(statement)
            columnCount = Int(PQnfields(result))
        }

        /// The value of the column at `index`.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch` if the value has another type, including `NULL`, and with
        ///   `.range` if there is no such column.
        @inlinable
        public subscript<Value: SQLDecodable>(_ index: Int) -> Value {
            get throws {
                guard index >= 0, index < columnCount else { throw noColumn(index) }
                return try Value(column: Column(result: result, statement: statement, row: position, index: index))
            }
        }

        /// The value of the first column with this exact name; slower than by position.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch` if the value has another type, including `NULL`, and with
        ///   `.range` if there is no such column.
        public subscript<Value: SQLDecodable>(_ name: String) -> Value {
            get throws {
                guard let index = columnNames.firstIndex(of: name) else {
                    throw PostgreSQLError(
                        .range, "no column \"\(name)\" among \(columnNames)", sql: statement.takeUnretainedValue().sql)
                }
                return try self[index]
            }
        }

        /// The names of the columns, or their `AS` aliases, in order.
        public var columnNames: [String] {
            (0..<columnCount).map { PQfname(result, Int32($0)).map { String(cString: $0) } ?? "" }
        }

        /// Calls `body` with the column at `index`.
        ///
        /// - Throws: ``PostgreSQLError`` with `.range` if there is no such column; the errors of `body`.
        public func withColumn<Result>(_ index: Int, _ body: (borrowing Column) throws -> Result) throws -> Result {
            guard index >= 0, index < columnCount else { throw noColumn(index) }
            return try body(Column(result: result, statement: statement, row: position, index: index))
        }

        @usableFromInline
        @inline(never)
        func noColumn(_ index: Int) -> PostgreSQLError {
            PostgreSQLError(
                .range, "no column \(index): the row has \(columnCount)", sql: statement.takeUnretainedValue().sql)
        }
    }

    /// A type that can be read from a row.
    ///
    /// Rows are read on the thread that runs the statement. Therefore types in a module with main-actor default
    /// isolation conform without that isolation.
    ///
    /// ```swift
    /// extension City: RowDecodable {
    ///     init(row: borrowing Row) throws { self.init(name: try row[0], population: try row[1]) }
    /// }
    /// let cities = try db.fetchAll(City.self, "SELECT name, population FROM cities")
    /// ```
    public protocol RowDecodable: SendableMetatype {
        /// Reads the value from `row`.
        init(row: borrowing Row) throws
    }
#endif
