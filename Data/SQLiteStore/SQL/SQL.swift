#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// SQL with its values: written as a string literal in which every interpolation is bound, never spliced.
///
/// ```swift
/// try db.execute("INSERT INTO liked (user, travel) VALUES (\(user), \(travel))")
/// try db.fetchAll(Travel.self, "SELECT * FROM travels WHERE region IN \(regions) LIMIT \(limit)")
/// ```
///
/// - `\(value)` binds one value of any `SQLBindable` type.
/// - `\(values)` binds a list: `x IN \([1, 2, 3])` becomes `x IN (?, ?, ?)`, and an empty list is an empty list. It means
///   the same at any length. SQLite takes 32,766 values in one statement, unless it was built to take more, and more are
///   an error.
/// - `\(json: values)` binds a list as one JSON array, for `json_each`.
/// - `\(identifier: name)` is a table's or column's name, quoted.
/// - `\(fragment)` is another `SQL` with its values, in its place.
/// - `\(raw: text)` is text as it is: the one way to splice, and easy to search for.
public struct SQL: Sendable {
    /// The pieces of the text with the values between them, in order.
    @usableFromInline
    var parts: ContiguousArray<Part>
    /// The bytes of short texts and blobs, one after the other.
    @usableFromInline
    var bytes: ContiguousArray<UInt8>
    /// What the parts refer to by index, because it is long or rare.
    @usableFromInline
    var objects: ContiguousArray<Object>
    /// A hash of the addresses of the literal pieces, kept up as they are added.
    @usableFromInline
    var literalHash: UInt

    /// A piece of the text, or a value.
    ///
    /// It holds no reference: an array of these is made, walked and freed without counting any, which is most of what
    /// makes a literal cheap.
    @usableFromInline
    enum Part: Sendable {
        /// Text from the source code, known by its address.
        case literal(StaticString)
        /// A value with its parameter, as are the next four.
        case null
        case integer(Int64)
        case real(Double)
        /// This many of the literal's bytes.
        case text(Int)
        case blob(Int)
        /// One of the objects.
        case object(Int)
    }

    @usableFromInline
    enum Object: Sendable {
        /// Text made at run time.
        case text(String)
        /// A value with its parameter.
        case value(SQLValue)
        /// Bytes with their parameter, which are copied but once, into SQLite's memory.
        case data(Data)
        /// A value whose parameter is written in a text before it.
        case argument(SQLValue)
        /// A value that could not be converted: thrown when the statement is run.
        case failure(any Error)
    }

    /// Nothing yet.
    @inlinable
    init() {
        // Set here and not where they are declared, or else a finished literal would first be set to nothing.
        (parts, bytes, objects, literalHash) = ([], [], [], 0)
    }

    /// SQL text made at run time, with the values of its `?` parameters in order.
    public init(raw text: String, _ values: [any SQLBindable] = []) {
        self.init()
        append(Object.text(text))
        for value in values {
            do { append(Object.argument(try value.sqlValue)) } catch { append(Object.failure(error)) }
        }
    }
}

extension SQL: ExpressibleByStringInterpolation {
    /// SQL without values.
    @inlinable
    public init(stringLiteral value: StaticString) {
        self.init()
        append(value)
    }

    /// SQL with the values interpolated into it.
    @inlinable
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }
}

extension SQL: CustomStringConvertible {
    /// The text alone: a literal that is printed or logged gives no value away.
    public var description: String { text }
}

extension SQL {
    /// The text, with `?` where a value is bound.
    public var text: String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal.description
            case .null, .integer, .real, .text, .blob: text += "?"
            case .object(let index):
                switch objects[index] {
                case .text(let dynamic): text += dynamic
                case .value, .data, .failure: text += "?"
                case .argument: break
                }
            }
        }
        return text
    }

    /// The bound values, in order.
    public var values: [SQLValue] {
        get throws {
            var values: [SQLValue] = []
            var position = 0
            for part in parts {
                switch part {
                case .literal: break
                case .null: values.append(.null)
                case .integer(let integer): values.append(.integer(integer))
                case .real(let real): values.append(.real(real))
                case .text(let count):
                    values.append(.text(String(decoding: bytes[position..<position + count], as: UTF8.self)))
                    position += count
                case .blob(let count):
                    values.append(.blob(Array(bytes[position..<position + count])))
                    position += count
                case .object(let index):
                    switch objects[index] {
                    case .text: break
                    case .value(let value), .argument(let value): values.append(value)
                    case .data(let data): values.append(data.sqlValue)
                    case .failure(let error): throw error
                    }
                }
            }
            return values
        }
    }
}
