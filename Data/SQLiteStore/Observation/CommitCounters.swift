internal import CSQLite

/// The commit counters of a connection's files, read without a transaction. Commits of all connections and processes
/// count.
///
/// In WAL mode the counter is in the wal-index, which is shared memory; otherwise it is the file change counter in the
/// file's header (https://www.sqlite.org/fileformat.html, 1.3.7).
final class CommitCounters {
    /// Owns the memory of the counters.
    let connection: Connection
    private var counters: [Counter]

    private enum Counter {
        case index(UnsafePointer<UInt32>)
        case header(name: String)
        /// Neither can be read, as with some virtual file systems.
        case none
    }

    /// Locates the counters of the main database and of attached ones. `connection` must not be used for anything else.
    init(_ connection: Connection) throws {
        self.connection = connection
        let names = try connection.fetchAll(
            String.self, "SELECT name FROM pragma_database_list WHERE name <> 'temp' ORDER BY seq")
        // Reading the counters must not wait for locks.
        connection.waitWhenBusy(for: .zero)
        counters = try names.map { name in try Self.counter(of: name, on: connection) }
    }

    private static func counter(of name: String, on connection: Connection) throws -> Counter {
        // The mode cannot change within a transaction. In other modes than WAL, accessing the wal-index would create it,
        // and SQLite would never close it.
        try connection.outermostTransaction(begin: "BEGIN DEFERRED") {
            _ = try connection.fetchOne(Int.self, "SELECT COUNT(*) FROM \(identifier: name).sqlite_schema")
            guard let header = header(of: name, on: connection) else { return .none }
            if !header.isInWALMode { return .header(name: name) }
            return csqlite_wal_counter(connection.handle, name).map(Counter.index) ?? .none
        }
    }

    /// Returns the current counts; each commit increments one of them. nil if a file cannot be read.
    func read() -> [UInt64]? {
        var counts: [UInt64] = []
        counts.reserveCapacity(counters.count)
        for (index, counter) in counters.enumerated() {
            switch counter {
            case .index(let count): counts.append(UInt64(csqlite_load(count)))
            case .header(let name):
                guard let header = Self.header(of: name, on: connection) else { return nil }
                // A wal-index that cannot be mapped yet is tried again by the next call.
                if header.isInWALMode, let counter = try? Self.counter(of: name, on: connection) {
                    // The next call reads the other counter, whose value almost certainly differs.
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
        // Bytes 18 and 19 are 2 in WAL mode; bytes 24 to 27 are the counter.
        var bytes: (UInt64, UInt64) = (0, 0)
        let code = withUnsafeMutableBytes(of: &bytes) { csqlite_read(connection.handle, name, $0.baseAddress, 12, 16) }
        // An empty file has no header.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_IOERR else { return nil }
        return withUnsafeBytes(of: bytes) { bytes in
            (bytes[2] == 2, UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
        }
    }
}
