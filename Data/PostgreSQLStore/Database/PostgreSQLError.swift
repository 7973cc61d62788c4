#if PostgreSQL
    /// An error of a database, reported by the server or by this library.
    ///
    /// Match on `code`, and on `constraint` for the rule that was violated:
    ///
    /// ```swift
    /// do {
    ///     try await database.write { db in try db.execute("INSERT INTO users (name) VALUES (\(name))") }
    /// } catch let error as PostgreSQLError where error.code == .uniqueViolation {
    ///     // The name is taken.
    /// }
    /// ```
    ///
    /// `message` contains no values, neither bound nor read nor derived from them; `sql` is the text without values.
    /// The server's detail, hint and context are dropped, because they quote rows.
    public struct PostgreSQLError: Error, Hashable, Sendable {
        /// The SQLSTATE of the server, or a code of this library.
        public let code: Code
        /// The problem and, where possible, the remedy.
        public let message: String
        /// The text of the failing statement, with `$1`, `$2` and so on in place of values; nil if no statement was
        /// involved.
        public let sql: String?
        /// The name of the violated constraint, if the server reports one.
        public let constraint: String?

        /// Creates an error.
        public init(_ code: Code, _ message: String, sql: String? = nil, constraint: String? = nil) {
            (self.code, self.message, self.sql, self.constraint) = (code, message, sql, constraint)
        }
    }

    extension PostgreSQLError: CustomStringConvertible {
        /// `PostgreSQL error 23505: duplicate key value violates unique constraint "users_pkey", in INSERT INTO users
        /// …`
        public var description: String {
            "PostgreSQL error \(code.rawValue): \(message)" + (sql.map { ", in \($0)" } ?? "")
        }
    }
#endif
