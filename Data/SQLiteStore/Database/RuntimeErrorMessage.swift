internal import CSQLite
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

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

    /// Returns the extended code of a call that returned `code`.
    static func extendedCode(of code: Int32, on handle: OpaquePointer) -> Int32 {
        // The connection's extended code is more specific, but only if it belongs to this failure.
        let extended = sqlite3_extended_errcode(handle)
        return extended & 0xFF == code & 0xFF ? extended : code
    }

    /// Returns whether the last message of the connection is `message`.
    static func isLast(_ message: String, on handle: OpaquePointer) -> Bool {
        guard let text = sqlite3_errmsg(handle) else { return false }
        return message.withCString { strcmp(text, $0) == 0 }
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
    /// The maximum number of UTF-8 bytes of a message that are read.
    static let maximumMessageByteCount = 1000

    /// Returns a text of SQLite, truncated to `maximumByteCount` bytes.
    static func text(_ text: UnsafePointer<CChar>, maximumByteCount: Int) -> String {
        let count = strnlen(text, maximumByteCount)
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
        let near = "near \""
        guard message.hasPrefix(near), let first = message.dropFirst(near.count).first,
            first == "'" || first.isNumber || first == "x" || first == "X", let end = message.range(ofLast: "\": ")
        else { return message }
        let token = message.dropFirst(near.count)
        if first == "x" || first == "X", token.dropFirst().first != "'" { return message }
        return near + "…" + message[end.lowerBound...]
    }

    /// Returns the name of a column without literals: an unnamed column has its expression as its name.
    static func withoutLiterals(columnName name: String) -> String {
        var text = ""
        var rest = name[...]
        while let character = rest.first {
            if character == "'" {
                text += "…"
                rest = rest.dropFirst().drop { $0 != "'" }.dropFirst()
            } else if character.isNumber {
                text += "…"
                rest = rest.drop(while: isPartOfWord)
            } else {
                // Names can end with digits.
                let word = rest.prefix(while: isPartOfWord)
                let piece = word.isEmpty ? rest.prefix(1) : word
                text += piece
                rest = rest[piece.endIndex...]
            }
        }
        return text
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "."
    }
}

extension String {
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        var start = endIndex
        while start > startIndex {
            start = index(before: start)
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
        }
        return nil
    }
}
