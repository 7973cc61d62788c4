#if PostgreSQL
internal import CPostgreSQL

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

extension PostgreSQLError {
    /// A code of an error: five characters of the server's SQLSTATE, or a longer word of this library.
    ///
    /// ```swift
    /// do {
    ///     try await database.write { db in try insert(city, db) }
    /// } catch let error as PostgreSQLError where error.code == .uniqueViolation {
    ///     throw CityError.exists
    /// }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The first two characters of a SQLSTATE, which identify the class of the error.
        public var classCode: String { String(rawValue.prefix(2)) }
    }
}

// The codes of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html
extension PostgreSQLError.Code {
    public static let uniqueViolation = Self(rawValue: "23505")
    public static let foreignKeyViolation = Self(rawValue: "23503")
    public static let notNullViolation = Self(rawValue: "23502")
    public static let checkViolation = Self(rawValue: "23514")
    public static let exclusionViolation = Self(rawValue: "23P01")
    /// The transaction cannot be serialized with concurrent ones.
    public static let serializationFailure = Self(rawValue: "40001")
    public static let deadlockDetected = Self(rawValue: "40P01")
    /// A lock was not available at once or within the server's lock timeout.
    public static let lockNotAvailable = Self(rawValue: "55P03")
    /// The server or its administrator cancelled the statement.
    public static let queryCanceled = Self(rawValue: "57014")
    /// A statement that writes was run in a read.
    public static let readOnly = Self(rawValue: "25006")
    /// An earlier error in the transaction was not rethrown, and the server accepts no further statement.
    public static let transactionAborted = Self(rawValue: "25P02")
    public static let syntaxError = Self(rawValue: "42601")
    public static let undefinedTable = Self(rawValue: "42P01")
    public static let undefinedColumn = Self(rawValue: "42703")
    public static let undefinedFunction = Self(rawValue: "42883")
    public static let insufficientPrivilege = Self(rawValue: "42501")
    /// A text that is not valid for its type.
    public static let invalidText = Self(rawValue: "22P02")
    public static let outOfRange = Self(rawValue: "22003")
    public static let textTooLong = Self(rawValue: "22001")
    /// The server, the database or the role has no more connections, and none became free within the lease timeout.
    public static let tooManyConnections = Self(rawValue: "53300")
    /// The administrator ended the connection.
    public static let adminShutdown = Self(rawValue: "57P01")
    /// The server is starting up or shutting down.
    public static let cannotConnectNow = Self(rawValue: "57P03")
    public static let invalidPassword = Self(rawValue: "28P01")
    /// There is no such user, or the server accepts no connection from this host as this user.
    public static let invalidAuthorization = Self(rawValue: "28000")
    public static let undefinedDatabase = Self(rawValue: "3D000")
    public static let diskFull = Self(rawValue: "53100")
}

// The codes of this library.
extension PostgreSQLError.Code {
    /// An access began within another access to the same database, which could otherwise deadlock.
    public static let reentrantAccess = Self(rawValue: "reentrantAccess")
    public static let closed = Self(rawValue: "closed")
    /// The server cannot be reached, or rejects connections for another reason than those that have a code above.
    public static let cannotConnect = Self(rawValue: "cannotConnect")
    /// The connection was lost; a transaction that had not begun to commit is rolled back.
    public static let connectionLost = Self(rawValue: "connectionLost")
    /// The connection was lost during a commit: whether the transaction took effect is unknown.
    public static let commitUnknown = Self(rawValue: "commitUnknown")
    /// No connection became free within the lease timeout.
    public static let leaseTimeout = Self(rawValue: "leaseTimeout")
    /// A statement took longer than the statement timeout, or its access longer than the access timeout.
    public static let statementTimeout = Self(rawValue: "statementTimeout")
    /// A value of the wrong type, an unexpected `NULL`, or a value outside the range of its type.
    public static let mismatch = Self(rawValue: "mismatch")
    /// A parameter or column that does not exist.
    public static let range = Self(rawValue: "range")
    /// The library was used incorrectly.
    public static let misuse = Self(rawValue: "misuse")
    /// A newer version of the app has migrated the schema.
    public static let databaseIsNewer = Self(rawValue: "databaseIsNewer")
    /// An applied migration was changed, renamed or removed.
    public static let migrationChanged = Self(rawValue: "migrationChanged")
}

extension PostgreSQLError.Code {
    /// Whether the whole transaction can succeed if it runs again.
    var isRetryable: Bool { self == .serializationFailure || self == .deadlockDetected }

    /// Whether the connection has ended, or the server ends it.
    var endsConnection: Bool {
        self == .connectionLost || rawValue.count == 5 && (classCode == "08" || rawValue.hasPrefix("57P"))
    }
}

/// The server's message for a failed run, reduced to the part that cannot contain a value.
///
/// Messages quote their subject in double quotes, or state it after a colon or as a number. The quotation may be a
/// bound value or derived from one. A quotation is kept if it is one of the names that the server reports beside
/// the message; otherwise the message ends before it. A fixed text replaces the message of an error that a function
/// raises. No value is inspected.
enum RuntimeErrorMessage {
    /// Returns the message of a result that reports an error of a run with values.
    static func text(of result: OpaquePointer, code: String) -> String {
        guard let message = field(.message, of: result),
            field(.sourceFunction, of: result) != "exec_stmt_raise",
            serverClasses.contains(String(code.prefix(2)))
        else { return "the statement failed with SQLSTATE \(code)" }
        let names = [ErrorField.schema, .table, .column, .type, .constraint].compactMap { field($0, of: result) }
        return withoutQuotations(message, except: names)
    }

    static func field(_ field: ErrorField, of result: OpaquePointer) -> String? {
        PQresultErrorField(result, Int32(field.rawValue.value)).map { String(cString: $0) }
    }

    /// The classes of errors that only the server itself reports with its own messages.
    private static let serverClasses: Set<String> = [
        "08", "0A", "21", "22", "23", "25", "26", "28", "40", "42", "53", "54", "55", "57",
    ]

    private static func withoutQuotations(_ message: String, except names: [String]) -> String {
        var text = ""
        var rest = message[...]
        while let character = rest.first {
            if character == "\"" {
                guard let name = names.first(where: { rest.hasPrefix("\"\($0)\"") }) else { return truncated(text) }
                text += "\"\(name)\""
                rest = rest.dropFirst(name.count + 2)
            } else if "'`:".contains(character) || character.isNumber || !character.isASCII {
                return truncated(text)
            } else {
                text.append(character)
                rest = rest.dropFirst()
            }
        }
        return text
    }

    private static func truncated(_ text: String) -> String {
        text + "…"
    }
}

/// A field of the server's report of an error
/// (https://www.postgresql.org/docs/current/protocol-error-fields.html).
enum ErrorField: Unicode.Scalar {
    case severity = "V"
    case sqlState = "C"
    case message = "M"
    case schema = "s"
    case table = "t"
    case column = "c"
    case type = "d"
    case constraint = "n"
    case sourceFunction = "R"
}
#endif
