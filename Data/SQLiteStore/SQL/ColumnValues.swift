#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The values of a row to be written, by the names of their columns.
///
/// An optional help for statements that would list their columns twice:
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
/// Names are quoted and values bound. The text is made anew each time: for very many rows,
/// ``Connection/execute(_:forEach:_:)`` is faster.
public struct ColumnValues: Sendable {
    /// In the order in which they were given.
    private(set) var columns: [(name: String, value: SQL)] = []

    /// No column yet.
    public init() {}

    /// Gives a column its value, `NULL` for nil, in place of the one it has.
    public mutating func set(_ column: String, to value: (any SQLBindable)?) {
        let piece = Self.piece(of: value)
        if let index = columns.firstIndex(where: { $0.name == column }) {
            columns[index].value = piece
        } else {
            columns.append((column, piece))
        }
    }

    /// The names of the columns, in the order in which they were given.
    public var names: [String] { columns.map(\.name) }

    private static func piece(of value: (any SQLBindable)?) -> SQL {
        guard let value else { return "NULL" }
        return "\(value: value)"
    }
}

extension ColumnValues: ExpressibleByDictionaryLiteral {
    /// Columns with their values, `NULL` for nil; of two values for one column the second counts.
    public init(dictionaryLiteral elements: (String, (any SQLBindable)?)...) {
        for (column, value) in elements { set(column, to: value) }
    }
}

extension SQL.StringInterpolation {
    /// The columns and values of an `INSERT`: `("name", "population") VALUES (?, ?)`, or `DEFAULT VALUES` for no column.
    public mutating func appendInterpolation(inserting row: ColumnValues) {
        guard !row.columns.isEmpty else { return appendLiteral("DEFAULT VALUES") }
        let names = row.names.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        appendInterpolation("(\(names)) VALUES (\(row.columns.map(\.value).joined(separator: ", ")))" as SQL)
    }

    /// The assignments of an `UPDATE`: `"name" = ?, "population" = ?`.
    public mutating func appendInterpolation(setting row: ColumnValues) {
        appendInterpolation(
            row.columns.map { "\(identifier: $0.name) = \($0.value)" as SQL }.joined(separator: ", "))
    }

    /// The columns and values of an `INSERT` that updates the row there is: all columns but those of `key`, which a
    /// `UNIQUE` or `PRIMARY KEY` constraint is on. It leaves that row as it is if there is no other column.
    public mutating func appendInterpolation(upserting row: ColumnValues, on key: String...) {
        appendInterpolation(inserting: row)
        let names = key.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        let others = row.names.filter { !key.contains($0) }
            .map { "\(identifier: $0) = excluded.\(identifier: $0)" as SQL }
        let action: SQL = others.isEmpty ? "NOTHING" : "UPDATE SET \(others.joined(separator: ", "))"
        appendInterpolation(" ON CONFLICT (\(names)) DO \(action)" as SQL)
    }

    fileprivate mutating func appendInterpolation(value: any SQLBindable) {
        // Bytes are not to be copied into an array first.
        if let data = value as? Data { return appendInterpolation(data) }
        do { sql.append(try value.sqlValue) } catch { sql.append(SQL.Object.failure(error)) }
    }
}
