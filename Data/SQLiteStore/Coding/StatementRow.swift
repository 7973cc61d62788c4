internal import CSQLite
internal import DatabaseAccess

/// The columns of a statement's current row.
final class StatementRow: RowSource {
    private let statement: OpaquePointer
    let columns: ColumnIndices
    /// Whether the row may no longer exist: a decoder that outlives it throws instead of reading.
    var isOver = false

    init(statement: OpaquePointer, columnCount: Int) {
        self.statement = statement
        columns = ColumnIndices(
            (0..<columnCount).map { String(cString: sqlite3_column_name(statement, Int32($0))) })
    }

    func index(of name: String) throws -> Int {
        guard let index = columns[name] else {
            let names = columns.names.map { SQLiteError.withoutLiterals(columnName: $0) }
            throw SQLiteError(.range, "no column \"\(name)\" among \(names)", sql: sql)
        }
        return index
    }

    func isNull(at index: Int) throws -> Bool {
        try read(index) { $0.isNull }
    }

    /// Calls `read` with the column.
    func read<Value>(_ index: Int, _ read: (borrowing Column) throws -> Value) throws -> Value {
        guard !isOver else { throw SQLiteError(.misuse, "a row was decoded after its statement moved on") }
        return try read(Column(statement: statement, index: index))
    }

    /// Decodes a `SQLDecodable` type as SQLite stores it, and other types from JSON text.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        try read(index) { column in
            if let type = type as? any SQLDecodable.Type {
                guard let value = try type.init(column: column) as? Value else { throw column.mismatch(Value.self) }
                return value
            }
            do {
                return try decodeSingleValue(type, at: index) ?? SQLJSON<Value>.value(in: column)
            } catch is DecodingError {
                // Usually an unknown raw value. The description of the error may quote it.
                throw column.mismatch(type, "is not a valid value")
            }
        }
    }

    func readsFromColumn(_ type: any Decodable.Type) -> Bool { type is any SQLDecodable.Type }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(StatementRowContainer(source: self))
    }

    func misuse(_ message: String) -> any Error {
        SQLiteError(.misuse, message, sql: sql)
    }

    private var sql: String? {
        isOver ? nil : sqlite3_sql(statement).map { String(cString: $0) }
    }
}

/// Reads types of the standard library without existentials. The first two functions have a default in `RowContainer`,
/// which the compiler does not specialize for this module.
private struct StatementRowContainer<Key: CodingKey>: RowContainer {
    let source: StatementRow

    func contains(_ key: Key) -> Bool { source.columns[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try source.isNull(at: source.index(of: key.stringValue)) }

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
}
