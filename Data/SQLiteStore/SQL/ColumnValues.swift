internal import DatabaseAccess

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Values of a row by column name.
///
/// It avoids listing the columns of a statement twice:
///
/// ```swift
/// let city: ColumnValues = ["name": name, "population": population]
/// try db.execute("INSERT INTO cities \(inserting: city)")
/// // INSERT INTO cities ("name", "population") VALUES (?, ?)
/// try db.execute("UPDATE cities SET \(setting: city) WHERE id = \(id)")
/// // UPDATE cities SET "name" = ?, "population" = ? WHERE id = ?
/// try db.execute("INSERT INTO cities \(upserting: city, on: "name")")
/// // INSERT INTO cities ("name", "population") VALUES (?, ?)
/// //   ON CONFLICT ("name") DO UPDATE SET "population" = excluded."population"
/// ```
///
/// Names are quoted and values are bound. The text is built for each statement; for many rows
/// ``Connection/execute(_:forEach:_:)`` is faster.
public struct ColumnValues: Sendable {
    /// The columns in insertion order.
    private(set) var columns: [(name: String, value: SQL)] = []

    public init() {}

    /// Sets the value of a column, with `NULL` for nil, replacing an earlier value.
    public mutating func set(_ column: String, to value: (any SQLBindable)?) {
        let piece = Self.piece(of: value)
        if let index = columns.firstIndex(where: { $0.name == column }) {
            columns[index].value = piece
        } else {
            columns.append((column, piece))
        }
    }

    public var names: [String] { columns.map(\.name) }

    private static func piece(of value: (any SQLBindable)?) -> SQL {
        guard let value else { return "NULL" }
        return "\(value: value)"
    }
}

extension ColumnValues: ExpressibleByDictionaryLiteral {
    /// Creates a row from columns and values, with `NULL` for nil. The last value of a repeated column counts.
    public init(dictionaryLiteral elements: (String, (any SQLBindable)?)...) {
        for (column, value) in elements { set(column, to: value) }
    }
}

extension SQL.StringInterpolation {
    /// Appends the columns and values of an `INSERT`: `("name", "population") VALUES (?, ?)`, or `DEFAULT VALUES`
    /// without columns.
    public mutating func appendInterpolation(inserting row: ColumnValues) {
        guard !row.columns.isEmpty else { return appendLiteral("DEFAULT VALUES") }
        let names = row.names.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        appendInterpolation("(\(names)) VALUES (\(row.columns.map(\.value).joined(separator: ", ")))" as SQL)
    }

    /// Appends the assignments of an `UPDATE`: `"name" = ?, "population" = ?`.
    public mutating func appendInterpolation(setting row: ColumnValues) {
        appendInterpolation(
            row.columns.map { "\(identifier: $0.name) = \($0.value)" as SQL }.joined(separator: ", "))
    }

    /// Appends the columns and values of an `INSERT` that updates an existing row. `key` names the columns of a
    /// `UNIQUE` or `PRIMARY KEY` constraint; all other columns are updated. Without other columns an existing row is
    /// left unchanged.
    public mutating func appendInterpolation(upserting row: ColumnValues, on key: String...) {
        appendInterpolation(inserting: row)
        let names = key.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        let others = row.names.filter { !key.contains($0) }
            .map { "\(identifier: $0) = excluded.\(identifier: $0)" as SQL }
        let action: SQL = others.isEmpty ? "NOTHING" : "UPDATE SET \(others.joined(separator: ", "))"
        appendInterpolation(" ON CONFLICT (\(names)) DO \(action)" as SQL)
    }

    fileprivate mutating func appendInterpolation(value: any SQLBindable) {
        // Binds bytes without copying them into an array.
        if let data = value as? Data { return appendInterpolation(data) }
        do { sql.append(try value.sqlValue) } catch { sql.append(SQL.Object.failure(error)) }
    }
}

/// A `Codable` value that is stored as JSON text.
///
/// ```swift
/// try db.execute("UPDATE travels SET themes = \(SQLJSON(themes)) WHERE id = \(id)")
/// let themes = try db.fetchOne(SQLJSON<[Theme]>.self, "SELECT themes FROM travels WHERE id = \(id)")?.value
/// ```
public struct SQLJSON<Value> {
    public var value: Value

    public init(_ value: Value) {
        self.value = value
    }
}

extension SQLJSON: Sendable where Value: Sendable {}
extension SQLJSON: Equatable where Value: Equatable {}
extension SQLJSON: Hashable where Value: Hashable {}

extension SQLJSON: SQLBindable where Value: Encodable {
    /// A `TEXT` with sorted keys, so that equal values have equal texts; throws `EncodingError`, and the errors of the
    /// value's `encode(to:)`.
    public var sqlValue: SQLValue {
        get throws { .text(try JSONText.text(of: value)) }
    }
}

extension SQLJSON: SQLDecodable where Value: Decodable {
    /// Decodes a `TEXT`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything else, and for
    /// JSON that does not decode: the error names the position in the JSON, but not its content.
    public init(column: borrowing Column) throws {
        value = try Self.value(in: column, expected: Self.self)
    }

    /// Decodes the JSON in the column; a mismatch names the type `expected`.
    static func value(in column: borrowing Column, expected: any Any.Type = Value.self) throws -> Value {
        guard column.kind == .text else { throw column.mismatch(expected) }
        return try column.withTextBytes { bytes in
            try JSONText.value(in: UnsafeRawBufferPointer(bytes)) { detail in column.mismatch(expected, detail) }
        }
    }
}

/// JSON arrays of SQL values, for `json_each`.
enum JSONArray {
    /// Returns the text of the array, or nil if SQLite would not read a value back as equal: a blob, an infinite
    /// number, or a text with a NUL, which would truncate it.
    static func text(of values: [SQLValue]) -> String? {
        // Bytes, since appending each number to a string takes several times as long.
        var text: [UInt8] = [UInt8(ascii: "[")]
        text.reserveCapacity(values.count * 8)
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            switch value {
            case .null: text += "null".utf8
            case .integer(let integer): text += String(integer).utf8
            case .real(let real):
                guard real.isFinite else { return nil }
                text += String(real).utf8
            case .text(let string):
                guard !string.utf8.contains(0) else { return nil }
                append(string, to: &text)
            case .blob: return nil
            }
        }
        text.append(UInt8(ascii: "]"))
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
