/// Collects the values of the columns of a record, as one store binds them.
package protocol ColumnWriter: AnyObject {
    /// The number of values, and a way back to it.
    var count: Int { get }
    func removeLast(_ count: Int)

    func appendNull()
    func append(boolean: Bool) throws
    func append(integer: Int64) throws
    func append(real: Double) throws
    func append(text: String)
    /// Appends a value of a type that the store has a column for; returns false for one of another type.
    func append<Value: Encodable>(_ value: Value) throws -> Bool
}

/// Encodes a record into the columns of its coding keys.
package final class RecordEncoder: Encoder {
    /// What the record has requested that has no columns.
    fileprivate var misuse: String?
    // No access contains a call of other code.
    @exclusivity(unchecked)
    fileprivate var names: [String] = []
    fileprivate let columns: any ColumnWriter
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    private init(_ columns: any ColumnWriter) {
        self.columns = columns
        names.reserveCapacity(16)
    }

    /// Appends the values of a record to `columns`, and returns the names of its columns.
    ///
    /// - Throws: The errors of the record's `encode(to:)`; the error that `misuse` returns for a message.
    package static func encode<Value: Encodable>(
        _ record: Value, into columns: any ColumnWriter, misuse: (String) -> any Error
    ) throws -> [String] {
        let encoder = RecordEncoder(columns)
        do { try record.encode(to: encoder) } catch is NeedsJSON {}  // has a reason below
        if let reason = encoder.misuse { throw misuse("\(Value.self) cannot be a record: \(reason)") }
        guard !encoder.names.isEmpty else {
            throw misuse("\(Value.self) encodes no values with keys, which are its columns")
        }
        return encoder.names
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RecordContainer(encoder: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        misuse = "it is encoded as a list, without keys, which are the columns"
        return JSONContainer<NoKey>()
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
        misuse = "it is encoded as a single value, without keys, which are the columns"
        return ValueEncoder(columns)
    }
}

/// Encodes the types of the standard library without existentials. Without the functions for optionals, the column of nil
/// would be missing.
private struct RecordContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RecordEncoder
    var codingPath: [any CodingKey] { [] }

    @inline(__always)
    private func add<Value>(_ value: Value?, _ key: Key, _ append: (any ColumnWriter, Value) throws -> Void) rethrows {
        if let value { try append(encoder.columns, value) } else { encoder.columns.appendNull() }
        // After the value, which may be refused: a record that catches the error goes on without the column.
        encoder.names.append(key.stringValue)
    }

    @inline(__always)
    private func add<Value: FixedWidthInteger & Encodable>(integer value: Value?, _ key: Key) throws {
        try add(value, key) { columns, value in
            if let integer = Int64(exactly: value) { return try columns.append(integer: integer) }
            // The store has an error for it.
            try columns.append(encoding: value)
        }
    }

    func encodeNil(forKey key: Key) {
        encoder.columns.appendNull()
        encoder.names.append(key.stringValue)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoder.columns.append(encoding: value)
        encoder.names.append(key.stringValue)
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try add(value, key) { try $0.append(encoding: $1) }
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try add(value, key) { try $0.append(boolean: $1) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { add(value, key) { $0.append(text: $1) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try add(value, key) { try $0.append(real: $1) } }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        try add(value, key) { try $0.append(real: Double($1)) }
    }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try add(integer: value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try add(integer: value, key) }

    func encode(_ value: Bool, forKey key: Key) throws { try encodeIfPresent(value, forKey: key) }
    func encode(_ value: String, forKey key: Key) { encodeIfPresent(value, forKey: key) }
    func encode(_ value: Double, forKey key: Key) throws { try encodeIfPresent(value, forKey: key) }
    func encode(_ value: Float, forKey key: Key) throws { try encodeIfPresent(value, forKey: key) }
    func encode(_ value: Int, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try add(integer: value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try add(integer: value, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        refuse(key)
        return KeyedEncodingContainer(JSONContainer<NestedKey>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        refuse(key)
        return JSONContainer<NoKey>()
    }

    /// The columns of a superclass are columns of the record.
    func superEncoder() -> any Encoder { encoder }

    func superEncoder(forKey key: Key) -> any Encoder {
        refuse(key)
        return ValueEncoder(encoder.columns)
    }

    private func refuse(_ key: Key) {
        encoder.misuse = "\(key.stringValue) is a nested container: declare an Encodable type for its JSON"
    }
}

extension ColumnWriter {
    /// Appends a value as what its type or its single value has a column for, or as JSON.
    fileprivate func append<Value: Encodable>(encoding value: Value) throws {
        if try append(value) { return }
        let encoder = ValueEncoder(self)
        do {
            try value.encode(to: encoder)
            if encoder.hasValue { return }
        } catch is NeedsJSON {
        } catch {
            encoder.removeValue()
            throw error
        }
        encoder.removeValue()
        append(text: try JSONText.text(of: value))
    }
}

/// Thrown when a value is not a single one.
private struct NeedsJSON: Error {}

/// Takes the single value that a property is encoded as.
private final class ValueEncoder: Encoder, SingleValueEncodingContainer {
    private let columns: any ColumnWriter
    private let start: Int
    private var needsJSON = false
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ columns: any ColumnWriter) {
        (self.columns, start) = (columns, columns.count)
    }

    var hasValue: Bool { !needsJSON && columns.count > start }

    func removeValue() { columns.removeLast(columns.count - start) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        needsJSON = true
        return KeyedEncodingContainer(JSONContainer<Key>())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        needsJSON = true
        return JSONContainer<NoKey>()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() {
        removeValue()
        columns.appendNull()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        removeValue()
        try columns.append(encoding: value)
    }
}

private struct NoKey: CodingKey {
    var stringValue: String { "" }
    var intValue: Int? { nil }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

/// Refuses each value: what requests several of one column is encoded as JSON, or is a misuse, which is known by then.
private struct JSONContainer<Key: CodingKey>: KeyedEncodingContainerProtocol, UnkeyedEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() throws { throw NeedsJSON() }
    func encodeNil(forKey key: Key) throws { throw NeedsJSON() }
    func encode<Value: Encodable>(_ value: Value) throws { throw NeedsJSON() }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { throw NeedsJSON() }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(JSONContainer<NestedKey>())
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(JSONContainer<NestedKey>())
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { JSONContainer<NoKey>() }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { JSONContainer<NoKey>() }
    func superEncoder() -> any Encoder { self }
    func superEncoder(forKey key: Key) -> any Encoder { self }
}

extension JSONContainer: Encoder, SingleValueEncodingContainer {
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(JSONContainer<NestedKey>())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}
