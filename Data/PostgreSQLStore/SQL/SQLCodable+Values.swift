#if PostgreSQL
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension Bool: SQLCodable {
        /// A `boolean`.
        @inlinable
        public var sqlValue: SQLValue { .boolean(self) }

        /// Reads a `boolean`; anything else is a mismatch.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        public init(column: borrowing Column) throws {
            guard column.type == .boolean, let bytes = column.bytes, bytes.count == 1 else {
                throw column.mismatch(Bool.self)
            }
            self = bytes[0] != 0
        }
    }

    extension String: SQLCodable {
        /// A text. One with a NUL is an error when the statement is run.
        @inlinable
        public var sqlValue: SQLValue { .text(self) }

        /// Reads a `text`, `varchar`, `char`, `name`, `json`, `jsonb` or `xml`, and a type of the database whose binary
        /// form is a text, such as an enumeration; anything else is a mismatch.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        @inlinable
        public init(column: borrowing Column) throws {
            if column.type == .text || column.type == .varchar, let bytes = column.bytes {
                self = String(decoding: bytes, as: UTF8.self)
            } else {
                self = try column.otherText
            }
        }
    }

    extension Column {
        /// The text of a type other than the most frequent ones.
        @usableFromInline
        var otherText: String {
            get throws {
                guard let text = withText({ String(decoding: $0, as: UTF8.self) }) else { throw mismatch(String.self) }
                return text
            }
        }
    }

    extension UUID: SQLCodable {
        /// A `uuid`.
        @inlinable
        public var sqlValue: SQLValue { .uuid(self) }

        /// Reads a `uuid`; anything else is a mismatch.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        public init(column: borrowing Column) throws {
            guard column.type == .uuid, let bytes = column.bytes, bytes.count == 16 else {
                throw column.mismatch(UUID.self)
            }
            self = UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    extension Date: SQLCodable {
        /// A `timestamptz`, to the microsecond. A date outside the years 4714 BC to 294276 is an error when the
        /// statement is run.
        @inlinable
        public var sqlValue: SQLValue { .date(self) }

        /// Reads a `timestamptz`, or a `timestamp` as the time in UTC; anything else is a mismatch, and so is an
        /// infinite time.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        public init(column: borrowing Column) throws {
            guard column.type == .timestamptz || column.type == .timestamp, let bytes = column.bytes, bytes.count == 8
            else { throw column.mismatch(Date.self) }
            guard let date = Timestamp.date(microseconds: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))) else {
                throw column.mismatch(Date.self, "is infinite")
            }
            self = date
        }
    }

    extension Data: SQLCodable {
        /// A `bytea`.
        public var sqlValue: SQLValue { .bytes([UInt8](self)) }

        /// Reads a `bytea`; anything else is a mismatch.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        public init(column: borrowing Column) throws {
            guard column.type == .bytea, let bytes = column.bytes else { throw column.mismatch(Data.self) }
            self = Data(bytes)
        }
    }

    /// An array of bytes is a `bytea`, an array of any other type an array of the server.
    extension Array: SQLBindable where Element: SQLBindable {
        /// An array, or bytes.
        ///
        /// - Throws: The error of an element that cannot be converted.
        public var sqlValue: SQLValue {
            get throws {
                if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .bytes(bytes) }
                return .array(try map { try $0.sqlValue })
            }
        }
    }

    extension Array: SQLDecodable where Element: SQLDecodable {
        /// Reads a one-dimensional array, or a `bytea` as an array of bytes; anything else is a mismatch.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        public init(column: borrowing Column) throws {
            if Element.self == UInt8.self, column.type == .bytea, let bytes = column.bytes,
                let array = [UInt8](bytes) as? [Element]
            {
                self = array
                return
            }
            guard let reader = ArrayReader(column) else { throw column.mismatch(Self.self) }
            self = []
            reserveCapacity(reader.count)
            try reader.forEach { element in append(try Element(column: element)) }
        }
    }
#endif
