#if PostgreSQL
    public import CPostgreSQL

    /// A column of the current row, from which `SQLDecodable` types are read.
    ///
    /// It is valid as long as the row; the compiler prevents it from escaping.
    ///
    /// ```swift
    /// try db.forEach("SELECT value FROM settings") { row in
    ///     try row.withColumn(0) { column in print(column.name, column.typeName) }    // value text
    /// }
    /// ```
    public struct Column: ~Copyable {
        @usableFromInline
        let result: OpaquePointer
        /// Retained by the caller that created the row.
        @usableFromInline
        let statement: Unmanaged<Statement>
        @usableFromInline
        let type: TypeID
        /// The binary form of the value; nil for `NULL`.
        @usableFromInline
        let bytes: UnsafeRawBufferPointer?

        /// The position of the column in the row, from 0.
        public let index: Int

        @inlinable
        init(
            result: OpaquePointer, statement: Unmanaged<Statement>, index: Int, type: TypeID,
            bytes: UnsafeRawBufferPointer?
        ) {
            (self.result, self.statement, self.index, self.type, self.bytes) = (result, statement, index, type, bytes)
        }

        @inlinable
        init(result: OpaquePointer, statement: Unmanaged<Statement>, row: Int32, index: Int) {
            let position = Int32(truncatingIfNeeded: index)
            let count = PQgetlength(result, row, position)
            // NULL has the length 0.
            let isNull = count == 0 && PQgetisnull(result, row, position) != 0
            self.init(
                result: result, statement: statement, index: index, type: TypeID(rawValue: PQftype(result, position)),
                bytes: isNull
                    ? nil : UnsafeRawBufferPointer(start: PQgetvalue(result, row, position), count: Int(count)))
        }
    }

    extension Column {
        /// Whether the value in this row is `NULL`.
        @inlinable
        public var isNull: Bool { bytes == nil }

        /// The name of the column, or its `AS` alias.
        public var name: String {
            PQfname(result, Int32(index)).map { String(cString: $0) } ?? ""
        }

        /// The object identifier of the column's type, as in `pg_type`. Domains have the type that they are based on.
        public var typeOID: UInt32 { type.rawValue }

        /// The name of the column's type, such as `timestamptz`.
        public var typeName: String { type.description }

        /// Calls `body` with the binary form of the value, which is valid only during the call. `NULL` is a mismatch.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch` for `NULL`; the errors of `body`.
        public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
            guard let bytes else { throw mismatch(UnsafeRawBufferPointer.self) }
            return try body(bytes)
        }

        /// Calls `body` with the UTF-8 bytes of a text or of JSON; returns nil for a value of another type, and for
        /// `NULL`.
        func withText<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result? {
            guard let bytes else { return nil }
            if type.isText { return try body(bytes) }
            // The first byte is the version of the format.
            if type == .jsonb { return try body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst())) }
            // The binary form of an enumeration, and of many types of extensions, is its text.
            if type.isOwn, !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil {
                return try body(bytes)
            }
            return nil
        }

        /// Returns the error for a column that holds no value of the type `expected`.
        ///
        /// Its message is, for example, `column 3 "budget": expected Int, found NULL`. A `detail` follows the type:
        /// `found bigint, which is out of range`. The message does not contain the value.
        @inline(never)
        public func mismatch(_ expected: any Any.Type, _ detail: String? = nil) -> PostgreSQLError {
            PostgreSQLError(
                .mismatch,
                "column \(index) \"\(name)\": expected \(expected), found \(isNull ? "NULL" : typeName)"
                    + (detail.map { ", which \($0)" } ?? ""),
                sql: statement.takeUnretainedValue().sql)
        }

        /// The value of an integer type; nil for another type, and for `NULL`.
        @inlinable
        var integer: Int64? {
            guard let bytes else { return nil }
            switch type {
            case .bigint: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case .integer: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case .smallint: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            case .oid: return Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
            default: return nil
            }
        }

        /// The value of a floating-point type, or of an integer type as the nearest number; nil for another type, and
        /// for `NULL`.
        @inlinable
        var real: Double? {
            guard let bytes else { return nil }
            switch type {
            case .double: return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
            case .real: return Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
            default: return integer.map(Double.init)
            }
        }

        /// The value as a `numeric`; nil if it has another type or is not finite, and for `NULL`.
        var numeric: Numeric? {
            guard let bytes, type == .numeric else { return nil }
            return Numeric(bytes: bytes)
        }
    }
#endif
