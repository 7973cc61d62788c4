/// SQL with its values: written as a string literal in which every interpolation is bound, never spliced.
///
/// ```swift
/// try db.execute("INSERT INTO liked (user, travel) VALUES (\(user), \(travel))")
/// try db.fetchAll(Travel.self, "SELECT * FROM travels WHERE region IN \(regions) LIMIT \(limit)")
/// ```
///
/// - `\(value)` binds one value of any `SQLBindable` type.
/// - `\(values)` binds a list: `x IN \([1, 2, 3])` becomes `x IN (?, ?, ?)`, and an empty list is an empty list. More
///   than 100 values are bound as one JSON array, unless there are blobs among them.
/// - `\(json: values)` binds a list as one JSON array, for `json_each`.
/// - `\(identifier: name)` is a table's or column's name, quoted.
/// - `\(fragment)` is another `SQL` with its values, in its place.
/// - `\(raw: text)` is text as it is: the one way to splice, and easy to search for.
public struct SQL: Sendable {
    /// The pieces of the text with the values between them, in order.
    @usableFromInline
    var parts: ContiguousArray<Part>

    @usableFromInline
    enum Part: Sendable {
        /// Text from the source code, known by its address.
        case literal(StaticString)
        /// Text made at run time.
        case text(String)
        /// A bound value, with its parameter.
        case value(SQLValue)
        /// A bound value whose parameter is written in a text before it.
        case argument(SQLValue)
        /// A value that could not be converted: thrown when the statement is run.
        case failure(any Error)
    }

    @inlinable
    init(parts: ContiguousArray<Part>) {
        self.parts = parts
    }

    /// SQL text made at run time, with the values of its `?` parameters in order.
    public init(raw text: String, _ values: [any SQLBindable] = []) {
        parts = [.text(text)]
        for value in values {
            do { parts.append(.argument(try value.sqlValue)) } catch { parts.append(.failure(error)) }
        }
    }
}

extension SQL: ExpressibleByStringInterpolation {
    /// SQL without values.
    @inlinable
    public init(stringLiteral value: StaticString) {
        parts = [.literal(value)]
    }

    /// SQL with the values interpolated into it.
    @inlinable
    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }
}

extension SQL {
    /// The text, with `?` where a value is bound.
    public var text: String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal.description
            case .text(let dynamic): text += dynamic
            case .value, .failure: text += "?"
            case .argument: break
            }
        }
        return text
    }

    /// The bound values, in order.
    public var values: [SQLValue] {
        get throws {
            try parts.compactMap { part in
                switch part {
                case .literal, .text: nil
                case .value(let value), .argument(let value): value
                case .failure(let error): throw error
                }
            }
        }
    }

    /// Two pieces, one after the other.
    public static func + (left: SQL, right: SQL) -> SQL {
        SQL(parts: left.parts + right.parts)
    }

    /// Adds a piece at the end.
    public static func += (left: inout SQL, right: SQL) {
        left.parts.append(contentsOf: right.parts)
    }
}

extension Sequence<SQL> {
    /// The pieces with `separator` between them; nothing for none.
    ///
    /// ```swift
    /// let condition = conditions.joined(separator: " AND ")
    /// ```
    public func joined(separator: SQL) -> SQL {
        var joined = SQL(parts: [])
        for (index, piece) in enumerated() {
            if index > 0 { joined += separator }
            joined += piece
        }
        return joined
    }
}
