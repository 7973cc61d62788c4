#if PostgreSQL
public import DatabaseAccess

extension SQLJSON: SQLBindable where Value: Encodable {
    /// A text for `json`, `jsonb` or `text`, with sorted keys, so that equal values have equal texts.
    ///
    /// - Throws: `EncodingError`, and the errors of the value's `encode(to:)`.
    public var sqlValue: SQLValue {
        get throws { .text(try JSONText.text(of: value)) }
    }
}

extension SQLJSON: SQLDecodable where Value: Decodable {
    /// Decodes a `json`, `jsonb` or text.
    ///
    /// - Throws: ``PostgreSQLError`` with `.mismatch` for anything else, and for JSON that does not decode: the
    ///   error names the position in the JSON, but not its content. The errors of the value's `init(from:)`.
    public init(column: borrowing Column) throws {
        let value: Value? = try column.withText { bytes in
            try JSONText.value(in: bytes) { detail in column.mismatch(Self.self, detail) }
        }
        guard let value else { throw column.mismatch(Self.self) }
        self.init(value)
    }
}
#endif
