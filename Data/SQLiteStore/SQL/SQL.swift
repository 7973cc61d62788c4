#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A piece of SQL with its values, written as a string literal in which interpolated values are bound, never spliced.
///
/// ```swift
/// try db.execute("INSERT INTO liked (user, travel) VALUES (\(user), \(travel))")
/// try db.fetchAll(Travel.self, "SELECT * FROM travels WHERE region IN \(regions) LIMIT \(limit)")
/// ```
///
/// - `\(value)` binds one value of any `SQLBindable` type.
/// - `\(values)` binds a list: `x IN \([1, 2, 3])` becomes `x IN (?, ?, ?)`, and an empty list becomes `()`. Its
///   meaning does not depend on its length. SQLite accepts at most 32,766 values in one statement, unless it was
///   compiled with a higher limit; more are an error.
/// - `\(json: values)` binds a list as one JSON array, for `json_each`.
/// - `\(identifier: name)` inserts the quoted name of a table or column.
/// - `\(fragment)` inserts another `SQL` with its values.
/// - `\(raw: text)` inserts raw text: the only way to splice, and easy to search for.
public struct SQL: Sendable {
    /// The parts of the text and the values between them, in order.
    @usableFromInline
    var parts: ContiguousArray<Part>
    /// The bytes of short texts and blobs, concatenated.
    @usableFromInline
    var bytes: ContiguousArray<UInt8>
    /// Parts that are long or rare; `parts` refers to them by index.
    @usableFromInline
    var objects: ContiguousArray<Object>
    /// A hash of the addresses of the literal texts, updated with each of them.
    @usableFromInline
    var literalHash: UInt

    /// A part of the text, or a value.
    ///
    /// It holds no references, so that arrays of parts are created, traversed and freed without reference counting,
    /// which makes literals cheap.
    @usableFromInline
    enum Part: Sendable {
        /// Text from the source code, identified by its address.
        case literal(StaticString)
        /// A parameter with its value, as are the next four cases.
        case null
        case integer(Int64)
        case real(Double)
        /// A text with this number of bytes in `bytes`.
        case text(Int)
        case blob(Int)
        /// An element of `objects`.
        case object(Int)
    }

    @usableFromInline
    enum Object: Sendable {
        /// Text built at run time.
        case text(String)
        /// A parameter with its value.
        case value(SQLValue)
        /// A parameter with bytes, which are copied only once, into SQLite's memory.
        case data(Data)
        /// The value of a parameter that an earlier text contains.
        case argument(SQLValue)
        /// The error of converting a value, thrown when the statement is run.
        case failure(any Error)
    }

    /// Creates an empty piece.
    @inlinable
    init() {
        // Initialized here instead of at the declarations, where a finished literal would first be initialized as
        // empty.
        (parts, bytes, objects, literalHash) = ([], [], [], 0)
    }

    /// Creates SQL from raw text, with the values of its `?` parameters in order. Never pass text from untrusted
    /// sources.
    public init(raw text: String, _ values: [any SQLBindable] = []) {
        self.init()
        append(Object.text(text))
        for value in values {
            do { append(Object.argument(try value.sqlValue)) } catch { append(Object.failure(error)) }
        }
    }
}

extension SQL: ExpressibleByStringInterpolation {
    /// Creates SQL from a literal without values; it cannot contain text from outside.
    @inlinable
    public init(stringLiteral value: StaticString) {
        self.init()
        append(value)
    }

    /// Creates SQL whose interpolated values are bound as parameters.
    @inlinable
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }
}

extension SQL: CustomStringConvertible {
    /// The text without values, so that printing and logging reveal none.
    public var description: String { text }
}

extension SQL {
    /// The text, with `?` in place of values.
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
    ///
    /// - Throws: The error of a value that could not be converted.
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
