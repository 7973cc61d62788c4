public import CSQLite
internal import DatabaseAccess

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type whose values can be bound to parameters of a statement.
///
/// To conform a type of your own, convert it to one of SQLite's values:
///
/// ```swift
/// extension Color: SQLBindable {
///     var sqlValue: SQLValue { .text(hexadecimal) }
/// }
/// ```
///
/// A `RawRepresentable` type needs no code: `extension Region: SQLCodable {}`.
///
/// Values are converted on the thread that runs the statement. Therefore types in a module with main-actor default
/// isolation conform without that isolation.
public protocol SQLBindable: SendableMetatype {
    /// The value that SQLite stores. The call that runs the statement rethrows its errors.
    var sqlValue: SQLValue { get throws }
}

/// A type whose values can be read from a column.
///
/// ```swift
/// extension Color: SQLDecodable {
///     init(column: borrowing Column) throws {
///         guard let color = Color(hexadecimal: try String(column: column)) else {
///             throw column.mismatch(Color.self)
///         }
///         self = color
///     }
/// }
/// ```
public protocol SQLDecodable: SendableMetatype {
    /// Reads the value; throws ``Column/mismatch(_:_:)`` if the column holds no value of this type.
    init(column: borrowing Column) throws
}

/// A type whose values can be bound and read.
///
/// ```swift
/// enum Region: String, SQLCodable { case north, south }
/// try db.execute("INSERT INTO cities (name, region) VALUES (\(name), \(Region.north))")
/// let region = try db.fetchOne(Region.self, "SELECT region FROM cities")  // Region.north
/// ```
///
/// These types conform; reading anything else than the last column says is a `.mismatch`:
///
/// | Type | Stored as | Read from |
/// |---|---|---|
/// | integers | `INTEGER`; greater than `Int64.max` is an error | `INTEGER` in the range of the type |
/// | `Bool` | `INTEGER` 0 or 1 | `INTEGER` 0 or 1 |
/// | `Double`, `Float` | `REAL`; NaN is an error | `REAL`, or `INTEGER` as the nearest number |
/// | `Decimal` | exact `TEXT`, in no order; NaN is an error | `TEXT` of an exact value, `INTEGER`, `REAL` |
/// | `String` | `TEXT` | `TEXT`; invalid UTF-8 becomes U+FFFD |
/// | `[UInt8]`, `Data` | `BLOB` | `BLOB` |
/// | `UUID` | `TEXT` of 36 characters in upper case | `TEXT` of 36 characters, `BLOB` of 16 bytes |
/// | `URL` | `TEXT`: the absolute URL | `TEXT` of a URL |
/// | `Date` | `TEXT`: ISO 8601 in UTC with nine decimals | ISO 8601, also with fewer parts |
/// | `RawRepresentable` | its raw value | a raw value that the type has |
/// | `Optional` | `NULL` for nil | `NULL` as nil |
public typealias SQLCodable = SQLBindable & SQLDecodable

extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
    @inlinable
    public var sqlValue: SQLValue {
        get throws { try rawValue.sqlValue }
    }
}

extension SQLDecodable where Self: RawRepresentable, RawValue: SQLDecodable {
    @inlinable
    public init(column: borrowing Column) throws {
        guard let value = Self(rawValue: try RawValue(column: column)) else {
            throw column.mismatch(Self.self, "is not one of its raw values")
        }
        self = value
    }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    @inlinable
    public var sqlValue: SQLValue {
        get throws {
            switch self {
            case .none: .null
            case .some(let wrapped): try wrapped.sqlValue
            }
        }
    }
}

extension Optional: SQLDecodable where Wrapped: SQLDecodable {
    @inlinable
    public init(column: borrowing Column) throws {
        self = column.isNull ? .none : .some(try Wrapped(column: column))
    }
}

// Integers are stored as INTEGER; a value out of range is an error in both directions.
extension FixedWidthInteger where Self: SQLBindable {
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
    @inlinable
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

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
    @inlinable
    public var sqlValue: SQLValue {
        get throws {
            guard !isNaN else { throw SQLiteError(.mismatch, "NaN cannot be stored: SQLite turns it into NULL") }
            return .real(self)
        }
    }

    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_FLOAT) || column.holds(SQLITE_INTEGER) else { throw column.mismatch(Double.self) }
        self = column.rawReal
    }
}

