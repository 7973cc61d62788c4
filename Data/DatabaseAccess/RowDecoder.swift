#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

/// The columns of the current row, from which `Decodable` types are decoded.
package protocol RowSource: AnyObject {
    var columns: ColumnIndices { get }
    /// Returns the position of the column named `name`, or throws the error for a missing column.
    func index(of name: String) throws -> Int
    func isNull(at index: Int) throws -> Bool
    /// Decodes a value from one column.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value
    /// Whether the library reads the type from a column without its `init(from:)`.
    func readsFromColumn(_ type: any Decodable.Type) -> Bool
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key>
    func misuse(_ message: String) -> any Error
}

extension RowSource {
    /// Decodes a value from one column by its `init(from:)`; returns nil if that requests a keyed or unkeyed container,
    /// because such a value is stored as JSON.
    package func decodeSingleValue<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value? {
        do { return try type.init(from: ColumnDecoder(source: self, index: index)) } catch is NeedsJSON { return nil }
    }
}

/// The positions of columns by name. Of several columns with the same name, the first counts, as in a row.
package struct ColumnIndices {
    private let indices: [String: Int]

    package init(_ names: [String]) {
        indices = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    package var names: [String] { indices.sorted { $0.value < $1.value }.map(\.key) }

    package subscript(name: String) -> Int? { indices[name] }
}

/// Values as JSON text.
package enum JSONText {
    /// Returns the value as JSON with sorted keys, so that equal values have equal texts.
    package static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Decodes a value from JSON in UTF-8. On failure throws the error that `mismatch` returns for a detail, which
    /// names the position but not the content.
    package static func value<Value: Decodable>(
        in bytes: UnsafeRawBufferPointer, mismatch: (_ detail: String) -> any Error
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw mismatch("is not valid JSON for it, at \(error.path)")
        }
    }
}

extension DecodingError {
    /// The coding path of the error, such as `days.0.title`. Keys of dictionaries are data and are replaced by `*`.
    var path: String {
        let context: Context? =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        let keys = (context?.codingPath ?? []).map { key -> String in
            if let index = key.intValue, key.stringValue == "Index \(index)" { return String(index) }
            // A key from the source code is an enumeration case without associated values.
            let mirror = Mirror(reflecting: key)
            return mirror.displayStyle == .enum && mirror.children.isEmpty ? key.stringValue : "*"
        }
        return keys.isEmpty ? "the root" : keys.joined(separator: ".")
    }
}
