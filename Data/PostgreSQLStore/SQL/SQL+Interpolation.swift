#if PostgreSQL
    extension SQL {
        /// Collects the parts of an interpolated literal. Extend it to interpolate further types:
        ///
        /// ```swift
        /// extension SQL.StringInterpolation {
        ///     mutating func appendInterpolation(_ range: ClosedRange<Int>) {
        ///         appendInterpolation("BETWEEN \(range.lowerBound) AND \(range.upperBound)" as SQL)
        ///     }
        /// }
        /// let sql: SQL = "SELECT name FROM cities WHERE population \(1_000...2_000)"
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

            /// Appends text from the source code.
            @inlinable
            public mutating func appendLiteral(_ literal: StaticString) {
                if literal.utf8CodeUnitCount > 0 { sql.parts.append(.literal(literal)) }
            }

            /// Appends a bound value; a list is bound as one array.
            @inlinable
            public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value) {
                do { sql.parts.append(.value(try value.sqlValue)) } catch { sql.parts.append(.failure(error)) }
            }

            /// Appends a bound value, or `NULL` for nil.
            @inlinable
            public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
                if let value { appendInterpolation(value) } else { sql.parts.append(.value(.null)) }
            }

            /// Appends a collection of bound values as one array.
            @_disfavoredOverload
            public mutating func appendInterpolation<Values: Collection>(_ values: Values)
            where Values.Element: SQLBindable {
                appendInterpolation(Array(values))
            }

            /// Appends the quoted name of a table, column or other object.
            public mutating func appendInterpolation(identifier name: String) {
                sql.parts.append(.text(SQL.quoted(identifier: name)))
            }

            /// Rejects values of other types at compile time.
            @available(
                *, unavailable,
                message: """
                    PostgreSQL cannot store a value of this type: conform the type to SQLBindable, store it as JSON with \
                    \\(SQLJSON(value)), or, if it is text of SQL, splice it with \\(raw:)
                    """
            )
            @_disfavoredOverload
            public mutating func appendInterpolation<Value>(_ value: Value) {
                fatalError("unavailable")
            }

            /// Appends another piece of SQL with its values.
            public mutating func appendInterpolation(_ fragment: SQL) {
                sql += fragment
            }

            /// Appends raw text. Never pass text from untrusted sources.
            public mutating func appendInterpolation(raw text: String) {
                sql.parts.append(.text(text))
            }
        }
    }
#endif
