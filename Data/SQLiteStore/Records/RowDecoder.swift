internal import CSQLite
internal import DatabaseAccess

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Row {
    /// Decodes a `Decodable` value from the row. Each property is read from the column with the name of its coding key.
    ///
    /// ```swift
    /// struct Shelf: Decodable {
    ///     let id: Int
    ///     let place: String?
    ///     let books: [String]    // JSON
    /// }
    /// let shelves = try db.fetchAll(
    ///     decoding: Shelf.self,
    ///     """
    ///     SELECT shelves.*, (SELECT json_group_array(title) FROM books WHERE shelf = shelves.id) AS books FROM shelves
    ///     """)
    /// ```
    ///
    /// Properties of `SQLDecodable` types are read as `row[…]` reads them, with the same errors; properties of other
    /// types, including arrays and nested structs, are decoded from JSON text. A missing column is nil for an optional
    /// property and an error for any other. A value without keys is read from the first column.
    ///
    /// ``RowDecodable`` is several times faster; prefer it for large results.
    ///
    /// - Throws: ``SQLiteError`` with `.mismatch`, `.range` or `.misuse`; it names the column, not its content.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, coding: ColumnCoding = .init()) throws
        -> Value
    {
        let source = RowSource(statement: statement, columnCount: columnCount, coding: coding)
        defer { source.isOver = true }
        return try source.decodeRow(type)
    }
}

extension Connection {
    /// Returns every row of the result as a `Decodable` value, decoded as ``Row/decode(_:coding:)`` does. A ``Record`` has
    /// the coding of its type.
    public func fetchAll<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> [Value] {
        var values: [Value] = []
        try decodeRows(type, sql) { value in
            values.append(value)
            return true
        }
        return values
    }

    /// Returns the first row of the result as a `Decodable` value, decoded as ``Row/decode(_:coding:)`` does, or nil if the
    /// result is empty.
    public func fetchOne<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> Value? {
        var first: Value?
        try decodeRows(type, sql) { value in
            first = value
            return false
        }
        return first
    }

    /// Calls `body` with the value of each row until it returns false.
    private func decodeRows<Value: Decodable>(
        _ type: Value.Type, _ sql: SQL, _ body: (Value) -> Bool
    ) throws {
        let coding = (type as? any Record.Type)?.coding ?? ColumnCoding()
        var source: RowSource?
        defer { source?.isOver = true }
        // One source for all rows, so that the names of the columns are looked up once. The first step recompiles the
        // statement if the schema has changed since its last run; therefore the names are read after it.
        try forEach(sql) { row, stop in
            let columns =
                source ?? RowSource(statement: row.statement, columnCount: row.columnCount, coding: coding)
            source = columns
            stop = !body(try columns.decodeRow(type))
        }
    }
}

/// The columns of a statement's current row, from which `Decodable` types are decoded.
final class RowSource {
    private let statement: OpaquePointer
    private let coding: ColumnCoding
    private let names: [String]
    private let indices: [String: Int]
    /// The keys that were read from an earlier row, in order, with their columns: nearly all types read the same ones from
    /// each row, and comparing two names is several times faster than looking one up.
    private var earlier: [(key: String, index: Int?)] = []
    private var next = 0
    /// The columns whose values turned out to be JSON.
    private var isJSON: [Bool]
    /// Whether the row may no longer exist: a decoder that outlives it throws instead of reading.
    var isOver = false

    init(statement: OpaquePointer, columnCount: Int, coding: ColumnCoding) {
        (self.statement, self.coding) = (statement, coding)
        names = (0..<columnCount).map { String(cString: sqlite3_column_name(statement, Int32($0))) }
        // Of several columns with the same name, the first counts, as in a row.
        indices = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        isJSON = Array(repeating: false, count: columnCount)
    }

    /// Decodes a value from the current row.
    func decodeRow<Value: Decodable>(_ type: Value.Type) throws -> Value {
        next = 0
        if type is any SQLDecodable.Type { return try decode(type, at: 0) }
        do {
            return try type.init(from: RowDecoder(source: self))
        } catch let error as DecodingError {
            // The description of the error may quote values of the row.
            throw misuse("cannot decode \(type) from the row, at \(error.path)")
        }
    }

    /// The position of the column with this exact name.
    @inline(__always)
    func position(of key: String) -> Int? {
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

    var allNames: [String] { names }

    func column(_ key: String) throws -> Int {
        guard let index = position(of: key) else {
            let known = names.map { SQLiteError.withoutLiterals(columnName: $0) }
            throw SQLiteError(.range, "no column \"\(key)\" among \(known)", sql: sql)
        }
        return index
    }

    @inline(__always)
    func isNull(at index: Int) throws -> Bool { try read(index) { $0.isNull } }

    @inline(__always)
    func read<Value>(_ index: Int, _ read: (borrowing Column) throws -> Value) throws -> Value {
        guard !isOver else { throw SQLiteError(.misuse, "a row was decoded after its statement had moved on") }
        guard index < names.count else { throw SQLiteError(.range, "no column \(index)", sql: sql) }
        return try read(Column(statement: statement, index: index))
    }

    /// Decodes an `SQLDecodable` type as SQLite stores it, and other types from JSON text.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        try read(index) { column in
            // The casts are to the type that the comparison has found.
            if type == Date.self { return try coding.date(in: column) as! Value }
            if type == UUID.self { return try UUID(column: column) as! Value }
            if type == Data.self { return try coding.data(in: column) as! Value }
            if let type = type as? any SQLDecodable.Type {
                guard let value = try type.init(column: column) as? Value else { throw column.mismatch(Value.self) }
                return value
            }
            do {
                if !isJSON[index] {
                    do { return try type.init(from: ColumnDecoder(source: self, index: index)) } catch is NeedsJSON {}
                    isJSON[index] = true
                }
                guard column.kind == .text else { throw column.mismatch(type) }
                return try column.withTextBytes { bytes in
                    try JSONText.value(in: UnsafeRawBufferPointer(bytes)) { detail in column.mismatch(type, detail) }
                }
            } catch is DecodingError {
                // Usually an unknown raw value. The description of the error may quote it.
                throw column.mismatch(type, "is not a valid value")
            }
        }
    }

    func misuse(_ message: String) -> SQLiteError { SQLiteError(.misuse, message, sql: sql) }

    private var sql: String? { isOver ? nil : sqlite3_sql(statement).map { String(cString: $0) } }
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
    func decodeNil() -> Bool { (try? source.isNull(at: index)) ?? false }

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

    func decodeNil(forKey key: Key) throws -> Bool { try source.isNull(at: source.column(key.stringValue)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try source.decode(type, at: source.column(key.stringValue))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let index = source.position(of: key.stringValue), try !source.isNull(at: index) else { return nil }
        return try source.decode(type, at: index)
    }

    @inline(__always)
    private func read<Value: SQLDecodable>(_ key: Key) throws -> Value {
        try source.read(source.column(key.stringValue)) { try Value(column: $0) }
    }

    @inline(__always)
    private func readIfPresent<Value: SQLDecodable>(_ key: Key) throws -> Value? {
        guard let index = source.position(of: key.stringValue) else { return nil }
        return try source.read(index) { try Value?(column: $0) }
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

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try readIfPresent(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try readIfPresent(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try readIfPresent(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try readIfPresent(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try readIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try readIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try readIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try readIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try readIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try readIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try readIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try readIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try readIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try readIfPresent(key) }

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

    private func nesting(_ key: Key) -> SQLiteError {
        source.misuse(
            "the column \"\(key.stringValue)\" has no nested container: declare a Decodable type for its JSON")
    }
}
