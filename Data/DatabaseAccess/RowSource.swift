/// Reads the columns of the current row of a result of one store.
///
/// The functions for one type return nil for `NULL`, and throw for a value of another type.
package protocol ColumnReader: AnyObject {
    func isNull(at index: Int) -> Bool
    func boolean(at index: Int) throws -> Bool?
    func integer(at index: Int, for type: any Any.Type) throws -> Int64?
    func real(at index: Int) throws -> Double?
    func float(at index: Int) throws -> Float?
    func text(at index: Int) throws -> String?
    /// Whether a value of the type is one of a column.
    func isColumn(_ type: any Any.Type) -> Bool
    /// Returns a value of a type that the store reads from a column; nil for one that it has as JSON or as the single value
    /// of the type.
    func value<Value>(_ type: Value.Type, at index: Int) throws -> Value?
    /// Calls `body` with the bytes of a text or of JSON.
    func withJSON<Result>(
        at index: Int, for type: any Any.Type, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result

    /// Returns the error for a column that holds no value of the type.
    func mismatch(at index: Int, _ type: any Any.Type, _ detail: String?) -> any Error
    func noColumn(_ name: String, among names: [String]) -> any Error
    /// Returns the error of a misuse, with the text of the statement if the row `exists`.
    func misuse(_ message: String, rowExists: Bool) -> any Error
}

/// The columns of the rows of a result, from which `Decodable` types are decoded.
///
/// Exclusivity is not checked at run time, which took a tenth of the time of a row: no access contains a call of other code.
package final class RowSource {
    private let reader: any ColumnReader
    private let names: [String]
    private let indices: [String: Int]
    /// The keys that were read from an earlier row, in order, with their columns: nearly all types read the same ones from
    /// each row, and comparing two names is several times faster than looking one up.
    @exclusivity(unchecked)
    private var earlier: [(key: String, index: Int?)] = []
    @exclusivity(unchecked)
    private var next = 0
    /// For each column, the last type whose values in it turned out to be JSON. Another type may have them as a text.
    @exclusivity(unchecked)
    private var jsonTypes: [ObjectIdentifier?]
    /// Whether the row may no longer exist: a decoder that outlives it throws instead of reading.
    @exclusivity(unchecked)
    package var isOver = false

    package init(_ reader: any ColumnReader, names: [String]) {
        (self.reader, self.names) = (reader, names)
        // Of several columns with the same name, the first counts, as in a row.
        indices = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        jsonTypes = Array(repeating: nil, count: names.count)
    }

    /// Decodes a value from the current row.
    package func decodeRow<Value: Decodable>(_ type: Value.Type) throws -> Value {
        next = 0
        if reader.isColumn(type) { return try decode(type, at: 0) }
        do {
            return try type.init(from: RowDecoder(source: self))
        } catch let error as DecodingError {
            // The description of the error may quote values of the row.
            throw misuse("cannot decode \(type) from the row, at \(error.path)")
        }
    }

    /// The position of the column with this exact name.
    @inline(__always)
    fileprivate func position(of key: String) -> Int? {
        guard next < earlier.count, earlier[next].key == key else { return find(key) }
        defer { next += 1 }
        return earlier[next].index
    }

    @inline(never)
    private func find(_ key: String) -> Int? {
        let index = indices[key].flatMap { ExactText(names[$0]) == ExactText(key) ? $0 : nil }
        earlier.removeSubrange(next...)
        earlier.append((key, index))
        next += 1
        return index
    }

    fileprivate var allNames: [String] { names }

    @inline(__always)
    fileprivate func column(_ key: String) throws -> Int {
        guard let index = position(of: key) else { throw missing(key) }
        return index
    }

    /// Returns the reader, for a column of a row that exists.
    @inline(__always)
    fileprivate func reader(at index: Int) throws -> any ColumnReader {
        guard !isOver, index < names.count else { throw missing("\(index)") }
        return reader
    }

    @inline(never)
    private func missing(_ column: String) -> any Error {
        isOver
            ? misuse("a row was decoded after its statement had moved on") : reader.noColumn(column, among: names)
    }

    /// Decodes a type of the store as the store has it, and other types from JSON.
    fileprivate func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        let reader = try reader(at: index)
        if let value = try reader.value(type, at: index) { return value }
        do {
            if jsonTypes[index] != ObjectIdentifier(type) {
                do { return try type.init(from: ColumnDecoder(source: self, index: index)) } catch is NeedsJSON {}
                jsonTypes[index] = ObjectIdentifier(type)
            }
            return try reader.withJSON(at: index, for: type) { bytes in
                try JSONText.value(in: bytes) { detail in reader.mismatch(at: index, type, detail) }
            }
        } catch is DecodingError {
            // Usually an unknown raw value. The description of the error may quote it.
            throw reader.mismatch(at: index, type, "is not a valid value")
        }
    }

    fileprivate func misuse(_ message: String) -> any Error { reader.misuse(message, rowExists: !isOver) }
}

