#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A date stored as seconds since 1970 in UTC, for existing files that use this form.
///
/// ```swift
/// try db.execute("UPDATE visits SET at = \(UnixTime(.now)) WHERE id = \(id)")
/// let date = try db.fetchOne(UnixTime.self, "SELECT at FROM visits WHERE id = \(id)")?.date
/// ```
///
/// Whole seconds are exact. Others are rounded to the precision of a `Double` of this size, which is coarser than that
/// of `Date`: to multiples of 2⁻²² seconds, 0.24 microseconds, from 2004 to 2038. What was read is written back
/// unchanged. A `Date` is stored as ISO 8601 text instead, which preserves nanoseconds.
public struct UnixTime: Hashable, Codable, Sendable {
    /// The date.
    public var date: Date

    /// Wraps a date, to store it as seconds since 1970.
    public init(_ date: Date) {
        self.date = date
    }

    /// Decodes seconds since 1970 from a single number; throws `DecodingError` if the decoder does not have one.
    public init(from decoder: any Decoder) throws {
        date = Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Encodes seconds since 1970 as a single number; rethrows the errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.timeIntervalSince1970)
    }
}

extension UnixTime: SQLCodable {
    /// An `INTEGER` for whole seconds, otherwise a `REAL`; throws ``SQLiteError`` for a date that is not a number.
    public var sqlValue: SQLValue {
        get throws {
            let seconds = date.timeIntervalSince1970
            return try Int64(exactly: seconds).map(SQLValue.integer) ?? seconds.sqlValue
        }
    }

    /// Reads an `INTEGER` or a `REAL`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything
    /// else.
    public init(column: borrowing Column) throws {
        guard column.kind == .integer || column.kind == .real else { throw column.mismatch(UnixTime.self) }
        date = Date(timeIntervalSince1970: column.rawReal)
    }
}
