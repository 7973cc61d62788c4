internal import CSQLite

/// An error of a database, reported by SQLite or by this library.
///
/// Match on `code`, or on `extendedCode` for the specific reason:
///
/// ```swift
/// do {
///     try await database.write { db in try db.execute("INSERT INTO users (name) VALUES (\(name))") }
/// } catch let error as SQLiteError where error.extendedCode == .constraintUnique {
///     // The name is taken.
/// }
/// ```
///
/// `message` contains no values, neither bound nor read nor derived from them; `sql` is the text without values.
public struct SQLiteError: Error, Hashable, Sendable {
    public let code: Code
    /// The extended result code; equal to `code` if SQLite has no more specific code.
    public let extendedCode: Code
    /// The problem and, where possible, the remedy.
    public let message: String
    /// The text of the failing statement, with `?` in place of values; nil if no statement was involved.
    public let sql: String?

    public init(_ extendedCode: Code, _ message: String, sql: String? = nil) {
        self.code = extendedCode.primary
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }
}

extension SQLiteError: CustomStringConvertible {
    /// `SQLite error 19 (2067): UNIQUE constraint failed: users.name, in INSERT INTO users …`
    public var description: String {
        let number = code == extendedCode ? "\(code.rawValue)" : "\(code.rawValue) (\(extendedCode.rawValue))"
        return "SQLite error \(number): \(message)" + (sql.map { ", in \($0)" } ?? "")
    }
}

extension SQLiteError {
    /// Returns the error that SQLite last reported on `connection`, for calls without values.
    static func last(on connection: OpaquePointer?, code: Int32, sql: String? = nil) -> SQLiteError {
        // The connection's extended code is more specific, but only if it belongs to this failure.
        let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
        guard let connection, extended & 0xFF == code & 0xFF else {
            return SQLiteError(Code(rawValue: code), String(cString: sqlite3_errstr(code)), sql: sql)
        }
        if let refusal = refusal(on: connection, code: code, sql: sql) { return refusal }
        let message = text(sqlite3_errmsg(connection), maximumByteCount: maximumMessageByteCount)
        return SQLiteError(Code(rawValue: extended), withoutLiterals(message), sql: sql)
    }

    /// Returns the error for a schema that calls a function that only statements may call, if that is what failed. SQLite
    /// reports such a file as malformed, although it is sound.
    static func refusal(on connection: OpaquePointer, code: Int32, sql: String?) -> SQLiteError? {
        guard [SQLITE_ERROR, SQLITE_CORRUPT].contains(code & 0xFF), let message = sqlite3_errmsg(connection) else {
            return nil
        }
        var text = text(message, maximumByteCount: maximumMessageByteCount)[...]
        var place: Substring?
        let start = "malformed database schema ("
        if text.hasPrefix(start), let end = text.firstRange(of: ") - ") {
            place = text[..<end.lowerBound].dropFirst(start.count)
            text = text[end.upperBound...]
        }
        guard text.hasPrefix("unsafe use of "), text.hasSuffix("()") else { return nil }
        return SQLiteError(
            .error,
            "\(text)\(place.map { " by \"\($0)\"" } ?? ""): only statements of the app can call it; pass isAllowedInSchema: true to "
                + "addFunction to let the schema of every file call it", sql: sql)
    }
}

extension SQLiteError {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// The code without its extension: ``constraint`` for ``constraintUnique``.
        public var primary: Code {
            rawValue < 0 ? self : Code(rawValue: rawValue & 0xFF)
        }
    }
}

