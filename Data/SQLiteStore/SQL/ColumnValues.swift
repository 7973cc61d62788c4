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

    /// Creates a row without columns.
    public init() {}

    /// Sets the value of a column, with `NULL` for nil, replacing an earlier value.
    ///
    /// ```swift
    /// var city: ColumnValues = ["name": "Jeju"]
    /// city.set("population", to: 670_000)
    /// city.names    // ["name", "population"]
    /// ```
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
    /// Appends the columns and values of an `INSERT`: `("name", "population") VALUES (?, ?)`, or `DEFAULT VALUES`
    /// without columns.
    ///
    /// ```swift
    /// let city: ColumnValues = ["name": "Jeju"]
    /// try db.execute("INSERT INTO cities \(inserting: city)")    // INSERT INTO cities ("name") VALUES (?)
    /// ```
    public mutating func appendInterpolation(inserting row: ColumnValues) {
        guard !row.columns.isEmpty else { return appendLiteral("DEFAULT VALUES") }
        let names = row.names.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        appendInterpolation("(\(names)) VALUES (\(row.columns.map(\.value).joined(separator: ", ")))" as SQL)
    }

    /// Appends the assignments of an `UPDATE`: `"name" = ?, "population" = ?`.
    ///
    /// ```swift
    /// let city: ColumnValues = ["name": "Jeju"]
    /// // UPDATE cities SET "name" = ? WHERE id = 1
    /// try db.execute("UPDATE cities SET \(setting: city) WHERE id = 1")
    /// ```
    public mutating func appendInterpolation(setting row: ColumnValues) {
        appendInterpolation(
            row.columns.map { "\(identifier: $0.name) = \($0.value)" as SQL }.joined(separator: ", "))
    }

    /// Appends the columns and values of an `INSERT` that updates an existing row. `key` names the columns of a
    /// `UNIQUE` or `PRIMARY KEY` constraint; all other columns are updated. Without other columns an existing row is
    /// left unchanged.
    ///
    /// ```swift
    /// let city: ColumnValues = ["id": 1, "name": "Jeju"]
    /// try db.execute("INSERT INTO cities \(upserting: city, on: "id")")    // renames city 1 if it exists
    /// ```
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
