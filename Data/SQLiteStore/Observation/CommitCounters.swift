internal import CSQLite

/// How often the files of a connection have been changed, by whomever, read without a transaction.
///
/// In WAL mode that is a number in the wal-index, which all connections share in memory; otherwise it is the file change
/// counter in the header of the file (https://www.sqlite.org/fileformat.html, 1.3.7).
final class CommitCounters {
    /// Keeps what the counters lie in.
    let connection: Connection
    private var counters: [Counter]

    private enum Counter {
        case index(UnsafePointer<UInt32>)
        case header(name: String)
        /// Neither can be read, as with some virtual file systems.
        case none
    }

    /// Those of the main database and of what is attached to it. Nothing else must be run on `connection`.
    init(_ connection: Connection) throws {
        self.connection = connection
        let names = try connection.fetchAll(
            String.self, "SELECT name FROM pragma_database_list WHERE name <> 'temp' ORDER BY seq")
        // Nobody waits while the counters are read.
        connection.waitWhenBusy(for: .zero)
        counters = try names.map { name in try Self.counter(of: name, on: connection) }
    }

    private static func counter(of name: String, on connection: Connection) throws -> Counter {
        // The first read maps the wal-index.
        _ = try connection.fetchOne(Int.self, "SELECT COUNT(*) FROM \(identifier: name).sqlite_schema")
        guard let header = header(of: name, on: connection) else { return .none }
        if !header.isInWALMode { return .header(name: name) }
        return csqlite_wal_counter(connection.handle, name).map(Counter.index) ?? .none
    }

    /// The counts now, each of which a commit increases by one; nil if a file cannot be read.
    func read() -> [UInt64]? {
        var counts: [UInt64] = []
        counts.reserveCapacity(counters.count)
        for (index, counter) in counters.enumerated() {
            switch counter {
            case .index(let count): counts.append(UInt64(csqlite_load(count)))
            case .header(let name):
                guard let header = Self.header(of: name, on: connection) else { return nil }
                if header.isInWALMode, let counter = try? Self.counter(of: name, on: connection) {
                    // The next look reads the other counter, which is most probably another number.
                    counters[index] = counter
                }
                counts.append(UInt64(header.changeCounter))
            case .none: counts.append(0)
            }
        }
        return counts
    }

    private static func header(
        of name: String, on connection: Connection
    ) -> (isInWALMode: Bool, changeCounter: UInt32)? {
        // Bytes 18 and 19 are 2 in WAL mode; 24 to 27 are the counter.
        var bytes: (UInt64, UInt64) = (0, 0)
        let code = withUnsafeMutableBytes(of: &bytes) { csqlite_read(connection.handle, name, $0.baseAddress, 12, 16) }
        // An empty file has no header.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_IOERR else { return nil }
        return withUnsafeBytes(of: bytes) { bytes in
            (bytes[2] == 2, UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
        }
    }
}
