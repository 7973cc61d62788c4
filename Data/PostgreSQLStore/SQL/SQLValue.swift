#if PostgreSQL
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// A value that can be bound to a parameter.
    ///
    /// The server infers the type of each parameter from the statement, and the library sends the value in the binary
    /// form of that type. A value that the type cannot hold is an error; for a `real`, the nearest number is sent.
    ///
    /// ```swift
    /// extension Distance: SQLBindable {
    ///     var sqlValue: SQLValue { .real(metres) }
    /// }
    /// ```
    public enum SQLValue: Hashable, Sendable {
        /// `NULL`, for a parameter of any type.
        case null
        /// For `boolean`.
        case boolean(Bool)
        /// For `smallint`, `integer`, `bigint`, `oid`, `numeric`, `real` and `double precision`.
        case integer(Int64)
        /// For `double precision` and `real`.
        case real(Double)
        /// For `numeric`.
        case decimal(Decimal)
        /// For `text`, `varchar`, `char`, `name`, `json`, `jsonb` and `xml`, and for types of the database such as
        /// enumerations.
        case text(String)
        /// For `bytea`.
        case bytes([UInt8])
        /// For `uuid`.
        case uuid(UUID)
        /// For `timestamptz`, and for `timestamp` as the time in UTC.
        case date(Date)
        /// For a one-dimensional array.
        case array([SQLValue])
    }

    extension SQLValue: SQLBindable {
        /// The value itself.
        @inlinable
        public var sqlValue: SQLValue { self }
    }

    extension SQLValue {
        /// The name of the case, for messages.
        var kind: String {
            switch self {
            case .null: "NULL"
            case .boolean: "a Boolean value"
            case .integer: "an integer"
            case .real: "a floating point number"
            case .decimal: "a decimal number"
            case .text: "a text"
            case .bytes: "bytes"
            case .uuid: "a UUID"
            case .date: "a date"
            case .array: "an array"
            }
        }
    }
#endif
