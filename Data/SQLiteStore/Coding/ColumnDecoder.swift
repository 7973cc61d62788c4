/// Decodes a value from one column: as SQLite holds it where the value is a single one, from JSON text otherwise.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    let source: RowSource
    let index: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Thrown where a type wants to be decoded from several values.
    private struct NeedsJSON: Error {}

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try source.read(index) { column in
            if let type = type as? any SQLDecodable.Type {
                guard let value = try type.init(column: column) as? Value else { throw column.mismatch(Value.self) }
                return value
            }
            do {
                return try type.init(from: self)
            } catch is NeedsJSON {
                return try SQLJSON<Value>.value(in: column)
            } catch is DecodingError {
                // An unknown raw value, most often. The error's own description may quote it.
                throw column.mismatch(type, "is not one")
            }
        }
    }

    func decodeNil() -> Bool {
        // Where it cannot be read, reading the value will say so.
        (try? source.read(index) { $0.isNull }) ?? false
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw NeedsJSON()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw NeedsJSON()
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
