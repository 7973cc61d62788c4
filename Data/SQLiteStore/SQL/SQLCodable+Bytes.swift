public import CSQLite
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension String: SQLCodable {
    /// A `TEXT`.
    @inlinable
    public var sqlValue: SQLValue { .text(self) }

    /// Reads a `TEXT`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything else. Bytes that
    /// are not valid UTF-8 become U+FFFD.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_TEXT) else { throw column.mismatch(String.self) }
        self = try column.withTextBytes { String(decoding: $0, as: UTF8.self) }
    }
}

extension Array: SQLBindable where Element == UInt8 {
    /// A `BLOB`.
    @inlinable
    public var sqlValue: SQLValue { .blob(self) }
}

extension Array: SQLDecodable where Element == UInt8 {
    /// Reads a `BLOB`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything else.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_BLOB) else { throw column.mismatch([UInt8].self) }
        self = try column.withBlobBytes { Array($0) }
    }
}

extension Data: SQLCodable {
    /// A `BLOB`.
    public var sqlValue: SQLValue { .blob([UInt8](self)) }

    /// Reads a `BLOB`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything else.
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_BLOB) else { throw column.mismatch(Data.self) }
        self = try column.withBlobBytes { Data($0) }
    }
}
