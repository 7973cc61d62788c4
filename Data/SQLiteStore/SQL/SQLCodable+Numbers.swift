public import CSQLite
// Integers are stored as INTEGER; a value out of range is an error in both directions.
extension FixedWidthInteger where Self: SQLBindable {
    /// An `INTEGER`; an unsigned value greater than `Int64.max` is an error.
    @inlinable
    public var sqlValue: SQLValue {
        get throws {
            guard let value = Int64(exactly: self) else {
                throw SQLiteError(.mismatch, "a \(Self.self) greater than Int64.max cannot be stored")
            }
            return .integer(value)
        }
    }
}

extension FixedWidthInteger where Self: SQLDecodable {
    /// Reads an `INTEGER` within the range of this type; throws ``SQLiteError`` with the code
    /// ``SQLiteError/Code/mismatch`` for anything else.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_INTEGER) else { throw column.mismatch(Self.self) }
        guard let value = Self(exactly: column.rawInteger) else {
            throw column.mismatch(Self.self, "is out of range")
        }
        self = value
    }
}

extension Int: SQLCodable {}
extension Int8: SQLCodable {}
extension Int16: SQLCodable {}
extension Int32: SQLCodable {}
extension Int64: SQLCodable {}
extension UInt: SQLCodable {}
extension UInt8: SQLCodable {}
extension UInt16: SQLCodable {}
extension UInt32: SQLCodable {}
extension UInt64: SQLCodable {}

extension Bool: SQLCodable {
    /// The `INTEGER` 0 or 1.
    @inlinable
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// Reads the `INTEGER` 0 or 1; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything
    /// else.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_INTEGER) else { throw column.mismatch(Bool.self) }
        switch column.rawInteger {
        case 0: self = false
        case 1: self = true
        default: throw column.mismatch(Bool.self, "is neither 0 nor 1")
        }
    }
}

extension Double: SQLCodable {
    /// A `REAL`. NaN is an error, because SQLite would store `NULL`.
    @inlinable
    public var sqlValue: SQLValue {
        get throws {
            guard !isNaN else { throw SQLiteError(.mismatch, "NaN cannot be stored: SQLite turns it into NULL") }
            return .real(self)
        }
    }

    /// Reads a `REAL`, or an `INTEGER` as the nearest number; throws ``SQLiteError`` with the code
    /// ``SQLiteError/Code/mismatch`` for anything else.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_FLOAT) || column.holds(SQLITE_INTEGER) else { throw column.mismatch(Double.self) }
        self = column.rawReal
    }
}

extension Float: SQLCodable {
    /// A `REAL`. NaN is an error, because SQLite would store `NULL`.
    @inlinable
    public var sqlValue: SQLValue {
        get throws { try Double(self).sqlValue }
    }

    /// Reads a `REAL` or an `INTEGER` as the nearest number; throws ``SQLiteError`` with the code
    /// ``SQLiteError/Code/mismatch`` for anything else.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_FLOAT) || column.holds(SQLITE_INTEGER) else { throw column.mismatch(Float.self) }
        self = Float(column.rawReal)
    }
}
