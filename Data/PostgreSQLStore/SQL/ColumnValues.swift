#if PostgreSQL
internal import DatabaseAccess

/// Values of a row by column name.
///
/// It avoids listing the columns of a statement twice:
///
/// ```swift
/// let city: ColumnValues = ["name": name, "population": population]
/// try db.execute("INSERT INTO cities \(inserting: city)")
/// // INSERT INTO cities ("name", "population") VALUES ($1, $2)
/// try db.execute("UPDATE cities SET \(setting: city) WHERE id = \(id)")
/// // UPDATE cities SET "name" = $1, "population" = $2 WHERE id = $3
/// try db.execute("INSERT INTO cities \(upserting: city, on: "name")")
/// // INSERT INTO cities ("name", "population") VALUES ($1, $2)
/// //   ON CONFLICT ("name") DO UPDATE SET "population" = excluded."population"
/// ```
///
/// Names are quoted and values are bound. The text is built for each statement; for many rows
/// ``Connection/execute(_:forEach:_:)`` and ``Connection/copy(into:columns:_:_:)`` are faster.
public struct ColumnValues: Sendable {
    /// The columns in insertion order.
    private(set) var columns: [(name: String, value: SQL)] = []

    /// Creates a row without columns.
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

    /// The names of the columns, in insertion order.
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
    /// Appends the columns and values of an `INSERT`: `("name", "population") VALUES ($1, $2)`, or `DEFAULT VALUES`
    /// without columns.
    public mutating func appendInterpolation(inserting row: ColumnValues) {
        guard !row.columns.isEmpty else { return appendLiteral("DEFAULT VALUES") }
        let names = row.names.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        appendInterpolation("(\(names)) VALUES (\(row.columns.map(\.value).joined(separator: ", ")))" as SQL)
    }

    /// Appends the assignments of an `UPDATE`: `"name" = $1, "population" = $2`.
    public mutating func appendInterpolation(setting row: ColumnValues) {
        appendInterpolation(
            row.columns.map { "\(identifier: $0.name) = \($0.value)" as SQL }.joined(separator: ", "))
    }

    /// Appends the columns and values of an `INSERT` that updates an existing row. `key` names the columns of a
    /// `UNIQUE` or `PRIMARY KEY` constraint; all other columns are updated. Without other columns an existing row
    /// is left unchanged.
    public mutating func appendInterpolation(upserting row: ColumnValues, on key: String...) {
        appendInterpolation(inserting: row)
        let names = key.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        let others = row.names.filter { !key.contains($0) }
            .map { "\(identifier: $0) = excluded.\(identifier: $0)" as SQL }
        let action: SQL = others.isEmpty ? "NOTHING" : "UPDATE SET \(others.joined(separator: ", "))"
        appendInterpolation(" ON CONFLICT (\(names)) DO \(action)" as SQL)
    }

    fileprivate mutating func appendInterpolation(value: any SQLBindable) {
        do { sql.parts.append(.value(try value.sqlValue)) } catch { sql.parts.append(.failure(error)) }
    }
}

/// A `Codable` value that is stored as JSON text.
///
/// ```swift
/// try db.execute("UPDATE travels SET themes = \(SQLJSON(themes)) WHERE id = \(id)")
/// let themes = try db.fetchOne(SQLJSON<[Theme]>.self, "SELECT themes FROM travels WHERE id = \(id)")?.value
/// ```
public struct SQLJSON<Value> {
    /// The wrapped value.
    public var value: Value

    /// Wraps a value, to store it as JSON.
    public init(_ value: Value) {
        self.value = value
    }
}

extension SQLJSON: Sendable where Value: Sendable {}
extension SQLJSON: Equatable where Value: Equatable {}
extension SQLJSON: Hashable where Value: Hashable {}

extension SQLJSON: SQLBindable where Value: Encodable {
    /// A text for `json`, `jsonb` or `text`, with sorted keys, so that equal values have equal texts.
    ///
    /// - Throws: `EncodingError`, and the errors of the value's `encode(to:)`.
    public var sqlValue: SQLValue {
        get throws { .text(try JSONText.text(of: value)) }
    }
}

extension SQLJSON: SQLDecodable where Value: Decodable {
    /// Decodes a `json`, `jsonb` or text.
    ///
    /// - Throws: ``PostgreSQLError`` with `.mismatch` for anything else, and for JSON that does not decode: the
    ///   error names the position in the JSON, but not its content. The errors of the value's `init(from:)`.
    public init(column: borrowing Column) throws {
        let value: Value? = try column.withText { bytes in
            try JSONText.value(in: bytes) { detail in column.mismatch(Self.self, detail) }
        }
        guard let value else { throw column.mismatch(Self.self) }
        self.value = value
    }
}
#endif
