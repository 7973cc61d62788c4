internal import CSQLite

/// The columns of the current row, by name.
final class RowSource {
    private let statement: OpaquePointer
    private let indices: [String: Int]
    /// Whether the row may no longer exist. From then on a decoder that was kept throws instead of reading.
    var isOver = false

    init(statement: OpaquePointer, columnCount: Int) {
        self.statement = statement
        // The first of several columns with the same name counts, as in a row.
        indices = Dictionary(
            (0..<columnCount).map { (String(cString: sqlite3_column_name(statement, Int32($0))), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    var names: [String] { indices.sorted { $0.value < $1.value }.map(\.key) }

    func has(_ name: String) -> Bool { indices[name] != nil }

    /// Returns the position of the column named `name`.
    func index(of name: String) throws -> Int {
        guard let index = indices[name] else {
            let names = names.map { SQLiteError.withoutLiterals(columnName: $0) }
            throw SQLiteError(.range, "no column \"\(name)\" among \(names)", sql: sql)
        }
        return index
    }

    /// Calls `read` with the column.
    func read<Value>(_ index: Int, _ read: (borrowing Column) throws -> Value) throws -> Value {
        guard !isOver else { throw SQLiteError(.misuse, "a row was decoded after its statement moved on") }
        return try read(Column(statement: statement, index: index))
    }

    func misuse(_ message: String) -> SQLiteError {
        SQLiteError(.misuse, message, sql: sql)
    }

    private var sql: String? {
        isOver ? nil : sqlite3_sql(statement).map { String(cString: $0) }
    }
}

/// Decodes a value from a row: from the columns of its keys, or from the first column for a value without keys.
struct RowDecoder: Decoder {
    let source: RowSource
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type is any SQLDecodable.Type { return try ColumnDecoder(source: source, index: 0).decode(type) }
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
        throw source.misuse("a row is decoded by the names of its columns and has no unkeyed container")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        ColumnDecoder(source: source, index: 0)
    }
}
