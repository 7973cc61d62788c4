internal import DatabaseAccess

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How the columns of a record hold dates, UUIDs and data: stated once, for reading and writing.
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
/// Values within JSON are as `JSONEncoder` writes them.
public struct ColumnCoding: Hashable, Sendable {
    public enum Dates: Hashable, Sendable {
        /// `TEXT` such as `2024-05-01T12:34:56.789012345Z`, as any `Date` that is bound.
        case iso8601
        /// A number of seconds, `REAL`, also read from an `INTEGER`. Equal after reading to about a microsecond.
        case secondsSince1970
        /// An `INTEGER`, rounded to the nearest millisecond.
        case millisecondsSince1970
    }

    public enum UUIDs: Hashable, Sendable {
        /// `TEXT` of 36 characters in upper case, as any `UUID` that is bound.
        case text
        /// A `BLOB` of 16 bytes.
        case bytes
    }

    public enum DataForm: Hashable, Sendable {
        /// A `BLOB`, as any `Data` that is bound.
        case bytes
        /// `TEXT`.
        case base64
    }

    public var dates: Dates
    /// How UUIDs are written; both forms are read.
    public var uuids: UUIDs
    public var data: DataForm

    /// Creates a coding; by default that of values which are bound in SQL.
    public init(dates: Dates = .iso8601, uuids: UUIDs = .text, data: DataForm = .bytes) {
        (self.dates, self.uuids, self.data) = (dates, uuids, data)
    }
}

extension ColumnCoding {
    func sqlValue(of date: Date) throws -> SQLValue {
        switch dates {
        case .iso8601: return try date.sqlValue
        case .secondsSince1970: return try date.timeIntervalSince1970.sqlValue
        case .millisecondsSince1970:
            guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
                throw SQLiteError(.mismatch, "a Date with more milliseconds than an INTEGER holds cannot be stored")
            }
            return .integer(milliseconds)
        }
    }

    func date(in column: borrowing Column) throws -> Date {
        switch dates {
        case .iso8601: return try Date(column: column)
        case .secondsSince1970:
            guard column.kind == .real || column.kind == .integer else { throw column.mismatch(Date.self) }
            return Date(timeIntervalSince1970: column.rawReal)
        case .millisecondsSince1970:
            guard column.kind == .integer else { throw column.mismatch(Date.self) }
            return Date(timeIntervalSince1970: Double(column.rawInteger) / 1000)
        }
    }

    func sqlValue(of uuid: UUID) -> SQLValue {
        switch uuids {
        case .text: uuid.sqlValue
        case .bytes: .blob(withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) })
        }
    }

    func sqlValue(of data: Data) -> SQLValue {
        switch self.data {
        case .bytes: data.sqlValue
        case .base64: .text(data.base64EncodedString())
        }
    }

    func data(in column: borrowing Column) throws -> Data {
        switch data {
        case .bytes: return try Data(column: column)
        case .base64:
            guard let data = Data(base64Encoded: try String(column: column)) else {
                throw column.mismatch(Data.self, "is not valid Base64")
            }
            return data
        }
    }
}
