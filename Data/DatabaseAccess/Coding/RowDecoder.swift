/// Decodes a value from a row: from the columns of its keys, or from the first column for a value without keys.
package struct RowDecoder: Decoder {
    private let source: any RowSource
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package init(source: any RowSource) {
        self.source = source
    }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if source.readsFromColumn(type) { return try source.decode(type, at: 0) }
        do {
            return try type.init(from: self)
        } catch let error as DecodingError {
            // The description of the error may quote values of the row.
            throw source.misuse("cannot decode \(type) from the row, at \(error.path)")
        }
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        source.container(keyedBy: type)
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw source.misuse("a row is decoded by the names of its columns and has no unkeyed container")
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer {
        ColumnDecoder(source: source, index: 0)
    }
}

/// A keyed decoding container over a row.
package protocol RowContainer<Key>: KeyedDecodingContainerProtocol {
    associatedtype Source: RowSource
    var source: Source { get }
}

extension RowContainer {
    package var codingPath: [any CodingKey] { [] }
    package var allKeys: [Key] { source.columns.names.compactMap(Key.init(stringValue:)) }

    package func contains(_ key: Key) -> Bool { source.columns[key.stringValue] != nil }

    package func decodeNil(forKey key: Key) throws -> Bool { try source.isNull(at: source.index(of: key.stringValue)) }

    package func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try source.decode(type, at: source.index(of: key.stringValue))
    }

    package func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw nesting(key)
    }

    package func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw nesting(key)
    }

    package func superDecoder() -> any Decoder { RowDecoder(source: source) }

    package func superDecoder(forKey key: Key) throws -> any Decoder {
        ColumnDecoder(source: source, index: try source.index(of: key.stringValue))
    }

    private func nesting(_ key: Key) -> any Error {
        source.misuse(
            "the column \"\(key.stringValue)\" has no nested container: declare a Decodable type for its JSON")
    }
}

/// Thrown when a type requests a container of several values from one column.
struct NeedsJSON: Error {}

/// Decodes a value from one column.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    let source: any RowSource
    let index: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try source.decode(type, at: index)
    }

    func decodeNil() -> Bool {
        // An unreadable column is reported when its value is read.
        (try? source.isNull(at: index)) ?? false
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw NeedsJSON()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw NeedsJSON()
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
