public import CSQLite

/// One column of the row at hand: what a type that conforms to `SQLDecodable` reads itself from.
///
/// It lives as long as the row; the compiler lets nobody keep it.
public struct Column: ~Copyable {
    /// nil for an argument of a function.
    @usableFromInline
    let statement: OpaquePointer?
    /// SQLite's own value. Its functions may be called on it as they are, because every connection is opened without a
    /// mutex, in which mode SQLite makes no difference between protected and unprotected values; and they cost a
    /// fraction of those that take statement and index.
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

    /// An argument of a function, which is read in the same way.
    init(argument: OpaquePointer?, index: Int) {
        statement = nil
        self.index = index
        value = argument
    }
}

extension Column {
    /// SQLite's storage classes.
    public enum Kind: Int32, Sendable {
        /// A 64-bit signed integer.
        case integer = 1
        /// A 64-bit floating point number.
        case real = 2
        /// Text.
        case text = 3
        /// Bytes.
        case blob = 4
        /// Nothing.
        case null = 5
    }

    /// The storage class of what the column holds in this row.
    @inlinable
    public var kind: Kind {
        Kind(rawValue: sqlite3_value_type(value)) ?? .null
    }

    /// Whether the column holds `NULL` in this row.
    @inlinable
    public var isNull: Bool {
        holds(SQLITE_NULL)
    }

    /// Whether the storage class is the one of this number.
    @inlinable
    func holds(_ type: Int32) -> Bool {
        sqlite3_value_type(value) == type
    }

    /// The column's name, or its `AS` name.
    public var name: String {
        statement.flatMap { sqlite3_column_name($0, Int32(index)) }.map { String(cString: $0) } ?? "argument"
    }

    /// The value as an integer. Check `kind` first: anything else is converted by SQLite's rules.
    @inlinable
    public var rawInteger: Int64 {
        sqlite3_value_int64(value)
    }

    /// The value as a number. Check `kind` first: text is converted by SQLite's rules.
    @inlinable
    public var rawReal: Double {
        sqlite3_value_double(value)
    }

    /// Calls `body` with the UTF-8 bytes of a `TEXT`; they are not to be kept. `NULL` is a mismatch; check `kind` before
    /// if anything else is to be one: SQLite makes a text of it.
    @inlinable
    public func withTextBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) throws -> Result {
        guard let bytes = sqlite3_value_text(value) else { throw textIsMissing }
        let count = sqlite3_value_bytes(value)
        return try body(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Calls `body` with the bytes of a `BLOB`; they are not to be kept. `NULL` has none; check `kind` first.
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
    /// The error that says that this column holds no `expected`, and what it holds instead.
    ///
    /// `column 3 "budget": expected Int, found NULL`. A `detail` follows the kind: `found INTEGER, which is out of its
    /// range`. The value itself is never part of it.
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
