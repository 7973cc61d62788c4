#if PostgreSQL
internal import DatabaseAccess

/// A piece of SQL with its values, written as a string literal. Interpolated values become parameters, and are
/// never inserted into the text.
///
/// ```swift
/// try db.execute("INSERT INTO liked (user, trip) VALUES (\(user), \(trip))")
/// try db.fetchAll(Trip.self, "SELECT * FROM trips WHERE region = ANY(\(regions)) LIMIT \(limit)")
/// ```
///
/// - `\(value)` binds one value of any `SQLBindable` type. The server infers the type of the parameter; where it
///   cannot, cast it: `SELECT \(count)::bigint`.
/// - `\(values)` binds a list as one array: `x = ANY(\([1, 2, 3]))`, and `x <> ALL(\(values))` for its opposite. An
///   empty list is an empty array, and the text does not depend on the length.
/// - `\(identifier: name)` inserts the quoted name of a table or column.
/// - `\(fragment)` inserts another `SQL` with its values.
/// - `\(raw: text)` inserts raw text: the only way to insert text that is not a literal, and easy to search for.
public struct SQL: Sendable {
    @usableFromInline
    var parts: ContiguousArray<Part>
    /// How the server plans the statement.
    @usableFromInline
    var plan = Plan.automatic

    @usableFromInline
    enum Part: Sendable {
        /// Text from the source code.
        case literal(StaticString)
        /// Text built at run time.
        case text(String)
        /// A parameter with its value.
        case value(SQLValue)
        /// The value of a parameter that an earlier text contains.
        case argument(SQLValue)
        /// A parameter whose value could not be converted; thrown when the statement is run.
        case failure(any Error)
    }

    /// How the server plans a statement.
    ///
    /// ```swift
    /// let search: SQL = "SELECT id FROM trips WHERE title LIKE \(pattern)"
    /// try db.fetchAll(UUID.self, search.planned(.custom))    // planned for this pattern
    /// ```
    public enum Plan: Hashable, Sendable {
        /// Prepared once, and planned as the server chooses: after five runs, once for all values if that seems as
        /// good. Best for most statements.
        case automatic
        /// Prepared once, and planned once for all values, even if the server expects less cost of a plan for the
        /// values of each run. Best for joins of many tables that find few rows, which take longer to plan than to
        /// run. Each connection keeps its plan until the tables are analysed or changed. The same as `automatic`
        /// outside a transaction, and on servers before PostgreSQL 12.
        case generic
        /// Parsed and planned again for the values of each run. Best for searches whose best plan depends on the
        /// values.
        case custom
    }

    @inlinable
    init() {
        parts = []
    }

    /// Creates SQL from raw text, with the values of its parameters `$1`, `$2` and so on. Never pass text from
    /// untrusted sources, and do not combine it with pieces that have values.
    public init(raw text: String, _ values: [any SQLBindable] = []) {
        self.init()
        parts.append(.text(text))
        for value in values {
            do { parts.append(.argument(try value.sqlValue)) } catch { parts.append(.failure(error)) }
        }
    }

    /// Returns the same SQL, planned as given.
    public func planned(_ plan: Plan) -> SQL {
        var copy = self
        copy.plan = plan
        return copy
    }
}

extension SQL: ExpressibleByStringInterpolation {
    @inlinable
    public init(stringLiteral value: StaticString) {
        self.init()
        parts.append(.literal(value))
    }

    @inlinable
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }
}

extension SQL: CustomStringConvertible {
    /// The text without values, so that printing and logging reveal none.
    public var description: String { text }
}

extension SQL: CustomReflectable {
    /// Reveals no values, so that dumping shows none.
    public var customMirror: Mirror { Mirror(self, children: ["text": text]) }
}

extension SQL {
    public var text: String {
        if parts.count == 1, case .literal(let literal) = parts[0] { return literal.description }
        var text = ""
        var number = 0
        for part in parts {
            switch part {
            case .literal(let literal): text += literal.description
            case .text(let dynamic): text += dynamic
            case .value, .failure:
                number += 1
                text += "$"
                text += String(number)
            case .argument: number += 1
            }
        }
        return text
    }

    /// The bound values, in order.
    ///
    /// - Throws: The error of a value that could not be converted.
    public var values: [SQLValue] {
        get throws {
            var values: [SQLValue] = []
            for part in parts {
                switch part {
                case .literal, .text: break
                case .value(let value), .argument(let value): values.append(value)
                case .failure(let error): throw error
                }
            }
            return values
        }
    }

    /// Concatenates two pieces of SQL. The values of the second continue the numbers of the first.
    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    public static func += (left: inout SQL, right: SQL) {
        left.parts += right.parts
        if left.plan == .automatic || right.plan == .custom { left.plan = right.plan }
    }
}

extension Sequence<SQL> {
    /// Concatenates the pieces with `separator` between them; the result is empty without pieces.
    ///
    /// ```swift
    /// let condition = conditions.joined(separator: " AND ")
    /// // "a = $1 AND b = $2"
    /// ```
    public func joined(separator: SQL) -> SQL {
        var joined = SQL()
        for (index, piece) in enumerated() {
            if index > 0 { joined += separator }
            joined += piece
        }
        return joined
    }
}

extension SQL {
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        @usableFromInline
        var sql: SQL

        @inlinable
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL()
            sql.parts.reserveCapacity(interpolationCount * 2 + 1)
        }

        @inlinable
        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { sql.parts.append(.literal(literal)) }
        }

        @inlinable
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value) {
            do { sql.parts.append(.value(try value.sqlValue)) } catch { sql.parts.append(.failure(error)) }
        }

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
            sql.parts.append(.text(name.quotedIdentifier))
        }

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
