/// A keyed decoding container over a row. Types of the standard library are read without existentials.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: RowSource
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { source.names.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { source.has(key.stringValue) }

    func decodeNil(forKey key: Key) throws -> Bool {
        try source.read(source.index(of: key.stringValue)) { $0.isNull }
    }

    private func read<Value: SQLDecodable>(_ key: Key) throws -> Value {
        try source.read(source.index(of: key.stringValue)) { try Value(column: $0) }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try ColumnDecoder(source: source, index: source.index(of: key.stringValue)).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw nesting(key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw nesting(key)
    }

    func superDecoder() -> any Decoder { RowDecoder(source: source) }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        ColumnDecoder(source: source, index: try source.index(of: key.stringValue))
    }

    private func nesting(_ key: Key) -> SQLiteError {
        source.misuse(
            "the column \"\(key.stringValue)\" has no nested container: declare a Decodable type for its JSON"
        )
    }
}