extension Float: SQLCodable {
    @inlinable
    public var sqlValue: SQLValue {
        get throws { try Double(self).sqlValue }
    }

    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_FLOAT) || column.holds(SQLITE_INTEGER) else { throw column.mismatch(Float.self) }
        self = Float(column.rawReal)
        guard isFinite || !column.rawReal.isFinite else { throw column.mismatch(Float.self, "is out of range") }
    }
}

extension Decimal: SQLCodable {
    public var sqlValue: SQLValue {
        get throws {
            guard !isNaN else { throw SQLiteError(.mismatch, "a Decimal that is NaN cannot be stored") }
            return .text(description)
        }
    }

    public init(column: borrowing Column) throws {
        switch column.kind {
        case .integer: self.init(column.rawInteger)
        case .real:
            guard let decimal = Decimal(plain: String(column.rawReal)) else {
                throw column.mismatch(Decimal.self, "is out of range")
            }
            self = decimal
        case .text:
            guard let decimal = Decimal(plain: try String(column: column)) else {
                throw column.mismatch(Decimal.self, "is not a decimal number or has more digits than Decimal")
            }
            self = decimal
        default: throw column.mismatch(Decimal.self)
        }
    }

    /// Creates the exact value; nil if `Decimal`, which rounds without an error, cannot hold it.
    private init?(plain text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].first.map { $0 == "-" || $0 == "+" } == true ? parts[0].dropFirst() : parts[0]
        let digits = mantissa.filter { $0 != "." }
        guard !digits.isEmpty, mantissa.count - digits.count <= 1, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            parts.count == 1 || Int(parts[1]).map({ -128...127 ~= $0 }) == true,
            let decimal = Decimal(string: text), !decimal.isNaN,
            Self.significant(digits) == Self.significant(decimal.description.filter(\.isNumber))
        else { return nil }
        self = decimal
    }

    /// The digits without leading and trailing zeros.
    private static func significant(_ digits: String) -> Substring {
        let first = digits.drop { $0 == "0" }
        return first.prefix(upTo: first.lastIndex { $0 != "0" }.map(first.index(after:)) ?? first.startIndex)
    }
}

extension String: SQLCodable {
    @inlinable
    public var sqlValue: SQLValue { .text(self) }

    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_TEXT) else { throw column.mismatch(String.self) }
        self = try column.withTextBytes { String(decoding: $0, as: UTF8.self) }
    }
}

extension Array: SQLBindable where Element == UInt8 {
    @inlinable
    public var sqlValue: SQLValue { .blob(self) }
}

extension Array: SQLDecodable where Element == UInt8 {
    @inlinable
    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_BLOB) else { throw column.mismatch([UInt8].self) }
        self = try column.withBlobBytes { Array($0) }
    }
}

extension Data: SQLCodable {
    public var sqlValue: SQLValue { .blob([UInt8](self)) }

    public init(column: borrowing Column) throws {
        guard column.holds(SQLITE_BLOB) else { throw column.mismatch(Data.self) }
        self = try column.withBlobBytes { Data($0) }
    }
}

extension URL: SQLCodable {
    public var sqlValue: SQLValue { .text(absoluteString) }

    public init(column: borrowing Column) throws {
        guard column.kind == .text else { throw column.mismatch(URL.self) }
        guard let url = URL(string: try String(column: column)) else {
            throw column.mismatch(URL.self, "is not a URL")
        }
        self = url
    }
}

extension UUID: SQLCodable {
    public var sqlValue: SQLValue { .text(uuidString) }

    public init(column: borrowing Column) throws {
        switch column.kind {
        case .text:
            guard let uuid = UUID(uuidString: try String(column: column)) else {
                throw column.mismatch(UUID.self, "is not a UUID of 36 characters")
            }
            self = uuid
        case .blob:
            let bytes = try column.withBlobBytes { bytes in
                bytes.count == 16 ? UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self) : nil
            }
            guard let bytes else { throw column.mismatch(UUID.self, "does not have 16 bytes") }
            self = UUID(uuid: bytes)
        default:
            throw column.mismatch(UUID.self)
        }
    }
}

/// A value of one of SQLite's five storage classes.
public enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension SQLValue: Hashable {
    /// Whether the values are the same for the database. For texts this is stricter than the equality of `String`, which
    /// takes a composed character and its decomposed form as equal.
    public static func == (left: SQLValue, right: SQLValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .integer(let integer): hasher.combine(integer)
        case .real(let real): hasher.combine(real.bitPattern)
        case .text(let text): hasher.combine(ExactText(text))
        case .blob(let bytes): hasher.combine(bytes)
        }
    }
}

extension SQLValue: SQLCodable {
    @inlinable
    public var sqlValue: SQLValue { self }

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
