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
    func noColumn(_ index: Int) -> PostgreSQLError {
        PostgreSQLError(
            .range, "no column \(index): the row has \(columnCount)", sql: statement.takeUnretainedValue().sql)
    }
}

/// Reads the columns of a row one after the other, so that their order is that of the calls, and no number is to be kept in
/// step with the SQL: see ``Row/read(_:)``.
public struct ColumnCursor: ~Copyable {
    @usableFromInline
    let result: OpaquePointer
    /// Retained by the caller that created the row.
    @usableFromInline
    let statement: Unmanaged<Statement>
    @usableFromInline
    let row: Int32
    @usableFromInline
    let columnCount: Int
    /// The position of the next column.
    @usableFromInline
    var index = 0

    @inlinable
    init(_ row: borrowing Row) {
        (result, statement, self.row, columnCount) = (row.result, row.statement, row.position, row.columnCount)
    }

    /// The value of the next column.
    ///
    /// - Throws: ``PostgreSQLError`` with `.mismatch` if the value has another type, including `NULL`, and with `.range` after the
    ///   last column.
    @inlinable
    public mutating func next<Value: SQLDecodable>(_ type: Value.Type = Value.self) throws -> Value {
        try withNext { column in try Value(column: column) }
    }

    /// Calls `body` with the next column.
    ///
    /// - Throws: ``PostgreSQLError`` with `.range` after the last column; the errors of `body`.
    @inlinable
    @inline(__always)
    public mutating func withNext<Result>(_ body: (borrowing Column) throws -> Result) throws -> Result {
        guard index < columnCount else { throw noColumn }
        let column = Column(result: result, statement: statement, row: row, index: index)
        index += 1
        return try body(column)
    }

    @usableFromInline
    @inline(never)
    var noColumn: PostgreSQLError {
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
    init(row: borrowing Row) throws
}

/// A column of the current row, from which `SQLDecodable` types are read.
///
/// It is valid as long as the row; the compiler prevents it from escaping.
///
/// ```swift
/// try db.forEach("SELECT value FROM settings") { row in
///     try row.withColumn(0) { column in print(column.name, column.typeName) }    // value text
/// }
/// ```
public struct Column: ~Copyable {
    @usableFromInline
    let result: OpaquePointer
    /// Retained by the caller that created the row.
    @usableFromInline
    let statement: Unmanaged<Statement>
    @usableFromInline
    let type: TypeID
    /// The binary form of the value; nil for `NULL`.
    @usableFromInline
    let bytes: UnsafeRawBufferPointer?

    public let index: Int

    @inlinable
    init(
        result: OpaquePointer, statement: Unmanaged<Statement>, index: Int, type: TypeID,
        bytes: UnsafeRawBufferPointer?
    ) {
        (self.result, self.statement, self.index, self.type, self.bytes) = (result, statement, index, type, bytes)
    }

    @inlinable
    init(result: OpaquePointer, statement: Unmanaged<Statement>, row: Int32, index: Int) {
        let position = Int32(truncatingIfNeeded: index)
        let count = PQgetlength(result, row, position)
        // NULL has the length 0.
        let isNull = count == 0 && PQgetisnull(result, row, position) != 0
        self.init(
            result: result, statement: statement, index: index, type: TypeID(rawValue: PQftype(result, position)),
            bytes: isNull
                ? nil : UnsafeRawBufferPointer(start: PQgetvalue(result, row, position), count: Int(count)))
    }
}

extension Column {
    @inlinable
    public var isNull: Bool { bytes == nil }

    public var name: String {
        PQfname(result, Int32(index)).map { String(cString: $0) } ?? ""
    }

    /// The object identifier of the column's type, as in `pg_type`. Domains have the type that they are based on.
    public var typeOID: UInt32 { type.rawValue }

    /// The name of the column's type, such as `timestamptz`.
    public var typeName: String { type.description }

    /// Calls `body` with the binary form of the value, which is valid only during the call. `NULL` is a mismatch.
    ///
    /// - Throws: ``PostgreSQLError`` with `.mismatch` for `NULL`; the errors of `body`.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        guard let bytes else { throw mismatch(UnsafeRawBufferPointer.self) }
        return try body(bytes)
    }

    /// Calls `body` with the UTF-8 bytes of a text or of JSON; returns nil for a value of another type, and for
    /// `NULL`.
    func withText<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result? {
        guard let bytes else { return nil }
        // The type "char" holds no character as a zero.
        if type == .character, bytes.first == 0 { return try body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst())) }
        if type.isText { return try body(bytes) }
        // The first byte is the version of the format.
        if type == .jsonb { return try body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst())) }
        // The binary form of an enumeration, and of many types of extensions, is its text. That of others contains
        // zeros, or begins with a version or with flags, as that of `ltree` and of an empty range.
        guard type.isOwn, !bytes.contains(0), bytes.first.map({ $0 >= 0x20 || 0x09...0x0D ~= $0 }) ?? true,
            String(validating: bytes, as: UTF8.self) != nil
        else { return nil }
        return try body(bytes)
    }

    /// Returns the error for a column that holds no value of the type `expected`.
    ///
    /// Its message is, for example, `column 3 "budget": expected Int, found NULL`. A `detail` follows the type:
    /// `found bigint, which is out of range`. The message does not contain the value.
    @inline(never)
    public func mismatch(_ expected: any Any.Type, _ detail: String? = nil) -> PostgreSQLError {
        PostgreSQLError(
            .mismatch,
            "column \(index) \"\(name)\": expected \(expected), found \(isNull ? "NULL" : typeName)"
                + (detail.map { ", which \($0)" } ?? ""),
            sql: statement.takeUnretainedValue().sql)
    }

    /// The value of an integer type; nil for another type, and for `NULL`.
    @inlinable
    var integer: Int64? {
        guard let bytes else { return nil }
        switch type {
        case .bigint: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case .integer: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case .smallint: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case .oid: return Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
        default: return nil
        }
    }

    /// The value of a floating-point type, or of an integer type as the nearest number; nil for another type, and
    /// for `NULL`.
    @inlinable
    var real: Double? {
        guard let bytes else { return nil }
        switch type {
        case .double: return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case .real: return Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        default: return integer.map(Double.init)
        }
    }

    /// The value as a `numeric`; nil if it has another type or is not finite, and for `NULL`.
    var numeric: Numeric? {
        guard let bytes, type == .numeric else { return nil }
        return Numeric(bytes: bytes)
    }
}
#endif
