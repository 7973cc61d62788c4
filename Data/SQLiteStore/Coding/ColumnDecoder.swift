/// Decodes a value from one column: a single value as SQLite stores it, any other from JSON text.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    let source: RowSource
    let index: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Thrown when a type requests a container of several values.
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
                // Usually an unknown raw value. The description of the error may quote it.
                throw column.mismatch(type, "is not a valid value")
            }
        }
    }

    func decodeNil() -> Bool {
        // An unreadable column is reported when its value is read.
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
