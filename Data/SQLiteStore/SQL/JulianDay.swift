#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A date stored as a Julian day in UTC, for existing files that use this form: days since noon of November 24, 4714
/// BC, as in SQLite's `julianday`.
///
/// ```swift
/// let date = try db.fetchOne(JulianDay.self, "SELECT julianday('2024-05-01 12:00')")?.date
/// ```
///
/// A `Date` is stored as ISO 8601 text instead.
public struct JulianDay: Hashable, Codable, Sendable {
    /// The date.
    public var date: Date

    /// Wraps a date, to store it as a Julian day.
    public init(_ date: Date) {
        self.date = date
    }

    /// Creates a date from a Julian day, rounded to milliseconds, the precision of a `Double` of this size.
    public init(days: Double) {
        let milliseconds = ((days - Self.daysUntil1970) * 86_400_000).rounded()
        date = Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// The Julian day of the date.
    public var days: Double {
        date.timeIntervalSince1970 / 86_400 + Self.daysUntil1970
    }

    /// Decodes a Julian day from a single number; throws `DecodingError` if the decoder does not have one.
    public init(from decoder: any Decoder) throws {
        self.init(days: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Encodes the Julian day as a single number; rethrows the errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(days)
    }

    private static let daysUntil1970 = 2_440_587.5
}

extension JulianDay: SQLCodable {
    /// A `REAL`; throws ``SQLiteError`` for a date that is not a number.
    public var sqlValue: SQLValue {
        get throws { try days.sqlValue }
    }

    /// Reads a `REAL` or an `INTEGER`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything
    /// else.
    public init(column: borrowing Column) throws {
        guard column.kind == .integer || column.kind == .real else { throw column.mismatch(JulianDay.self) }
        self.init(days: column.rawReal)
    }
}
