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
        try connection.outermostTransaction(begin: .beginDeferred) {
            _ = try connection.fetchOne(Int.self, "SELECT COUNT(*) FROM \(identifier: name).sqlite_schema")
            guard let header = try? FileHeader(connection, name, name) else { return .none }
            if !header.hasWALVersions { return .header(name: name) }
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
                guard let header = try? FileHeader(connection, name, name) else { return nil }
                // A wal-index that cannot be mapped yet is tried again by the next call.
                if header.hasWALVersions, let counter = try? Self.counter(of: name, on: connection) {
                    // The next call reads the other counter, whose value almost certainly differs.
                    counters[index] = counter
                }
                counts.append(UInt64(header.changeCounter))
            case .none: counts.append(0)
            }
        }
        return counts
    }
}
