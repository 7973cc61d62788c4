/// A struct that is stored as a row of one table, by any of the stores of this package. Its columns are its coding keys,
/// which are said once.
///
/// The stores know it as `Record`; one conformance serves them all.
public protocol DatabaseRecord: SendableMetatype {
    /// The name of the table.
    static var table: String { get }
    /// The columns of the primary key, or of a `UNIQUE` constraint; `["id"]` by default.
    static var key: [String] { get }
    /// How dates, UUIDs, data and lists are stored; by default as they are bound in SQL.
    static var coding: ColumnCoding { get }
}

extension DatabaseRecord {
    public static var key: [String] { ["id"] }
    public static var coding: ColumnCoding { ColumnCoding() }
}

/// How the columns of a record hold dates, UUIDs, data and lists: stated once, for reading and writing.
///
/// ```swift
/// struct Visit: Record, Codable {
///     static let table = "visits"
///     static let coding = ColumnCoding(dates: .secondsSince1970, uuids: .bytes)
///
///     var id: UUID
///     var arrivedAt: Date
/// }
/// ```
///
/// The standard forms are those of values that are bound in SQL. Values within JSON are as `JSONEncoder` writes them.
public struct ColumnCoding: Hashable, Sendable {
    public enum Dates: Hashable, Sendable {
        /// SQLite: `TEXT` such as `2024-05-01T12:34:56.789012345Z`. PostgreSQL: `timestamptz` or `timestamp`, to the
        /// nearest microsecond.
        case standard
        /// A number of seconds, also read from an integer. Equal after reading to about a microsecond. SQLite: `REAL`.
        /// PostgreSQL: `double precision`.
        case secondsSince1970
        /// An integer, rounded to the nearest millisecond. PostgreSQL: `bigint`.
        case millisecondsSince1970
    }

    public enum UUIDs: Hashable, Sendable {
        /// SQLite: as `text`. PostgreSQL: `uuid`.
        case standard
        /// A text of 36 characters in upper case.
        case text
        /// 16 bytes: a `BLOB` or `bytea`.
        case bytes
    }

    public enum DataForm: Hashable, Sendable {
        /// A `BLOB` or `bytea`.
        case bytes
        /// A text.
        case base64
    }

    /// Lists of values that have columns of their own, such as `[String]`; other lists are JSON.
    public enum Lists: Hashable, Sendable {
        /// SQLite: as `json`. PostgreSQL: an array, such as `text[]`.
        case standard
        /// JSON text. PostgreSQL: `jsonb`, `json` or `text`.
        case json
    }

    public var dates: Dates
    /// How UUIDs are written; all forms are read.
    public var uuids: UUIDs
    public var data: DataForm
    /// How lists are written; both forms are read.
    public var lists: Lists

    /// Creates a coding; by default that of values which are bound in SQL.
    public init(
        dates: Dates = .standard, uuids: UUIDs = .standard, data: DataForm = .bytes, lists: Lists = .standard
    ) {
        (self.dates, self.uuids, self.data, self.lists) = (dates, uuids, data, lists)
    }
}
