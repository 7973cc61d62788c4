#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A `Date` is stored as `TEXT`: ISO 8601 in UTC with nine decimals, such as `2024-05-01T12:34:56.789012345Z`.
///
/// The texts sort in the order of the dates, and SQLite's date functions accept them. The text preserves nanoseconds,
/// which is finer than the precision of `Date` in this century.
extension Date: SQLCodable {
    /// The text; a year outside 0000...9999 is an error.
    public var sqlValue: SQLValue {
        get throws {
            guard let text = ISO8601Text.text(of: self) else {
                throw SQLiteError(.mismatch, "a Date outside the years 0000 to 9999 cannot be stored")
            }
            return .text(text)
        }
    }

    /// Reads the stored form, and shorter ones: with fewer or no decimals, without seconds, without a time, with a
    /// space in place of `T`, and with an offset such as `+09:00` in place of `Z`. Without an offset the time is UTC,
    /// as in SQLite's `CURRENT_TIMESTAMP`. Throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for
    /// anything else.
    public init(column: borrowing Column) throws {
        guard column.kind == .text else { throw column.mismatch(Date.self) }
        guard let date = try column.withTextBytes(ISO8601Text.date(of:)) else {
            throw column.mismatch(Date.self, "is not an ISO 8601 date")
        }
        self = date
    }
}
