public import CSQLite

/// The row at hand of a running statement.
///
/// Columns are read by position, from 0, as whatever `SQLDecodable` type is asked for:
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
/// A row is good until the statement steps on; the compiler lets nobody keep it.
public struct Row: ~Copyable {
    @usableFromInline
    let statement: OpaquePointer

    /// How many columns there are.
    public let columnCount: Int

    @inlinable
    init(statement: OpaquePointer) {
        self.statement = statement
        columnCount = Int(sqlite3_column_count(statement))
    }

    /// The value of the column at `index`; throws if it is of another type, `NULL` included.
    @inlinable
    public subscript<Value: SQLDecodable>(_ index: Int) -> Value {
        get throws {
            guard index >= 0, index < columnCount else { throw noColumn(index) }
            return try Value(column: Column(statement: statement, index: index))
        }
    }

    /// The value of the first column named `name`, exactly; slower than by position.
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

    /// The names of the columns, or their `AS` names, in order.
    public var columnNames: [String] {
        (0..<columnCount).map { String(cString: sqlite3_column_name(statement, Int32($0))) }
    }

    /// The column at `index`, for reading by hand.
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

/// A type that is read from a row.
///
/// Rows are read on whatever thread runs the statement, so a type in a module that is on the main actor by default
/// conforms without being on it.
public protocol RowDecodable: SendableMetatype {
    /// Reads the value from `row`.
    init(row: borrowing Row) throws
}
