#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQL {
    /// Collects the parts of an interpolated literal.
    ///
    /// ```swift
    /// let name = "O'Hara"
    /// let sql: SQL = "SELECT id FROM people WHERE name = \(name)"    // the name is bound, never part of the text
    /// ```
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        @usableFromInline
        var sql: SQL

        /// Reserves space for the parts of one literal.
        @inlinable
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL()
            sql.parts.reserveCapacity(interpolationCount * 2 + 1)
        }

        /// Appends text from the source code as it is.
        @inlinable
        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { sql.append(literal) }
        }

        /// Appends a parameter that is bound to `value`, which never becomes part of the text.
        @inlinable
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value) {
            do { sql.append(try value.sqlValue) } catch { sql.append(SQL.Object.failure(error)) }
        }

        /// Appends a bound value, or `NULL` for nil.
        @inlinable
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
            if let value { appendInterpolation(value) } else { sql.parts.append(.null) }
        }

        /// Appends one parameter that is bound to the bytes as a `BLOB`.
        @inlinable
        public mutating func appendInterpolation(_ bytes: [UInt8]) {
            sql.append(SQLValue.blob(bytes))
        }

        /// Appends one parameter that is bound to the bytes as a `BLOB`.
        public mutating func appendInterpolation(_ data: Data) {
            sql.append(data: data)
        }

        /// Appends bytes, bound as one `BLOB`, or `NULL` for nil.
        public mutating func appendInterpolation(_ data: Data?) {
            if let data { sql.append(data: data) } else { sql.parts.append(.null) }
        }

        /// Appends a list of bound values in parentheses.
        ///
        /// ```swift
        /// let ids = [1, 2, 3]
        /// let sql: SQL = "SELECT name FROM cities WHERE id IN \(ids)"    // … WHERE id IN (?, ?, ?)
        /// ```
        public mutating func appendInterpolation<Values: Collection>(_ values: Values)
        where Values.Element: SQLBindable {
            do {
                append(list: try values.map { try $0.sqlValue })
            } catch {
                sql.append(SQL.Object.failure(error))
            }
        }

        /// Appends a list, bound as one JSON array: `… IN (SELECT +value FROM json_each(\(json: ids)))`.
        ///
        /// The `+` is significant: the column `value` has the affinity `BLOB`, with which the number 1 does not match
        /// the text of a `TEXT` column. An expression has no affinity and adopts that of the other operand.
        ///
        /// Blobs, infinite numbers and texts with a NUL have no equivalent in SQLite's JSON and are errors. SQLite's
        /// JSON parser reads fractional numbers, and may be off in the last digit.
        public mutating func appendInterpolation<Values: Collection>(json values: Values)
        where Values.Element: SQLBindable {
            do {
                let values = try values.map { try $0.sqlValue }
                guard let json = JSONArray.text(of: values) else {
                    throw SQLiteError(
                        .mismatch, "a blob, an infinite number, or text with a NUL cannot be bound as JSON")
                }
                sql.append(SQLValue.text(json))
            } catch {
                sql.append(SQL.Object.failure(error))
            }
        }

        /// Appends the quoted name of a table, column or other object.
        ///
        /// ```swift
        /// let table = "order"
        /// let sql: SQL = "SELECT COUNT(*) FROM \(identifier: table)"    // SELECT COUNT(*) FROM "order"
        /// ```
        public mutating func appendInterpolation(identifier name: String) {
            sql.append(SQL.Object.text(SQL.quoted(identifier: name)))
        }

        /// Rejects values of other types at compile time.
        @available(
            *, unavailable,
            message: """
                SQLite cannot store a value of this type: conform the type to SQLBindable, store it as JSON with \
                \\(SQLJSON(value)), or, if it is text of SQL, splice it with \\(raw:)
                """
        )
        @_disfavoredOverload
        public mutating func appendInterpolation<Value>(_ value: Value) {
            fatalError("unavailable")
        }

        /// Appends another piece of SQL with its values.
        ///
        /// ```swift
        /// let condition: SQL = "population > \(1_000_000)"
        /// let sql: SQL = "SELECT name FROM cities WHERE \(condition)"    // one bound value
        /// ```
        public mutating func appendInterpolation(_ fragment: SQL) {
            sql += fragment
        }

        /// Appends raw text. Never pass text from untrusted sources.
        ///
        /// ```swift
        /// let sql: SQL = "SELECT name FROM cities ORDER BY name \(raw: isAscending ? "ASC" : "DESC")"
        /// ```
        public mutating func appendInterpolation(raw text: String) {
            sql.append(SQL.Object.text(text))
        }

        /// Appends one parameter for each value. A subquery would compare differently: its column has an affinity of
        /// its own, and converts integers for a `REAL` column, which a list does not.
        private mutating func append(list values: [SQLValue]) {
            sql.parts.reserveCapacity(sql.parts.count + values.count * 2 + 2)
            sql.append("(" as StaticString)
            for (index, value) in values.enumerated() {
                if index > 0 { sql.append(", " as StaticString) }
                sql.append(value)
            }
            sql.append(")" as StaticString)
        }
    }

    /// Returns `text` as a string literal: in single quotes, with inner quotes doubled.
    static func quoted(text: some StringProtocol) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    /// Returns `name` in double quotes, with inner quotes doubled.
    static func quoted(identifier name: String) -> String {
        var quoted = "\""
        for character in name.unicodeScalars {
            if character == "\"" { quoted.unicodeScalars.append("\"") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}
