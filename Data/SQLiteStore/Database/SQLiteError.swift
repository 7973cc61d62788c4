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
    /// The primary result code.
    public let code: Code
    /// The extended result code; equal to `code` if SQLite has no more specific code.
    public let extendedCode: Code
    /// The problem and, where possible, the remedy.
    public let message: String
    /// The text of the failing statement, with `?` in place of values; nil if no statement was involved.
    public let sql: String?

    /// Creates an error; `code` becomes the primary code of `extendedCode`.
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
