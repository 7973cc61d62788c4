internal import DatabaseAccess

/// A `Codable` value that is stored as JSON text.
///
/// ```swift
/// try db.execute("UPDATE travels SET themes = \(SQLJSON(themes)) WHERE id = \(id)")
/// let themes = try db.fetchOne(SQLJSON<[Theme]>.self, "SELECT themes FROM travels WHERE id = \(id)")?.value
/// ```
public struct SQLJSON<Value> {
    /// The wrapped value.
    public var value: Value

    /// Wraps a value, to store it as JSON.
    public init(_ value: Value) {
        self.value = value
    }
}

extension SQLJSON: Sendable where Value: Sendable {}
extension SQLJSON: Equatable where Value: Equatable {}
extension SQLJSON: Hashable where Value: Hashable {}

extension SQLJSON: SQLBindable where Value: Encodable {
    /// A `TEXT` with sorted keys, so that equal values have equal texts; throws `EncodingError`, and the errors of the
    /// value's `encode(to:)`.
    public var sqlValue: SQLValue {
        get throws { .text(try JSONText.text(of: value)) }
    }
}

extension SQLJSON: SQLDecodable where Value: Decodable {
    /// Decodes a `TEXT`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything else, and for
    /// JSON that does not decode: the error names the position in the JSON, but not its content.
    public init(column: borrowing Column) throws {
        value = try Self.value(in: column, expected: Self.self)
    }

    /// Decodes the JSON in the column; a mismatch names the type `expected`.
    static func value(in column: borrowing Column, expected: any Any.Type = Value.self) throws -> Value {
        guard column.kind == .text else { throw column.mismatch(expected) }
        return try column.withTextBytes { bytes in
            try JSONText.value(in: UnsafeRawBufferPointer(bytes)) { detail in column.mismatch(expected, detail) }
        }
    }
}
