/// A type whose values can be bound to a statement's parameters.
///
/// Conform a type of your own by saying which of SQLite's values stands for it:
///
/// ```swift
/// extension Color: SQLBindable {
///     var sqlValue: SQLValue { .text(hexadecimal) }
/// }
/// ```
///
/// A type with a raw value needs no code: `extension Region: SQLCodable {}`.
///
/// Values are converted on whatever thread runs the statement, so a type in a module that is on the main actor by default
/// conforms without being on it.
public protocol SQLBindable: SendableMetatype {
    /// The value as SQLite is to store it. What it throws is thrown where the statement is run.
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
    /// Reads the value; throws `column.mismatch(Self.self)` if what is there is not one.
    init(column: borrowing Column) throws
}

/// A type that can be both bound and read.
///
/// ```swift
/// enum Region: String, SQLCodable { case north, south }
/// try db.execute("INSERT INTO cities (name, region) VALUES (\(name), \(Region.north))")
/// let region = try db.fetchOne(Region.self, "SELECT region FROM cities")  // Region.north
/// ```
public typealias SQLCodable = SQLBindable & SQLDecodable

extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
    /// The raw value.
    @inlinable
    public var sqlValue: SQLValue {
        get throws { try rawValue.sqlValue }
    }
}

extension SQLDecodable where Self: RawRepresentable, RawValue: SQLDecodable {
    /// The case, or value, with the raw value in the column; an unknown one is a mismatch.
    @inlinable
    public init(column: borrowing Column) throws {
        guard let value = Self(rawValue: try RawValue(column: column)) else {
            throw column.mismatch(Self.self, "is none of its raw values")
        }
        self = value
    }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    /// `NULL` for nil.
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
    /// nil for `NULL`.
    @inlinable
    public init(column: borrowing Column) throws {
        self = column.isNull ? .none : .some(try Wrapped(column: column))
    }
}
