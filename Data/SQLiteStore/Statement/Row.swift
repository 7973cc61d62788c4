public import CSQLite
internal import DatabaseAccess

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
    public subscript<Value: SQLDecodable>(_ name: String) -> Value {
        get throws {
            for index in 0..<columnCount {
                let column = Column(statement: statement, index: index)
                if ExactText(column.name) == ExactText(name) { return try Value(column: column) }
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
    /// - Throws: ``SQLiteError`` with `.range` if there is no such column; the errors of `body`.
    public func withColumn<Result>(_ index: Int, _ body: (borrowing Column) throws -> Result) throws -> Result {
        guard index >= 0, index < columnCount else { throw noColumn(index) }
        return try body(Column(statement: statement, index: index))
    }

    /// Calls `body` with a cursor, which reads the columns in order, from the first.
    ///
    /// ```swift
    /// let cities = try db.fetchAll("SELECT name, population FROM cities") { row in
    ///     try row.read { columns in (name: try columns.next() as String, population: try columns.next() as Int?) }
    /// }
    /// ```
    ///
    /// Functions that read some columns each take the cursor as an `inout` parameter.
    @inlinable
    public func read<Result>(_ body: (inout ColumnCursor) throws -> Result) throws -> Result {
        var columns = ColumnCursor(self)
        return try body(&columns)
    }

    @usableFromInline
    @inline(never)
    func noColumn(_ index: Int) -> SQLiteError {
        SQLiteError(
            .range, "no column \(index): the row has \(columnCount)", sql: String(cString: sqlite3_sql(statement)))
    }
}

/// Reads the columns of a row one after the other, so that their order is that of the calls, and no number is to be kept in
/// step with the SQL: see ``Row/read(_:)``.
public struct ColumnCursor: ~Copyable {
    @usableFromInline
    let statement: OpaquePointer
    @usableFromInline
    let columnCount: Int
    /// The position of the next column.
    @usableFromInline
    var index = 0

    @inlinable
    init(_ row: borrowing Row) {
        (statement, columnCount) = (row.statement, row.columnCount)
    }

    /// The value of the next column.
    ///
    /// - Throws: ``SQLiteError`` with `.mismatch` if the value has another type, including `NULL`, and with `.range` after the
    ///   last column.
    @inlinable
    public mutating func next<Value: SQLDecodable>(_ type: Value.Type = Value.self) throws -> Value {
        try withNext { column in try Value(column: column) }
    }

    /// Calls `body` with the next column.
    ///
    /// - Throws: ``SQLiteError`` with `.range` after the last column; the errors of `body`.
    @inlinable
    @inline(__always)
    public mutating func withNext<Result>(_ body: (borrowing Column) throws -> Result) throws -> Result {
        guard index < columnCount else { throw noColumn }
        let column = Column(statement: statement, index: index)
        index += 1
        return try body(column)
    }

    @usableFromInline
    @inline(never)
    var noColumn: SQLiteError {
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
    /// Reads the value from `row`. An error ends the fetch, which rethrows it.
    init(row: borrowing Row) throws
}

/// A column of the current row, from which `SQLDecodable` types are read.
///
/// It is valid as long as the row; the compiler prevents it from escaping.
///
/// ```swift
/// try db.forEach("SELECT value FROM settings") { row in
///     try row.withColumn(0) { column in print(column.name, column.kind) }    // value text
/// }
/// ```
public struct Column: ~Copyable {
    /// nil for an argument of a function.
    @usableFromInline
    let statement: OpaquePointer?
    /// The unprotected `sqlite3_value`. Its accessors can be called directly, because connections are opened without a
    /// mutex, and are several times faster than those that take a statement and an index.
    @usableFromInline
    let value: OpaquePointer?

    /// The position of the column in the row, from 0.
    public let index: Int

    @inlinable
    init(statement: OpaquePointer, index: Int) {
        self.statement = statement
        self.index = index
        value = sqlite3_column_value(statement, Int32(truncatingIfNeeded: index))
    }

    /// Creates a column for an argument of a function.
    init(argument: OpaquePointer?, index: Int) {
        statement = nil
        self.index = index
        value = argument
    }
}

extension Column {
    public enum Kind: Int32, Sendable {
        case integer = 1
        case real = 2
        case text = 3
        case blob = 4
        case null = 5
    }

    @inlinable
    public var kind: Kind {
        Kind(rawValue: sqlite3_value_type(value)) ?? .null
    }

    @inlinable
    public var isNull: Bool {
        holds(SQLITE_NULL)
    }

    @inlinable
    func holds(_ type: Int32) -> Bool {
        sqlite3_value_type(value) == type
    }

    public var name: String {
        statement.flatMap { sqlite3_column_name($0, Int32(index)) }.map { String(cString: $0) } ?? "argument"
    }

    /// The value as an integer. Check `kind` first: SQLite converts other storage classes.
    @inlinable
    public var rawInteger: Int64 {
        sqlite3_value_int64(value)
    }

    /// The value as a number. Check `kind` first: SQLite converts text.
    @inlinable
    public var rawReal: Double {
        sqlite3_value_double(value)
    }

    /// Calls `body` with the UTF-8 bytes of a `TEXT`, which are valid only during the call. `NULL` is a mismatch. Check
    /// `kind` first: SQLite converts other storage classes to text.
    ///
    /// - Throws: ``SQLiteError`` with `.mismatch` for `NULL`; the errors of `body`.
    @inlinable
    public func withTextBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) throws -> Result {
        guard let bytes = sqlite3_value_text(value) else { throw textIsMissing }
        let count = sqlite3_value_bytes(value)
        return try body(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Calls `body` with the bytes of a `BLOB`, which are valid only during the call; `NULL` has no bytes. Check `kind`
    /// first. Throws only the errors of `body`.
    @inlinable
    public func withBlobBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) throws -> Result {
        // An empty blob has no address.
        let bytes = sqlite3_value_blob(value)
        let count = sqlite3_value_bytes(value)
        return try body(
            UnsafeBufferPointer(start: bytes?.assumingMemoryBound(to: UInt8.self), count: bytes == nil ? 0 : Int(count))
        )
    }
}

extension Column {
    /// Returns the error for a column that holds no value of the type `expected`.
    ///
    /// Its message is, for example, `column 3 "budget": expected Int, found NULL`. A `detail` follows the storage
    /// class: `found INTEGER, which is out of range`. The message does not contain the value.
    @inline(never)
    public func mismatch(_ expected: any Any.Type, _ detail: String? = nil) -> SQLiteError {
        let found =
            switch kind {
            case .integer: "INTEGER"
            case .real: "REAL"
            case .text: "TEXT"
            case .blob: "BLOB"
            case .null: "NULL"
            }
        return SQLiteError(
            .mismatch,
            "column \(index) \"\(SQLiteError.withoutLiterals(columnName: name))\": expected \(expected), found \(found)"
                + (detail.map { ", which \($0)" } ?? ""),
            sql: sqlText)
    }

    @usableFromInline
    var textIsMissing: SQLiteError {
        if isNull { return mismatch(String.self) }
        return SQLiteError(.noMemory, "out of memory while reading column \(index)", sql: sqlText)
    }

    private var sqlText: String? {
        statement.flatMap(sqlite3_sql).map { String(cString: $0) }
    }
}
