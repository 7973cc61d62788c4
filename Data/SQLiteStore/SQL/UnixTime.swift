#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A date in a column of seconds since 1970, UTC, for files that have them so.
///
/// ```swift
/// try db.execute("UPDATE visits SET at = \(UnixTime(.now)) WHERE id = \(id)")
/// let date = try db.fetchOne(UnixTime.self, "SELECT at FROM visits WHERE id = \(id)")?.date
/// ```
///
/// A `Date` itself is stored as ISO 8601 text.
public struct UnixTime: Hashable, Codable, Sendable {
    /// The date.
    public var date: Date

    /// The date, to be stored as seconds since 1970.
    public init(_ date: Date) {
        self.date = date
    }

    /// Reads seconds since 1970.
    public init(from decoder: any Decoder) throws {
        date = Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes seconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.timeIntervalSince1970)
    }
}

extension UnixTime: SQLCodable {
    /// `INTEGER` for whole seconds, `REAL` for others.
    public var sqlValue: SQLValue {
        get throws {
            let seconds = date.timeIntervalSince1970
            return try Int64(exactly: seconds).map(SQLValue.integer) ?? seconds.sqlValue
        }
    }

    /// An `INTEGER` or a `REAL`.
    public init(column: borrowing Column) throws {
        guard column.kind == .integer || column.kind == .real else { throw column.mismatch(UnixTime.self) }
        date = Date(timeIntervalSince1970: column.rawReal)
    }
}
