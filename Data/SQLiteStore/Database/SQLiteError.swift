internal import CSQLite

/// Anything that went wrong with a database: what SQLite reported, or what this library refused to do.
///
/// Match on `code`, and on `extendedCode` for the finer reason:
///
/// ```swift
/// do {
///     try await database.write { db in try db.execute("INSERT INTO users (name) VALUES (\(name))") }
/// } catch let error as SQLiteError where error.extendedCode == .constraintUnique {
///     // The name is taken.
/// }
/// ```
///
/// `message` holds no value, neither one that was bound nor one that was read, nor anything that was made of one; `sql` is
/// the text alone.
public struct SQLiteError: Error, Hashable, Sendable {
    /// The primary result code.
    public let code: Code
    /// The extended result code; equal to `code` where SQLite has no finer reason.
    public let extendedCode: Code
    /// What is wrong and, where there is a way, how to put it right.
    public let message: String
    /// The text of the statement that failed, with `?` in place of its values; nil where no statement was involved.
    public let sql: String?

    /// An error with these parts; `code` is the primary part of `extendedCode`.
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
    /// What SQLite last reported on `connection`, for calls that had no value to report.
    static func last(on connection: OpaquePointer?, code: Int32, sql: String? = nil) -> SQLiteError {
        // The connection's own extended code is finer, but only when it belongs to this failure.
        let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
        guard let connection, extended & 0xFF == code & 0xFF else {
            return SQLiteError(Code(rawValue: code), String(cString: sqlite3_errstr(code)), sql: sql)
        }
        let message = text(sqlite3_errmsg(connection), maximumByteCount: maximumMessageByteCount)
        return SQLiteError(Code(rawValue: extended), withoutLiterals(message), sql: sql)
    }
}
