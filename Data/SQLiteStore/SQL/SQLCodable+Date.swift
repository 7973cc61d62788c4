#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A `Date` is `TEXT`, ISO 8601 in UTC with nine decimals: `2024-05-01T12:34:56.789012345Z`.
///
/// The order of the text is the order of the time, and SQLite's own date functions read it. A date comes back as it
/// went in, to the nanosecond, which is finer than a `Date` of this century is.
extension Date: SQLCodable {
    /// The text; a year outside of 0000...9999 is an error.
    public var sqlValue: SQLValue {
        get throws {
            guard let text = ISO8601Text.text(of: self) else {
                throw SQLiteError(.mismatch, "a Date outside of the years 0000 to 9999 cannot be stored")
            }
            return .text(text)
        }
    }

    /// Reads the form above and its shorter ones: without decimals or with fewer, without seconds, without a time,
    /// with a space for the `T`, with an offset such as `+09:00` for the `Z`. Without either it is UTC, as in
    /// SQLite's `CURRENT_TIMESTAMP`.
    public init(column: borrowing Column) throws {
        guard column.kind == .text else { throw column.mismatch(Date.self) }
        guard let date = try column.withTextBytes(ISO8601Text.date(of:)) else {
            throw column.mismatch(Date.self, "is not ISO 8601")
        }
        self = date
    }
}
