internal import CSQLite

/// The header of a database file: https://www.sqlite.org/fileformat.html, 1.3.
struct FileHeader: Equatable {
    /// 100 bytes of the file, and zeros; zero behind the end of a shorter file. Not an array, which would be allocated.
    private var words = SIMD16<UInt64>()

    init(_ connection: Connection, _ name: String, _ path: String) throws {
        let code = name.withCString { name in
            withUnsafeMutableBytes(of: &words) { csqlite_read(connection.handle, name, $0.baseAddress, 100, 0) }
        }
        // A file without any checkpoint is too short for a header.
        if code != SQLITE_IOERR | (2 << 8) { try Self.check(code, path) }
    }

    static func check(_ code: Int32, _ path: String) throws {
        guard code != SQLITE_OK else { return }
        throw SQLiteError(
            SQLiteError.Code(rawValue: code), "cannot read \(path): \(String(cString: sqlite3_errstr(code)))")
    }

    /// Whether these are the bytes that SQLite writes: a new file has none, and those of an encrypted one differ.
    var isReadable: Bool { withUnsafeBytes(of: words) { $0.starts(with: "SQLite format 3\0".utf8) } }

    var isInWALMode: Bool { isReadable && hasWALVersions }

    /// Some encrypted files have readable versions, too.
    var hasWALVersions: Bool { withUnsafeBytes(of: words) { $0[18] == 2 && $0[19] == 2 } }

    var changeCounter: UInt32 {
        UInt32(bigEndian: withUnsafeBytes(of: words) { $0.loadUnaligned(fromByteOffset: 24, as: UInt32.self) })
    }
}

/// The part of the wal-index that describes the log and its checkpoints: https://www.sqlite.org/walformat.html.
struct LogIndex {
    /// As in the header of the log, bytes 16 to 23.
    let salts: UInt64
    let frameCount: UInt32
    private let pageSize: UInt16
    /// The number of frames that are in the database file, and of those that a checkpoint has begun to move.
    let done: UInt32
    let attempted: UInt32

    /// Call this only in WAL mode, within a transaction or directly after one.
    init?(_ connection: Connection, _ name: String) {
        guard let counter = name.withCString({ csqlite_wal_counter(connection.handle, $0) }) else { return nil }
        // The counter is at byte 8. The fields are at bytes 14, 16, 32, 96 and 128.
        func word(at byte: Int) -> UInt32 { csqlite_load(counter + (byte - 8) / 4) }
        pageSize = withUnsafeBytes(of: word(at: 12)) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
        frameCount = word(at: 16)
        salts = withUnsafeBytes(of: (word(at: 32), word(at: 36))) { $0.loadUnaligned(as: UInt64.self) }
        (done, attempted) = (word(at: 96), word(at: 128))
    }

    func isSameCheckpoint(as other: LogIndex) -> Bool {
        salts == other.salts && done == other.done && attempted == other.attempted
    }

    /// The size of a log with all frames. A page size of 65,536 is stored as 1.
    var logSize: Int64 { 32 + Int64(frameCount) * (24 + (pageSize == 1 ? 65_536 : Int64(pageSize))) }
}
