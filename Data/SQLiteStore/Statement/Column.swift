public import CSQLite

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
    /// The storage classes of SQLite.
    ///
    /// ```swift
    /// let kinds = try db.fetchOne("SELECT 1, 'a', NULL") { row in
    ///     try (0..<3).map { try row.withColumn($0) { $0.kind } }
    /// }    // [.integer, .text, .null]
    /// ```
    public enum Kind: Int32, Sendable {
        /// A 64-bit signed integer, of the class `INTEGER`.
        case integer = 1
        /// A 64-bit floating point number, of the class `REAL`.
        case real = 2
        /// Text in the encoding of the file, of the class `TEXT`.
        case text = 3
        /// Bytes without an encoding, of the class `BLOB`.
        case blob = 4
        /// No value: the class of `NULL`.
        case null = 5
    }

    /// The storage class of the value in this row.
    @inlinable
    public var kind: Kind {
        Kind(rawValue: sqlite3_value_type(value)) ?? .null
    }

    /// Whether the value in this row is `NULL`.
    @inlinable
    public var isNull: Bool {
        holds(SQLITE_NULL)
    }

    /// Returns whether the value has this storage class.
    @inlinable
    func holds(_ type: Int32) -> Bool {
        sqlite3_value_type(value) == type
    }

    /// The name of the column, or its `AS` alias.
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
