#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// An identity is stored as a `BLOB` of the 16 bytes of its UUID, whose order in SQLite is that of `Identifier`.
extension Identifier {
    /// The bytes to store.
    var bytes: [UInt8] {
        withUnsafeBytes(of: rawValue.uuid) { Array($0) }
    }

    /// The identity whose bytes are in a column of `row`.
    init(_ row: borrowing Row, _ index: Int) throws {
        let uuid = try row.withColumn(index) { column in
            guard column.kind == .blob else { throw column.mismatch(Self.self) }
            return try column.withBlobBytes { bytes in
                guard bytes.count == 16 else { throw column.mismatch(Self.self, "is not of 16 bytes") }
                return UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self)
            }
        }
        self.init(UUID(uuid: uuid))
    }

    /// The same, or `nil` where the column is `NULL`.
    init?(ifPresent row: borrowing Row, _ index: Int) throws {
        if try row.withColumn(index, { $0.kind == .null }) { return nil }
        try self.init(row, index)
    }
}
