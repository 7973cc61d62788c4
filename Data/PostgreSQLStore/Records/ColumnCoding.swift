#if PostgreSQL
public import DatabaseAccess

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ColumnCoding.Dates {
    /// The standard form: `timestamptz`, to the nearest microsecond, or `timestamp`, as any `Date` that is bound.
    public static var timestamptz: Self { .standard }
}

extension ColumnCoding.UUIDs {
    /// The standard form: `uuid`, as any `UUID` that is bound.
    public static var uuid: Self { .standard }
}

extension ColumnCoding {
    func sqlValue(of date: Date) throws -> SQLValue {
        switch dates {
        case .standard: return .date(date)
        case .secondsSince1970: return .real(date.timeIntervalSince1970)
        case .millisecondsSince1970:
            guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
                throw PostgreSQLError(.mismatch, "a Date with more milliseconds than a bigint holds cannot be stored")
            }
            return .integer(milliseconds)
        }
    }

    func date(in column: borrowing Column) throws -> Date {
        switch dates {
        case .standard: return try Date(column: column)
        case .secondsSince1970:
            guard let seconds = column.real else { throw column.mismatch(Date.self) }
            return Date(timeIntervalSince1970: seconds)
        case .millisecondsSince1970:
            guard let milliseconds = column.integer else { throw column.mismatch(Date.self) }
            return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        }
    }

    func sqlValue(of uuid: UUID) -> SQLValue {
        switch uuids {
        case .standard: .uuid(uuid)
        case .text: .text(uuid.uuidString)
        case .bytes: .bytes(withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) })
        }
    }

    func uuid(in column: borrowing Column) throws -> UUID {
        switch column.type {
        case .bytea:
            guard let bytes = column.bytes, bytes.count == 16 else {
                throw column.mismatch(UUID.self, "does not have 16 bytes")
            }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        case let type where type.isText && !column.isNull:
            guard let uuid = UUID(uuidString: try String(column: column)) else {
                throw column.mismatch(UUID.self, "is not a UUID of 36 characters")
            }
            return uuid
        default: return try UUID(column: column)
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

    /// Whether a property of the type, which can be bound, is stored as JSON: a list as the coding states, and a list of
    /// lists, which no array holds.
    func isJSON(_ type: any Any.Type) -> Bool {
        guard let list = type as? any SQLList.Type, list.isList else { return false }
        return lists == .json || !list.isFlat
    }
}

/// An array, which may be a list of values.
protocol SQLList {
    /// Whether it is a list, and not the bytes of a `bytea`.
    static var isList: Bool { get }
    /// Whether it is no list of lists.
    static var isFlat: Bool { get }
}

extension Array: SQLList {
    static var isList: Bool { Element.self != UInt8.self }
    static var isFlat: Bool { (Element.self as? any SQLList.Type)?.isList != true }
}

extension Optional: SQLList where Wrapped: SQLList {
    static var isList: Bool { Wrapped.isList }
    static var isFlat: Bool { Wrapped.isFlat }
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
            sql.parts.append(.value(try value.map(convert) ?? .null))
        } catch {
            sql.parts.append(.failure(error))
        }
    }
}
#endif
