public import DatabaseAccess

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ColumnCoding.Dates {
    /// The standard form: `TEXT` such as `2024-05-01T12:34:56.789012345Z`, as any `Date` that is bound.
    public static var iso8601: Self { .standard }
}

extension ColumnCoding {
    func sqlValue(of date: Date) throws -> SQLValue {
        switch dates {
        case .standard: return try date.sqlValue
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
        case .standard: return try Date(column: column)
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
        case .standard, .text: uuid.sqlValue
        case .bytes: .blob(withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) })
        }
    }

    func sqlValue(of data: Data) -> SQLValue {
        switch self.data {
        case .bytes: data.sqlValue
        case .base64: .text(data.base64EncodedString())
        }
    }

    /// A value that was passed as a key, as the column of the record holds it.
    func sqlValue(ofKey value: some SQLBindable) throws -> SQLValue {
        switch value {
        case let date as Date: try sqlValue(of: date)
        case let uuid as UUID: sqlValue(of: uuid)
        case let data as Data: sqlValue(of: data)
        default: try value.sqlValue
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

extension SQL.StringInterpolation {
    /// Appends a parameter: the date as the columns of a record with this coding hold it.
    ///
    /// ```swift
    /// "SELECT * FROM visits WHERE arrived_at >= \(midnight, coding: Visit.coding)"
    /// ```
    public mutating func appendInterpolation(_ date: Date?, coding: ColumnCoding) {
        append(date, coding.sqlValue(of:))
    }

    /// Appends a parameter: the UUID as the columns of a record with this coding hold it.
    public mutating func appendInterpolation(_ uuid: UUID?, coding: ColumnCoding) {
        append(uuid, coding.sqlValue(of:))
    }

    /// Appends a parameter: the data as the columns of a record with this coding hold it.
    public mutating func appendInterpolation(_ data: Data?, coding: ColumnCoding) {
        append(data, coding.sqlValue(of:))
    }

    private mutating func append<Value>(_ value: Value?, _ convert: (Value) throws -> SQLValue) {
        do {
            sql.append(try value.map(convert) ?? .null)
        } catch {
            sql.append(SQL.Object.failure(error))
        }
    }
}
