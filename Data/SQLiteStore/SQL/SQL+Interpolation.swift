#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQL {
    /// What the compiler turns an interpolated literal into.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        @usableFromInline
        var sql: SQL

        /// Room for the pieces of one literal.
        @inlinable
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL()
            sql.parts.reserveCapacity(interpolationCount * 2 + 1)
        }

        /// Text from the source code.
        @inlinable
        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { sql.append(literal) }
        }

        /// A bound value.
        @inlinable
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value) {
            do { sql.append(try value.sqlValue) } catch { sql.append(SQL.Object.failure(error)) }
        }

        /// A bound value, or `NULL` for nil.
        @inlinable
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
            if let value { appendInterpolation(value) } else { sql.parts.append(.null) }
        }

        /// Bytes, bound as one `BLOB`.
        @inlinable
        public mutating func appendInterpolation(_ bytes: [UInt8]) {
            sql.append(SQLValue.blob(bytes))
        }

        /// Bytes, bound as one `BLOB`.
        public mutating func appendInterpolation(_ data: Data) {
            sql.append(data: data)
        }

        /// Bytes, bound as one `BLOB`, or `NULL` for nil.
        public mutating func appendInterpolation(_ data: Data?) {
            if let data { sql.append(data: data) } else { sql.parts.append(.null) }
        }

        /// A list of bound values, in parentheses.
        public mutating func appendInterpolation<Values: Collection>(_ values: Values)
        where Values.Element: SQLBindable {
            do {
                append(list: try values.map { try $0.sqlValue })
            } catch {
                sql.append(SQL.Object.failure(error))
            }
        }

        /// A list, bound as one JSON array: `… IN (SELECT +value FROM json_each(\(json: ids)))`.
        ///
        /// The `+` matters: the column `value` itself has the affinity `BLOB`, under which the number 1 is not found among
        /// the texts of a `TEXT` column. An expression has none, and takes that of what it is compared with.
        ///
        /// Blobs, infinite numbers and texts with a NUL have no form in SQLite's JSON, and are an error. Other numbers with
        /// a fraction are read by SQLite's own JSON parser, which may be off in the last place.
        public mutating func appendInterpolation<Values: Collection>(json values: Values)
        where Values.Element: SQLBindable {
            do {
                let values = try values.map { try $0.sqlValue }
                guard let json = JSONArray.text(of: values) else {
                    throw SQLiteError(.mismatch, "a blob, an infinite number or a NUL cannot be bound as JSON")
                }
                sql.append(SQLValue.text(json))
            } catch {
                sql.append(SQL.Object.failure(error))
            }
        }

        /// The name of a table, column or other thing, quoted.
        public mutating func appendInterpolation(identifier name: String) {
            sql.append(SQL.Object.text(SQL.quoted(identifier: name)))
        }

        /// A value of a type that SQLite has no value for; it does not compile.
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

        /// Another piece of SQL, with its values.
        public mutating func appendInterpolation(_ fragment: SQL) {
            sql += fragment
        }

        /// Text as it is. Nothing that comes from outside belongs here.
        public mutating func appendInterpolation(raw text: String) {
            sql.append(SQL.Object.text(text))
        }

        /// One parameter for each value, however many there are. A subquery would compare by other rules: its column has an
        /// affinity of its own, and converts integers for a `REAL` column that a list leaves as they are.
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

    /// `text` as a literal: in single quotes, doubled inside.
    static func quoted(text: some StringProtocol) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    /// `name` in double quotes, doubled inside.
    static func quoted(identifier name: String) -> String {
        var quoted = "\""
        for character in name.unicodeScalars {
            if character == "\"" { quoted.unicodeScalars.append("\"") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}