// The result codes of SQLite: https://www.sqlite.org/rescode.html
extension SQLiteError.Code {
    /// A generic error, usually a mistake in the SQL text.
    public static let error = Self(rawValue: SQLITE_ERROR)
    public static let permission = Self(rawValue: SQLITE_PERM)
    /// Another connection holds the lock, and the busy timeout has passed.
    public static let busy = Self(rawValue: SQLITE_BUSY)
    /// A conflict within the same connection or a shared cache.
    public static let locked = Self(rawValue: SQLITE_LOCKED)
    public static let noMemory = Self(rawValue: SQLITE_NOMEM)
    /// An attempt to change a read-only database.
    public static let readOnly = Self(rawValue: SQLITE_READONLY)
    /// The operation was interrupted, by cancellation or on closing.
    public static let interrupt = Self(rawValue: SQLITE_INTERRUPT)
    public static let io = Self(rawValue: SQLITE_IOERR)
    /// The file is damaged: its pages contradict each other.
    public static let corrupt = Self(rawValue: SQLITE_CORRUPT)
    public static let full = Self(rawValue: SQLITE_FULL)
    /// The file, or one beside it, could not be opened.
    public static let cannotOpen = Self(rawValue: SQLITE_CANTOPEN)
    public static let tooBig = Self(rawValue: SQLITE_TOOBIG)
    /// A constraint was violated; `extendedCode` specifies its kind.
    public static let constraint = Self(rawValue: SQLITE_CONSTRAINT)
    /// A value of the wrong type, an unexpected NULL, or a value outside the range of its type.
    public static let mismatch = Self(rawValue: SQLITE_MISMATCH)
    /// The library was used incorrectly: a programming error.
    public static let misuse = Self(rawValue: SQLITE_MISUSE)
    /// A parameter or column that does not exist.
    public static let range = Self(rawValue: SQLITE_RANGE)
    /// The file is not a database, or it is encrypted.
    public static let notADatabase = Self(rawValue: SQLITE_NOTADB)

    /// The index of the write-ahead log, a file of shared memory, could not grow: almost always, the disk is full.
    public static let ioSharedMemorySize = Self(rawValue: SQLITE_IOERR | (19 << 8))
    public static let constraintUnique = Self(rawValue: SQLITE_CONSTRAINT | (8 << 8))
    public static let constraintPrimaryKey = Self(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// A foreign key constraint failed: the referenced row is missing.
    public static let constraintForeignKey = Self(rawValue: SQLITE_CONSTRAINT | (3 << 8))
    public static let constraintNotNull = Self(rawValue: SQLITE_CONSTRAINT | (5 << 8))
    public static let constraintCheck = Self(rawValue: SQLITE_CONSTRAINT | (1 << 8))
    /// A trigger raised an error with `RAISE`.
    public static let constraintTrigger = Self(rawValue: SQLITE_CONSTRAINT | (7 << 8))
}

// The codes of this library.
extension SQLiteError.Code {
    /// An access began within another access to the same database, which would otherwise deadlock.
    public static let reentrantAccess = Self(rawValue: -1)
    /// The database has been closed, by this process.
    public static let closed = Self(rawValue: -2)
    /// The database is suspended, or its suspension has ended a snapshot: see ``Database/suspend()``.
    public static let suspended = Self(rawValue: -6)
    /// A newer version of the app has migrated the file.
    public static let databaseIsNewer = Self(rawValue: -3)
    /// An applied migration was changed, renamed or removed.
    public static let migrationChanged = Self(rawValue: -4)
    /// The file was moved, deleted, replaced or overwritten while the database was open.
    public static let replaced = Self(rawValue: -5)
}

/// SQLite's message for a failed run, reduced to the part that cannot contain a value.
///
/// Some messages of SQLite quote their subject: a word of a full-text query, a JSON path, a file name. The quotation
/// may be a bound value or derived from one, which a comparison with the values would not reliably detect. Therefore a
/// message is kept if it is known to quote nothing, cut before a quotation whose beginning is known, and otherwise
/// replaced. No value is inspected, so the cost does not depend on the length of values.
enum RuntimeErrorMessage {
    /// The complete message.
    case known(String)
    /// The beginning of the message, which a quotation follows.
    case cut(String)
    case unknown

    init(of code: Int32, on handle: OpaquePointer) {
        let extended = Self.extendedCode(of: code, on: handle)
        guard let text = sqlite3_errmsg(handle), extended & 0xFF == code & 0xFF else {
            self = .unknown
            return
        }
        switch code & 0xFF {
        // Names of the schema, and messages of triggers.
        case SQLITE_CONSTRAINT where extended != SQLITE_CONSTRAINT | (9 << 8):
            self = .known(SQLiteError.text(text, maximumByteCount: SQLiteError.maximumMessageByteCount))
        case SQLITE_ERROR: self = Self.message(SQLiteError.text(text, maximumByteCount: 100))
        default: self = .known(String(cString: sqlite3_errstr(extended)))
        }
    }

    /// The message, or SQLite's text for `code` if the message may contain a value.
    func text(of code: Int32) -> String {
        switch self {
        case .known(let message): message
        case .cut(let start): start + "…"
        case .unknown: String(cString: sqlite3_errstr(code))
        }
    }

