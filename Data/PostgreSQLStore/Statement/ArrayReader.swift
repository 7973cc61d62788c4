#if PostgreSQL
    /// Reads the binary form of a one-dimensional array.
    struct ArrayReader {
        private let result: OpaquePointer
        /// Retained by the caller that created the row, which outlives the reader of its column.
        private let statement: Unmanaged<Statement>
        private let index: Int
        private let element: TypeID
        private let elements: UnsafeRawBufferPointer
        let count: Int

        /// Returns nil if the column does not hold an array of at most one dimension.
        init?(_ column: borrowing Column) {
            (result, statement, index) = (column.result, column.statement, column.index)
            guard let bytes = column.bytes, column.type.element != nil || column.type.isOwn, bytes.count >= 12 else {
                return nil
            }
            func field(_ number: Int) -> UInt32 {
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: number * 4, as: UInt32.self))
            }
            // A value of another type that the database defines, such as a row, can begin with the same number.
            guard field(1) <= 1 else { return nil }
            element = TypeID(rawValue: field(2))
            switch field(0) {
            case 0 where bytes.count == 12:
                count = 0
                elements = UnsafeRawBufferPointer(start: nil, count: 0)
            case 1 where bytes.count >= 20 && Int(field(3)) <= (bytes.count - 20) / 4:
                count = Int(field(3))
                elements = UnsafeRawBufferPointer(rebasing: bytes[20...])
            default: return nil
            }
        }

        /// Calls `body` with each element.
        ///
        /// - Throws: The errors of `body`; ``PostgreSQLError`` with `.mismatch` if the value ends within an element.
        func forEach(_ body: (borrowing Column) throws -> Void) throws {
            var position = 0
            for _ in 0..<count {
                guard position + 4 <= elements.count else { throw Self.truncated }
                let length = Int(Int32(bigEndian: elements.loadUnaligned(fromByteOffset: position, as: Int32.self)))
                position += 4
                guard length <= elements.count - position else { throw Self.truncated }
                let bytes = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: elements[position..<position + length])
                position += max(length, 0)
                try body(Column(result: result, statement: statement, index: index, type: element, bytes: bytes))
            }
        }

        private static var truncated: PostgreSQLError {
            PostgreSQLError(.mismatch, "the value of a column is not an array")
        }
    }
#endif
