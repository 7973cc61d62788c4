#if PostgreSQL
internal import DatabaseAccess

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type whose values can be bound to parameters of a statement.
///
/// To conform a type of your own, convert it to one of the values of PostgreSQL:
///
/// ```swift
/// extension Color: SQLBindable {
///     var sqlValue: SQLValue { .text(hexadecimal) }
/// }
/// ```
///
/// A `RawRepresentable` type needs no code: `extension Region: SQLCodable {}`.
///
/// The code that evaluates the SQL literal converts its values. Therefore types in a module with main-actor default
/// isolation conform without that isolation.
public protocol SQLBindable: SendableMetatype {
    /// The value that is sent. The call that runs the statement rethrows its errors.
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
/// These types conform; reading anything else than the last column says is a `.mismatch`, and so is a number out of the
/// range of the type:
///
/// | Type | Bound as | Read from |
/// |---|---|---|
/// | integers | an integer; greater than `Int64.max` is an error | `bigint`, `integer`, `smallint`, `oid`, whole `numeric` |
/// | `Double`, `Float` | a floating point number | `double precision`, `real`, integers, `numeric` |
/// | `Decimal` | `numeric`; NaN is an error | `numeric` with an exact value, integers |
/// | `Bool` | `boolean` | `boolean` |
/// | `String` | a text; one with a NUL is an error | texts, `json`, `jsonb`, `xml`, enumerations |
/// | `UUID` | `uuid` | `uuid` |
/// | `URL` | a text: the absolute URL | texts of a URL |
/// | `Date` | `timestamptz`, to the nearest microsecond | `timestamptz`, `timestamp` as the time in UTC; not infinite |
/// | `Data`, `[UInt8]` | `bytea` | `bytea` |
/// | other arrays | an array | a one-dimensional array |
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

// A value out of range is an error in both directions.
extension FixedWidthInteger where Self: SQLBindable {
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
    @inlinable
    public var sqlValue: SQLValue { .real(self) }

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
        guard type == .numeric, !isNull else { return nil }
        guard let real = numeric.flatMap({ Double($0.description) }) else { throw mismatch(expected, "is not finite") }
        guard real.isFinite else { throw mismatch(expected, "is out of range") }
        return real
    }
}

extension Float: SQLCodable {
    @inlinable
    public var sqlValue: SQLValue { .real(Double(self)) }

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
    @inlinable
    public var sqlValue: SQLValue { .decimal(self) }

    public init(column: borrowing Column) throws {
        if let integer = column.integer {
            self.init(integer)
            return
        }
        guard column.type == .numeric, !column.isNull else { throw column.mismatch(Decimal.self) }
        guard let decimal = column.numeric?.decimal else {
            throw column.mismatch(Decimal.self, "is not finite or has more digits than Decimal")
        }
        self = decimal
    }
}

extension Bool: SQLCodable {
    @inlinable
    public var sqlValue: SQLValue { .boolean(self) }

    public init(column: borrowing Column) throws {
        guard column.type == .boolean, let bytes = column.bytes, bytes.count == 1 else {
            throw column.mismatch(Bool.self)
        }
        self = bytes[0] != 0
    }
}

extension String: SQLCodable {
    @inlinable
    public var sqlValue: SQLValue { .text(self) }

    @inlinable
    public init(column: borrowing Column) throws {
        if column.type == .text || column.type == .varchar, let bytes = column.bytes {
            self = String(decoding: bytes, as: UTF8.self)
        } else {
            self = try column.otherText
        }
    }
}

extension Column {
    /// The text of a type other than the most frequent ones.
    @usableFromInline
    var otherText: String {
        get throws {
            guard let text = withText({ String(decoding: $0, as: UTF8.self) }) else { throw mismatch(String.self) }
            return text
        }
    }
}

extension URL: SQLCodable {
    public var sqlValue: SQLValue { .text(absoluteString) }

    public init(column: borrowing Column) throws {
        guard column.type.isText, !column.isNull else { throw column.mismatch(URL.self) }
        guard let url = URL(string: try String(column: column)) else {
            throw column.mismatch(URL.self, "is not a URL")
        }
        self = url
    }
}

extension UUID: SQLCodable {
    @inlinable
    public var sqlValue: SQLValue { .uuid(self) }

