public import CSQLite

/// The current row of a running statement.
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
/// A row is valid until the next step of the statement; the compiler prevents it from escaping.
public struct Row: ~Copyable {
    @usableFromInline
    let statement: OpaquePointer

    /// The number of columns.
    public let columnCount: Int

    @inlinable
    init(statement: OpaquePointer) {
        self.statement = statement
        columnCount = Int(sqlite3_column_count(statement))
    }

    /// The value of the column at `index`.
    ///
    /// - Throws: ``SQLiteError`` with `.mismatch` if the value has another type, including `NULL`, and with `.range` if
    ///   there is no such column.
    @inlinable
    public subscript<Value: SQLDecodable>(_ index: Int) -> Value {
        get throws {
            guard index >= 0, index < columnCount else { throw noColumn(index) }
            return try Value(column: Column(statement: statement, index: index))
        }
    }

    /// The value of the first column with this exact name; slower than by position.
    ///
    /// - Throws: ``SQLiteError`` with `.mismatch` if the value has another type, including `NULL`, and with `.range` if
    ///   there is no such column.
    public subscript<Value: SQLDecodable>(_ name: String) -> Value {
        get throws {
            for index in 0..<columnCount {
                let column = Column(statement: statement, index: index)
                if column.name == name { return try Value(column: column) }
            }
            throw SQLiteError(
                .range,
                "no column \"\(name)\" among \(columnNames.map { SQLiteError.withoutLiterals(columnName: $0) })",
                sql: String(cString: sqlite3_sql(statement)))
        }
    }

    /// The names of the columns, or their `AS` aliases, in order.
    public var columnNames: [String] {
        (0..<columnCount).map { String(cString: sqlite3_column_name(statement, Int32($0))) }
    }

    /// Calls `body` with the column at `index`.
    ///
    /// ```swift
    /// let sizes = try db.fetchAll("SELECT photo FROM cities") { row in
    ///     try row.withColumn(0) { try $0.withBlobBytes(\.count) }
    /// }
    /// ```
    ///
    /// - Throws: ``SQLiteError`` with `.range` if there is no such column; the errors of `body`.
    public func withColumn<Result>(_ index: Int, _ body: (borrowing Column) throws -> Result) throws -> Result {
        guard index >= 0, index < columnCount else { throw noColumn(index) }
        return try body(Column(statement: statement, index: index))
    }

    @usableFromInline
    @inline(never)
    func noColumn(_ index: Int) -> SQLiteError {
        SQLiteError(
            .range, "no column \(index): the row has \(columnCount)", sql: String(cString: sqlite3_sql(statement)))
    }
}

/// A type that can be read from a row.
///
/// Rows are read on the thread that runs the statement. Therefore types in a module with main-actor default isolation
/// conform without that isolation.
///
/// ```swift
/// extension City: RowDecodable {
///     init(row: borrowing Row) throws { self.init(name: try row[0], population: try row[1]) }
/// }
/// let cities = try db.fetchAll(City.self, "SELECT name, population FROM cities")
/// ```
public protocol RowDecodable: SendableMetatype {
    /// Reads the value from `row`, by the indexes of its columns.
    ///
    /// - Throws: The errors of the columns, or your own. An error ends the fetch, which rethrows it.
    init(row: borrowing Row) throws
}