/// Decodes a value from the columns of its keys.
private struct RowDecoder: Decoder {
    let source: RowSource
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer(source: source))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw source.misuse("a row is decoded by the names of its columns, and has no unkeyed container")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ColumnDecoder(source: source, index: 0) }
}

/// Thrown when a type requests a container of several values from one column.
private struct NeedsJSON: Error {}

private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    let source: RowSource
    let index: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try source.decode(type, at: index) }

    // An unreadable column is reported when its value is read.
    func decodeNil() -> Bool { (try? source.reader(at: index).isNull(at: index)) ?? false }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw NeedsJSON() }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsJSON() }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

/// Reads the types of the standard library without existentials; the other functions of the protocol call these.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: RowSource
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { source.allNames.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { source.position(of: key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        let index = try source.column(key.stringValue)
        return try source.reader(at: index).isNull(at: index)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try source.decode(type, at: source.column(key.stringValue))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let index = source.position(of: key.stringValue), try !source.reader(at: index).isNull(at: index) else {
            return nil
        }
        return try source.decode(type, at: index)
    }

    private typealias Read<Value> = (any ColumnReader, Int) throws -> Value?

    @inline(__always)
    private func value<Value>(_ key: Key, _ read: Read<Value>) throws -> Value {
        let index = try source.column(key.stringValue)
        let reader = try source.reader(at: index)
        guard let value = try read(reader, index) else { throw reader.mismatch(at: index, Value.self, nil) }
        return value
    }

    @inline(__always)
    private func optional<Value>(_ key: Key, _ read: Read<Value>) throws -> Value? {
        guard let index = source.position(of: key.stringValue) else { return nil }
        return try read(source.reader(at: index), index)
    }

    @inline(__always)
    private static func integer<Value: FixedWidthInteger>(_ reader: any ColumnReader, _ index: Int) throws -> Value? {
        guard let integer = try reader.integer(at: index, for: Value.self) else { return nil }
        guard let value = Value(exactly: integer) else {
            throw reader.mismatch(at: index, Value.self, "is out of range")
        }
        return value
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key) { try $0.boolean(at: $1) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key) { try $0.text(at: $1) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key) { try $0.real(at: $1) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key) { try $0.float(at: $1) } }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key, Self.integer) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key, Self.integer) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key, Self.integer) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key, Self.integer) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key, Self.integer) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key, Self.integer) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key, Self.integer) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key, Self.integer) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key, Self.integer) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key, Self.integer) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try optional(key) { try $0.boolean(at: $1) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try optional(key) { try $0.text(at: $1) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try optional(key) { try $0.real(at: $1) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try optional(key) { try $0.float(at: $1) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(key, Self.integer) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(key, Self.integer) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw nesting(key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw nesting(key) }

    func superDecoder() -> any Decoder { RowDecoder(source: source) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        ColumnDecoder(source: source, index: try source.column(key.stringValue))
    }

    private func nesting(_ key: Key) -> any Error {
        source.misuse(
            "the column \"\(key.stringValue)\" has no nested container: declare a Decodable type for its JSON")
    }
}
