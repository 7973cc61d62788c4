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
        let source = source(coding)
        defer { source.isOver = true }
        return try source.decodeRow(type)
    }

    fileprivate func source(_ coding: ColumnCoding) -> RowSource {
        RowSource(RowReader(statement: statement, coding: coding), names: columnNames)
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
            let columns = source ?? row.source(coding)
            source = columns
            stop = !body(try columns.decodeRow(type))
        }
    }
}

/// Reads the columns of a statement's current row for `Decodable` types.
private final class RowReader: ColumnReader {
    private let statement: OpaquePointer
    private let coding: ColumnCoding

    init(statement: OpaquePointer, coding: ColumnCoding) {
        (self.statement, self.coding) = (statement, coding)
    }

    @inline(__always)
    private func column(_ index: Int) -> Column { Column(statement: statement, index: index) }

    func isNull(at index: Int) -> Bool { column(index).isNull }

    func boolean(at index: Int) throws -> Bool? { try Bool?(column: column(index)) }

    func integer(at index: Int, for type: any Any.Type) throws -> Int64? {
        let column = column(index)
        if column.holds(SQLITE_INTEGER) { return column.rawInteger }
        if column.isNull { return nil }
        throw column.mismatch(type)
    }

    func real(at index: Int) throws -> Double? { try Double?(column: column(index)) }

    func float(at index: Int) throws -> Float? { try Float?(column: column(index)) }

    func text(at index: Int) throws -> String? {
        let column = column(index)
        if column.holds(SQLITE_TEXT) { return try String(column: column) }
        if column.isNull { return nil }
        throw column.mismatch(String.self)
    }

    func isColumn(_ type: any Any.Type) -> Bool { type is any SQLDecodable.Type }

    func value<Value>(_ type: Value.Type, at index: Int) throws -> Value? {
        let column = column(index)
        // The casts are to the type that the comparison has found.
        if type == Date.self { return .some(try coding.date(in: column) as! Value) }
        if type == UUID.self { return .some(try UUID(column: column) as! Value) }
        if type == Data.self { return .some(try coding.data(in: column) as! Value) }
        if type == Date?.self { return .some(try (column.isNull ? nil : coding.date(in: column)) as Date? as! Value) }
        if type == UUID?.self { return .some(try (column.isNull ? nil : UUID(column: column)) as UUID? as! Value) }
        if type == Data?.self { return .some(try (column.isNull ? nil : coding.data(in: column)) as Data? as! Value) }
        guard let type = type as? any SQLDecodable.Type else { return nil }
        guard let value = try type.init(column: column) as? Value else { throw column.mismatch(Value.self) }
        return value
    }

    func withJSON<Result>(
        at index: Int, for type: any Any.Type, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let column = column(index)
        guard column.kind == .text else { throw column.mismatch(type) }
        return try column.withTextBytes { try body(UnsafeRawBufferPointer($0)) }
    }

    func mismatch(at index: Int, _ type: any Any.Type, _ detail: String?) -> any Error {
        column(index).mismatch(type, detail)
    }

    func noColumn(_ name: String, among names: [String]) -> any Error {
        let known = names.map { SQLiteError.withoutLiterals(columnName: $0) }
        return SQLiteError(.range, "no column \"\(name)\" among \(known)", sql: sql)
    }

    func misuse(_ message: String, rowExists: Bool) -> any Error {
        SQLiteError(.misuse, message, sql: rowExists ? sql : nil)
    }

    private var sql: String? { sqlite3_sql(statement).map { String(cString: $0) } }
}
