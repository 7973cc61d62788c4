#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// An ID is stored as a `BLOB` of the 16 bytes of its UUID; SQLite orders it as `Identifier` does.
extension Identifier {
    /// The bytes to store.
    var bytes: [UInt8] {
        withUnsafeBytes(of: rawValue.uuid) { Array($0) }
    }

    /// Reads the ID in a column of `row`.
    init(_ row: borrowing Row, _ index: Int) throws {
        let uuid = try row.withColumn(index) { column in
            guard column.kind == .blob else { throw column.mismatch(Self.self) }
            return try column.withBlobBytes { bytes in
                guard bytes.count == 16 else { throw column.mismatch(Self.self, "is not 16 bytes long") }
                return UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self)
            }
        }
        self.init(UUID(uuid: uuid))
    }

    /// Reads the ID in a column of `row`; `nil` when the column is `NULL`.
    init?(ifPresent row: borrowing Row, _ index: Int) throws {
        if try row.withColumn(index, { $0.kind == .null }) { return nil }
        try self.init(row, index)
    }
}