    public init(column: borrowing Column) throws {
        guard column.type == .uuid, let bytes = column.bytes, bytes.count == 16 else {
            throw column.mismatch(UUID.self)
        }
        self = UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}

/// A `Date` is stored to the nearest microsecond, which is all that `timestamptz` holds, and read as the `Date` nearest to
/// that.
///
/// Therefore a date comes back equal if it is the nearest one to a whole microsecond, as every date that was read is. Seven
/// of eight others change: so fine is the precision of `Date` in this century. Round the dates of an entity when it is
/// created, and it is equal in every store. Farther than 2³³ seconds (272 years) from 2001, the values of `Date` are more
/// than a microsecond apart, and none changes:
///
/// ```swift
/// let seconds = date.timeIntervalSinceReferenceDate
/// let rounded = abs(seconds) < 0x1p33 ? (seconds * 1e6).rounded() / 1e6 : seconds
/// ```
///
/// A column of `double precision` holds `date.timeIntervalSinceReferenceDate` itself, to the last bit.
extension Date: SQLCodable {
    /// A date outside the years 4714 BC to 294276 is an error when the statement is run.
    @inlinable
    public var sqlValue: SQLValue { .date(self) }

    /// Reads a `timestamptz`, or a `timestamp` as the time in UTC.
    public init(column: borrowing Column) throws {
        guard column.type == .timestamptz || column.type == .timestamp, let bytes = column.bytes, bytes.count == 8
        else { throw column.mismatch(Date.self) }
        guard let date = Timestamp.date(microseconds: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))) else {
            throw column.mismatch(Date.self, "is infinite")
        }
        self = date
    }
}

extension Data: SQLCodable {
    public var sqlValue: SQLValue { .bytes([UInt8](self)) }

    public init(column: borrowing Column) throws {
        guard column.type == .bytea, let bytes = column.bytes else { throw column.mismatch(Data.self) }
        self = Data(bytes)
    }
}

extension Array: SQLBindable where Element: SQLBindable {
    public var sqlValue: SQLValue {
        get throws {
            if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .bytes(bytes) }
            return .array(try map { try $0.sqlValue })
        }
    }
}

extension Array: SQLDecodable where Element: SQLDecodable {
    public init(column: borrowing Column) throws {
        if Element.self == UInt8.self, column.type == .bytea, let bytes = column.bytes,
            let array = [UInt8](bytes) as? [Element]
        {
            self = array
            return
        }
        guard let reader = ArrayReader(column) else { throw column.mismatch(Self.self) }
        self = []
        reserveCapacity(reader.count)
        try reader.forEach { element in append(try Element(column: element)) }
    }
}

/// A value that can be bound to a parameter.
///
/// The server infers the type of each parameter from the statement, and the library sends the value in the binary
/// form of that type. A value that the type cannot hold is an error; for a `real`, the nearest number is sent.
///
/// ```swift
/// extension Distance: SQLBindable {
///     var sqlValue: SQLValue { .real(metres) }
/// }
/// ```
public enum SQLValue: Sendable {
    case null
    case boolean(Bool)
    /// For `smallint`, `integer`, `bigint`, `oid`, `numeric`, `real` and `double precision`.
    case integer(Int64)
    /// For `double precision` and `real`.
    case real(Double)
    case decimal(Decimal)
    /// For `text`, `varchar`, `char`, `name`, `json`, `jsonb` and `xml`, and for types of the database such as
    /// enumerations.
    case text(String)
    case bytes([UInt8])
    case uuid(UUID)
    /// For `timestamptz`, and for `timestamp` as the time in UTC.
    case date(Date)
    /// For a one-dimensional array.
    case array([SQLValue])
}

extension SQLValue: Hashable {
    /// Whether the values are the same for the server. For texts this is stricter than the equality of `String`, which
    /// takes a composed character and its decomposed form as equal.
    public static func == (left: SQLValue, right: SQLValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.decimal(let left), .decimal(let right)): left == right
        case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .boolean(let boolean): hasher.combine(boolean)
        case .integer(let integer): hasher.combine(integer)
        case .real(let real): hasher.combine(real.bitPattern)
        case .decimal(let decimal): hasher.combine(decimal)
        case .text(let text): hasher.combine(ExactText(text))
        case .bytes(let bytes): hasher.combine(bytes)
        case .uuid(let uuid): hasher.combine(uuid)
        case .date(let date): hasher.combine(date)
        case .array(let values): hasher.combine(values)
        }
    }
}

extension SQLValue: SQLBindable {
    @inlinable
    public var sqlValue: SQLValue { self }
}

extension SQLValue {
    /// What the value is in a message, and the type of the server to which a parameter can be cast.
    var kind: (name: String, type: String) {
        switch self {
        case .null: ("NULL", "text")
        case .boolean: ("a Boolean value", "boolean")
        case .integer: ("an integer", "bigint")
        case .real: ("a floating point number", "double precision")
        case .decimal: ("a decimal number", "numeric")
        case .text: ("a text", "text")
        case .bytes: ("bytes", "bytea")
        case .uuid: ("a UUID", "uuid")
        case .date: ("a date", "timestamptz")
        case .array(let values): ("an array", (values.first { $0 != .null }?.kind.type ?? "text") + "[]")
        }
    }
}
#endif