    static func extendedCode(of code: Int32, on handle: OpaquePointer) -> Int32 {
        // The connection's extended code is more specific, but only if it belongs to this failure.
        let extended = sqlite3_extended_errcode(handle)
        return extended & 0xFF == code & 0xFF ? extended : code
    }

    /// Returns whether the last message of the connection is `message`.
    static func isLast(_ message: String, on handle: OpaquePointer) -> Bool {
        guard let text = sqlite3_errmsg(handle) else { return false }
        let bytes = message.utf8
        return bytes.enumerated().allSatisfy { UInt8(bitPattern: text[$0]) == $1 } && text[bytes.count] == 0
    }

    private static func message(_ message: String) -> RuntimeErrorMessage {
        if constant.contains(message) { return .known(message) }
        let prefix = quoting.first(where: message.hasPrefix)
        return prefix.map(RuntimeErrorMessage.cut) ?? .unknown
    }

    /// Messages of SQLite and its extensions that quote nothing.
    private static let constant: Set<String> = [
        "integer overflow", "string or blob too big", "malformed JSON", "JSON cannot hold BLOB values",
        "json_object() requires an even number of arguments", "json_object() labels must be TEXT",
        "LIKE or GLOB pattern too complex", "ESCAPE expression must be a single character",
        "argument of ntile must be a positive integer", "frame starting offset must be a non-negative integer",
        "frame ending offset must be a non-negative integer", "frame starting offset must be a non-negative number",
        "frame ending offset must be a non-negative number", "second argument to nth_value must be a positive integer",
        "cannot VACUUM from within a transaction", "cannot VACUUM - SQL statements in progress",
        "output file already exists", "non-text filename", "cannot start a transaction within a transaction",
        "cannot commit - no transaction is active", "cannot rollback - no transaction is active",
        "cannot commit transaction - SQL statements in progress", "cannot ATTACH database within transaction",
        "cannot open savepoint - SQL statements in progress", "cannot release savepoint - SQL statements in progress",
        "unterminated string", "fts5: parser stack overflow", "malformed MATCH expression", "recursive reference",
        "fts5: column queries are not supported (detail=none)", "fts5: syntax error near \"\"",
        "fts5 expression tree is too large (maximum depth 256)", "too many levels of trigger recursion",
    ]

    /// Beginnings of messages that continue with a quotation.
    private static let quoting = [
        "fts5: syntax error near ", "no such column: ", "unknown special query: ", "malformed MATCH expression: ",
        "expected integer, got ", "JSON path error near ", "bad JSON path: ", "unable to open database: ",
        "no such database: ", "cannot detach database ", "database ", "no such vfs: ", "no such access mode: ",
        "no such cache mode: ", "parse error in rank function: ", "no such savepoint: ",
        "unable to use function ", "too many attached databases",
    ]
}

extension SQLiteError {
    static let maximumMessageByteCount = 1000

    /// Returns a text of SQLite, truncated to `maximumByteCount` bytes.
    static func text(_ text: UnsafePointer<CChar>, maximumByteCount: Int) -> String {
        let count = (0..<maximumByteCount).first { text[$0] == 0 } ?? maximumByteCount
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        guard count == maximumByteCount else { return String(decoding: bytes, as: UTF8.self) }
        // Truncated at a character boundary.
        let end = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self) + "…"
    }

    /// Returns the message of a compilation error without the literals that it quotes.
    static func withoutLiterals(_ message: String) -> String {
        for start in ["unrecognized token: ", "hex literal too big: "] where message.hasPrefix(start) {
            return start + "…"
        }
        guard message.prefixMatch(of: #/near "(?:[xX]?'|\.?[0-9])/#.matchingSemantics(.unicodeScalar)) != nil,
            let end = message.ranges(of: "\": ").last
        else { return message }
        return "near \"…" + message[end.lowerBound...]
    }

    /// Returns the name of a column without literals: an unnamed column has its expression as its name.
    static func withoutLiterals(columnName name: String) -> String {
        // Names can end with digits.
        name.replacing(#/'[^']*'?|[\w.]+/#.matchingSemantics(.unicodeScalar)) { match in
            let first = match.output.unicodeScalars.first { $0 != "." }
            return first == "'" || first?.properties.numericType != nil ? "…" : match.output
        }
    }
}
