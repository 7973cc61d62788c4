internal import DatabaseAccess

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A piece of SQL with its values, written as a string literal in which interpolated values are bound, never spliced.
///
/// ```swift
/// try db.execute("INSERT INTO liked (user, trip) VALUES (\(user), \(trip))")
/// try db.fetchAll(Trip.self, "SELECT * FROM trips WHERE region IN \(regions) LIMIT \(limit)")
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
        case data(Data)
        /// The value of a parameter that an earlier text contains.
        case argument(SQLValue)
        /// The error of converting a value, thrown when the statement is run.
        case failure(any Error)
    }

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

extension SQL {
    /// The maximum size in bytes of texts and blobs that are copied into `bytes`; longer ones become objects.
    static var maximumInlineByteCount: Int { 4096 }

    @inlinable
    @inline(__always)
    mutating func append(_ literal: StaticString) {
        parts.append(.literal(literal))
        combine(literal)
    }

    /// Updates the hash.
    @inlinable
    @inline(__always)
    mutating func combine(_ literal: StaticString) {
        literalHash = (literalHash ^ UInt(bitPattern: literal.utf8Start)) &* 0x9E37_79B9_7F4A_7C15
    }

    @inlinable
    @inline(__always)
    mutating func append(_ value: SQLValue) {
        switch value {
        case .null: parts.append(.null)
        case .integer(let integer): parts.append(.integer(integer))
        case .real(let real): parts.append(.real(real))
        case .text(let text): append(text: text)
        case .blob(let blob): append(blob: blob)
        }
    }

    @usableFromInline
    mutating func append(text: String) {
        // Contiguous text, the usual case, is not even retained.
        let fits = text.utf8.withContiguousStorageIfAvailable { append(text: $0) }
        if let fits, fits { return }
        var copy = text
        if fits != nil || !copy.withUTF8({ append(text: $0) }) { append(Object.value(.text(text))) }
    }

    private mutating func append(text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= Self.maximumInlineByteCount else { return false }
        parts.append(.text(text.count))
        append(text)
        return true
    }

    @usableFromInline
    mutating func append(blob: [UInt8]) {
        guard blob.count <= Self.maximumInlineByteCount else { return append(Object.value(.blob(blob))) }
        parts.append(.blob(blob.count))
        blob.withUnsafeBufferPointer { append($0) }
    }

    mutating func append(data: Data) {
        guard data.count <= Self.maximumInlineByteCount else { return append(Object.data(data)) }
        parts.append(.blob(data.count))
        data.withUnsafeBytes { append($0.bindMemory(to: UInt8.self)) }
    }

    private mutating func append(_ added: UnsafeBufferPointer<UInt8>) {
        // Reserves space for a few short texts at once, to avoid an allocation for each.
        if bytes.capacity == 0 { bytes.reserveCapacity(max(96, added.count)) }
        bytes.append(contentsOf: added)
    }

    @usableFromInline
    @inline(never)
    mutating func append(_ object: Object) {
        parts.append(.object(objects.count))
        objects.append(object)
    }

    /// Concatenates two pieces of SQL, with the values that they bind.
    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    public static func += (left: inout SQL, right: SQL) {
        // At once: a list of columns has many parts.
        let (start, shift) = (left.parts.count, left.objects.count)
        left.parts += right.parts
        for part in right.parts {
            if case .literal(let literal) = part { left.combine(literal) }
        }
        if !right.bytes.isEmpty { left.bytes += right.bytes }
        guard !right.objects.isEmpty else { return }
        left.objects += right.objects
        for index in start..<left.parts.count {
            if case .object(let object) = left.parts[index] { left.parts[index] = .object(object + shift) }
        }
    }
}

extension Sequence<SQL> {
    /// Concatenates the pieces with `separator` between them; the result is empty without pieces.
    ///
    /// ```swift
    /// let condition = conditions.joined(separator: " AND ")
    /// // "a = ? AND b = ?"
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
            if literal.utf8CodeUnitCount > 0 { sql.append(literal) }
        }

        @inlinable
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value) {
            do { sql.append(try value.sqlValue) } catch { sql.append(SQL.Object.failure(error)) }
        }

        @inlinable
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
            if let value { appendInterpolation(value) } else { sql.parts.append(.null) }
        }

        /// Appends one parameter that is bound to the bytes as a `BLOB`.
        @inlinable
        public mutating func appendInterpolation(_ bytes: [UInt8]) {
            sql.append(SQLValue.blob(bytes))
        }

        public mutating func appendInterpolation(_ data: Data) {
            sql.append(data: data)
        }

        public mutating func appendInterpolation(_ data: Data?) {
            if let data { sql.append(data: data) } else { sql.parts.append(.null) }
        }

        /// Appends a list of bound values in parentheses.
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
        public mutating func appendInterpolation(identifier name: String) {
            sql.append(SQL.Object.text(name.quotedIdentifier))
        }

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
}
