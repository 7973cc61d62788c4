#if PostgreSQL
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    // A value out of range is an error in both directions.
    extension FixedWidthInteger where Self: SQLBindable {
        /// An integer.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch` for an unsigned value greater than `Int64.max`.
        @inlinable
        public var sqlValue: SQLValue {
            get throws {
                guard let value = Int64(exactly: self) else {
                    throw PostgreSQLError(.mismatch, "a \(Self.self) greater than Int64.max cannot be stored")
                }
                return .integer(value)
            }
        }
    }

    extension FixedWidthInteger where Self: SQLDecodable {
        /// Reads a `bigint`, `integer`, `smallint` or `oid`, or a `numeric` without decimals such as a `SUM`, within
        /// the range of this type; anything else is a mismatch.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        @inlinable
        public init(column: borrowing Column) throws {
            guard let integer = try column.integer ?? column.wholeNumeric(Self.self) else {
                throw column.mismatch(Self.self)
            }
            guard let value = Self(exactly: integer) else { throw column.mismatch(Self.self, "is out of range") }
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

    extension Column {
        /// The value of a `numeric` without decimals; nil for another type.
        @usableFromInline
        func wholeNumeric(_ expected: any Any.Type) throws -> Int64? {
            guard type == .numeric, !isNull else { return nil }
            guard let text = numeric?.description else { throw mismatch(expected, "is not finite") }
            let parts = text.split(separator: ".")
            guard parts.count < 2 || parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
                throw mismatch(expected, "is not whole")
            }
            guard let integer = Int64(parts[0]) else { throw mismatch(expected, "is out of range") }
            return integer
        }
    }

    extension Double: SQLCodable {
        /// A `double precision`.
        @inlinable
        public var sqlValue: SQLValue { .real(self) }

        /// Reads a `double precision` or `real`, or an integer or `numeric` as the nearest number; anything else is a
        /// mismatch, and so is a `numeric` beyond the greatest finite number.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        @inlinable
        public init(column: borrowing Column) throws {
            guard let real = try column.real ?? column.nearestReal(Double.self) else {
                throw column.mismatch(Double.self)
            }
            self = real
        }
    }

    extension Column {
        /// The number nearest to a `numeric`; nil for another type.
        @usableFromInline
        func nearestReal(_ expected: any Any.Type) throws -> Double? {
            guard let real = numeric.flatMap({ Double($0.description) }) else { return nil }
            guard real.isFinite else { throw mismatch(expected, "is out of range") }
            return real
        }
    }

    extension Float: SQLCodable {
        /// A `real`.
        @inlinable
        public var sqlValue: SQLValue { .real(Double(self)) }

        /// Reads a number as `Double` does, as the nearest `Float`; anything else is a mismatch, and so is a finite
        /// number beyond the greatest `Float`.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        @inlinable
        public init(column: borrowing Column) throws {
            guard let real = try column.real ?? column.nearestReal(Float.self) else {
                throw column.mismatch(Float.self)
            }
            self = Float(real)
            guard isFinite || !real.isFinite else { throw column.mismatch(Float.self, "is out of range") }
        }
    }

    extension Decimal: SQLCodable {
        /// A `numeric`. NaN is an error when the statement is run.
        @inlinable
        public var sqlValue: SQLValue { .decimal(self) }

        /// Reads a `numeric` or an integer exactly; anything else is a mismatch, and so is a number of more than 38
        /// digits.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        public init(column: borrowing Column) throws {
            if let integer = column.integer {
                self.init(integer)
                return
            }
            guard column.type == .numeric, !column.isNull else { throw column.mismatch(Decimal.self) }
            guard let decimal = column.numeric?.decimal else {
                throw column.mismatch(Decimal.self, "is not finite or has more than 38 digits")
            }
            self = decimal
        }
    }
#endif
