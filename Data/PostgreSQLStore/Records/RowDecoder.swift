#if PostgreSQL
internal import CPostgreSQL
public import DatabaseAccess

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
    ///     let books: [Book]    // JSON
    /// }
    /// let shelves = try db.fetchAll(
    ///     decoding: Shelf.self,
    ///     """
    ///     SELECT shelves.*, (
    ///         SELECT coalesce(json_agg(books ORDER BY title), '[]') FROM books WHERE shelf = shelves.id
    ///     ) AS books
    ///     FROM shelves
    ///     """)
    /// ```
    ///
    /// Properties of `SQLDecodable` types are read as `row[…]` reads them, with the same errors; properties of other types,
    /// and lists in a column that is no array, are decoded from JSON: `json`, `jsonb` or a text. A missing column is nil for
    /// an optional property and an error for any other. A value without keys is read from the first column.
    ///
    /// Within JSON, `JSONDecoder` reads a date as seconds since 2001: `extract(epoch FROM at) - 978307200`.
    ///
    /// ``RowDecodable`` is several times faster; prefer it for large results.
    ///
    /// - Throws: ``PostgreSQLError`` with `.mismatch`, `.range` or `.misuse`; it names the column, not its content.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, coding: ColumnCoding = .init()) throws
        -> Value
    {
        let source = RowSource(RowReader(self, coding: coding), names: columnNames)
        defer { source.isOver = true }
        return try source.decodeRow(type)
    }
}

extension Connection {
    /// Returns every row of the result as a `Decodable` value, decoded as ``Row/decode(_:coding:)`` does. A ``Record`` has
    /// the coding of its type.
    public func fetchAll<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> [Value] {
        try decodeRows(type, sql, atMost: .max)
    }

    /// Returns the first row of the result as a `Decodable` value, decoded as ``Row/decode(_:coding:)`` does, or nil if the
    /// result is empty. Add `LIMIT 1` if there can be more rows: the server sends all of them.
    public func fetchOne<Value: Decodable>(decoding type: Value.Type, _ sql: SQL) throws -> Value? {
        try decodeRows(type, sql, atMost: 1).first
    }

    private func decodeRows<Value: Decodable>(_ type: Value.Type, _ sql: SQL, atMost limit: Int32) throws -> [Value] {
        let coding = (type as? any Record.Type)?.coding ?? ColumnCoding()
        return try withResult(of: sql) { result, statement in
            let row = Row(result: result, statement: statement)
            let reader = RowReader(row, coding: coding)
            // One source for all rows, so that the names of the columns are looked up once.
            let source = RowSource(reader, names: row.columnNames)
            defer { source.isOver = true }
            let count = min(PQntuples(result), limit)
            var values: [Value] = []
            values.reserveCapacity(Int(count))
            while reader.position < count {
                values.append(try source.decodeRow(type))
                reader.position += 1
            }
            return values
        }
    }
}

/// Reads the columns of a row for `Decodable` types.
private final class RowReader: ColumnReader {
    private let result: OpaquePointer
    /// Retained by the caller that created the row, before whose end the source is over.
    private let statement: Unmanaged<Statement>
    private let coding: ColumnCoding
    // No access contains a call of other code.
    @exclusivity(unchecked)
    var position: Int32

    init(_ row: borrowing Row, coding: ColumnCoding) {
        (result, statement, position, self.coding) = (row.result, row.statement, row.position, coding)
    }

    @inline(__always)
    private func column(_ index: Int) -> Column {
        Column(result: result, statement: statement, row: position, index: index)
    }

    func isNull(at index: Int) -> Bool { column(index).isNull }

    func boolean(at index: Int) throws -> Bool? { try Bool?(column: column(index)) }

    func integer(at index: Int, for type: any Any.Type) throws -> Int64? {
        let column = column(index)
        if let integer = column.integer { return integer }
        if column.isNull { return nil }
        guard let integer = try column.wholeNumeric(type) else { throw column.mismatch(type) }
        return integer
    }

    func real(at index: Int) throws -> Double? { try Double?(column: column(index)) }

    func float(at index: Int) throws -> Float? { try Float?(column: column(index)) }

    func text(at index: Int) throws -> String? { try String?(column: column(index)) }

    func isColumn(_ type: any Any.Type) -> Bool { type is any SQLDecodable.Type }

    func value<Value>(_ type: Value.Type, at index: Int) throws -> Value? {
        let column = column(index)
        // The casts are to the type that the comparison has found.
        if type == Date.self { return .some(try coding.date(in: column) as! Value) }
        if type == UUID.self { return .some(try coding.uuid(in: column) as! Value) }
        if type == Data.self { return .some(try coding.data(in: column) as! Value) }
        if type == Date?.self { return .some(try (column.isNull ? nil : coding.date(in: column)) as Date? as! Value) }
        if type == UUID?.self { return .some(try (column.isNull ? nil : coding.uuid(in: column)) as UUID? as! Value) }
        if type == Data?.self { return .some(try (column.isNull ? nil : coding.data(in: column)) as Data? as! Value) }
        if column.type.isText || column.type == .jsonb, (type as? any SQLList.Type)?.isList == true { return nil }
        guard let type = type as? any SQLDecodable.Type else { return nil }
        guard let value = try type.init(column: column) as? Value else { throw column.mismatch(Value.self) }
        return value
    }

    func withJSON<Result>(
        at index: Int, for type: any Any.Type, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let column = column(index)
        guard let result = try column.withText(body) else { throw column.mismatch(type) }
        return result
    }

    func mismatch(at index: Int, _ type: any Any.Type, _ detail: String?) -> any Error {
        column(index).mismatch(type, detail)
    }

    func noColumn(_ name: String, among names: [String]) -> any Error {
        PostgreSQLError(.range, "no column \"\(name)\" among \(names)", sql: statement.takeUnretainedValue().sql)
    }

    func misuse(_ message: String, rowExists: Bool) -> any Error {
        PostgreSQLError(.misuse, message, sql: rowExists ? statement.takeUnretainedValue().sql : nil)
    }
}
#endif
