/// A value of one of SQLite's five storage classes.
///
/// ```swift
/// try db.fetchAll(SQLValue.self, "SELECT 1 UNION ALL SELECT 'a' UNION ALL SELECT NULL")
/// // [.integer(1), .text("a"), .null]
/// ```
public enum SQLValue: Hashable, Sendable {
    /// `NULL`, which stands for a missing value.
    case null
    /// A 64-bit signed integer, of the class `INTEGER`.
    case integer(Int64)
    /// A 64-bit floating point number, of the class `REAL`.
    case real(Double)
    /// Text in UTF-8, of the class `TEXT`.
    case text(String)
    /// Bytes without an encoding, of the class `BLOB`.
    case blob([UInt8])
}

extension SQLValue: SQLCodable {
    /// The value itself.
    @inlinable
    public var sqlValue: SQLValue { self }

    /// Reads a value of any storage class; never throws.
    public init(column: borrowing Column) throws {
        switch column.kind {
        case .null: self = .null
        case .integer: self = .integer(column.rawInteger)
        case .real: self = .real(column.rawReal)
        case .text: self = .text(try String(column: column))
        case .blob: self = .blob(try [UInt8](column: column))
        }
    }
}
