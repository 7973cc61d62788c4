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
    /// Returns a keyed container over the row.
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
