#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A date in a column of Julian days, UTC, for files that have them so: days since noon of November 24, 4714 BC, as
/// SQLite's `julianday` counts them.
///
/// ```swift
/// let date = try db.fetchOne(JulianDay.self, "SELECT julianday('2024-05-01 12:00')")?.date
/// ```
///
/// A `Date` itself is stored as ISO 8601 text.
public struct JulianDay: Hashable, Codable, Sendable {
    /// The date.
    public var date: Date

    /// The date, to be stored as Julian days.
    public init(_ date: Date) {
        self.date = date
    }

    /// The date of so many Julian days, to the millisecond: more is not in a number of this size.
    public init(days: Double) {
        let milliseconds = ((days - Self.daysUntil1970) * 86_400_000).rounded()
        date = Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// The number of Julian days.
    public var days: Double {
        date.timeIntervalSince1970 / 86_400 + Self.daysUntil1970
    }

    /// Reads Julian days.
    public init(from decoder: any Decoder) throws {
        self.init(days: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes Julian days.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(days)
    }

    private static let daysUntil1970 = 2_440_587.5
}

extension JulianDay: SQLCodable {
    /// `REAL`.
    public var sqlValue: SQLValue {
        get throws { try days.sqlValue }
    }

    /// A `REAL` or an `INTEGER`.
    public init(column: borrowing Column) throws {
        guard column.kind == .integer || column.kind == .real else { throw column.mismatch(JulianDay.self) }
        self.init(days: column.rawReal)
    }
}
