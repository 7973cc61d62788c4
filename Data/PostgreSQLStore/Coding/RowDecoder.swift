#if PostgreSQL
    /// The columns of a row, by name.
    final class RowSource {
        private let result: OpaquePointer
        private let statement: Statement
        private let indices: [String: Int]
        var position: Int32
        /// Whether the row may no longer exist. From then on a decoder that was kept throws instead of reading.
        var isOver = false

        init(result: OpaquePointer, statement: Statement, position: Int32, names: [String]) {
            (self.result, self.statement, self.position) = (result, statement, position)
            // The first of several columns with the same name counts, as in a row.
            indices = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        }

        var names: [String] { indices.sorted { $0.value < $1.value }.map(\.key) }

        func has(_ name: String) -> Bool { indices[name] != nil }

        /// Returns the position of the column named `name`.
        func index(of name: String) throws -> Int {
            guard let index = indices[name] else {
                throw PostgreSQLError(.range, "no column \"\(name)\" among \(names)", sql: statement.sql)
            }
            return index
        }

        /// Calls `read` with the column.
        func read<Value>(_ index: Int, _ read: (borrowing Column) throws -> Value) throws -> Value {
            guard !isOver else { throw PostgreSQLError(.misuse, "a row was decoded after its access") }
            return try read(Column(result: result, statement: .passUnretained(statement), row: position, index: index))
        }

        func misuse(_ message: String) -> PostgreSQLError {
            PostgreSQLError(.misuse, message, sql: statement.sql)
        }
    }

    /// Decodes a value from a row: from the columns of its keys, or from the first column for a value without keys.
    struct RowDecoder: Decoder {
        let source: RowSource
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            if type is any SQLDecodable.Type {
                return try ColumnDecoder(source: source, index: 0).decode(type)
            }
            do {
                return try type.init(from: self)
            } catch let error as DecodingError {
                // The description of the error may quote values of the row.
                throw source.misuse("cannot decode \(type) from the row, at \(error.path)")
            }
        }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
            KeyedDecodingContainer(RowContainer(source: source))
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
            throw source.misuse(
                "a row is decoded by the names of its columns and has no unkeyed container")
        }

        func singleValueContainer() -> any SingleValueDecodingContainer {
            ColumnDecoder(source: source, index: 0)
        }
    }

    /// A keyed decoding container over a row.
    private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let source: RowSource
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { source.names.compactMap(Key.init(stringValue:)) }

        func contains(_ key: Key) -> Bool { source.has(key.stringValue) }

        func decodeNil(forKey key: Key) throws -> Bool {
            try source.read(source.index(of: key.stringValue)) { $0.isNull }
        }

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

        private func nesting(_ key: Key) -> PostgreSQLError {
            source.misuse(
                "the column \"\(key.stringValue)\" has no nested container: declare a Decodable type for its JSON"
            )
        }
    }

    /// Decodes a value from one column: a single value as the server stores it, any other from JSON.
    private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
        let source: RowSource
        let index: Int
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        /// Thrown when a type requests a container of several values.
        private struct NeedsJSON: Error {}

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try source.read(index) { column in
                let isJSON = column.type == .json || column.type == .jsonb
                if let type = type as? any SQLDecodable.Type, !isJSON || type is String.Type {
                    guard let value = try type.init(column: column) as? Value else {
                        throw column.mismatch(Value.self)
                    }
                    return value
                }
                if isJSON { return try SQLJSON<Value>(column: column).value }
                do {
                    return try type.init(from: self)
                } catch is NeedsJSON {
                    return try SQLJSON<Value>(column: column).value
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
#endif
