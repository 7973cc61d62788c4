public import CSQLite
// Integers are INTEGER; one that does not fit, either way, is an error.
extension FixedWidthInteger where Self: SQLBindable {
    /// `INTEGER`; an unsigned value beyond `Int64.max` has no place in SQLite and is an error.
    @inlinable
    public var sqlValue: SQLValue {
        get throws {
            guard let value = Int64(exactly: self) else {
                throw SQLiteError(.mismatch, "\(Self.self) beyond Int64.max cannot be stored")
            }
            return .integer(value)
        }
    }
}

extension FixedWidthInteger where Self: SQLDecodable {
    /// An `INTEGER` in this type's range.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_INTEGER) else { throw column.mismatch(Self.self) }
        guard let value = Self(exactly: column.rawInteger) else {
            throw column.mismatch(Self.self, "is out of its range")
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
    /// `INTEGER`, 0 or 1.
    @inlinable
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// The `INTEGER` 0 or 1; any other is an error.
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
    /// `REAL`. NaN is an error, because SQLite would turn it into `NULL`.
    @inlinable
    public var sqlValue: SQLValue {
        get throws {
            guard !isNaN else { throw SQLiteError(.mismatch, "NaN cannot be stored: SQLite turns it into NULL") }
            return .real(self)
        }
    }

    /// A `REAL`, or an `INTEGER` as the nearest number.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_FLOAT) || column.holds(SQLITE_INTEGER) else { throw column.mismatch(Double.self) }
        self = column.rawReal
    }
}

extension Float: SQLCodable {
    /// `REAL`. NaN is an error, because SQLite would turn it into `NULL`.
    @inlinable
    public var sqlValue: SQLValue {
        get throws { try Double(self).sqlValue }
    }

    /// A `REAL`, or an `INTEGER`, as the nearest number.
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_FLOAT) || column.holds(SQLITE_INTEGER) else { throw column.mismatch(Float.self) }
        self = Float(column.rawReal)
    }
}
