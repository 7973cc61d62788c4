#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension UUID: SQLCodable {
    /// A `TEXT` of 36 characters in upper case, such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public var sqlValue: SQLValue { .text(uuidString) }

    /// Reads a `TEXT` of 36 characters in either case, or a `BLOB` of 16 bytes; throws ``SQLiteError`` with the code
    /// ``SQLiteError/Code/mismatch`` for anything else.
    public init(column: borrowing Column) throws {
        switch column.kind {
        case .text:
            guard let uuid = UUID(uuidString: try String(column: column)) else {
                throw column.mismatch(UUID.self, "is not a UUID of 36 characters")
            }
            self = uuid
        case .blob:
            let bytes = try column.withBlobBytes { bytes in
                bytes.count == 16 ? UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self) : nil
            }
            guard let bytes else { throw column.mismatch(UUID.self, "does not have 16 bytes") }
            self = UUID(uuid: bytes)
        default:
            throw column.mismatch(UUID.self)
        }
    }
}
