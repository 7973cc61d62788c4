internal import SQLiteStore
import TravelDomain

/// Prepares a database file before its first use.
enum TravelFile {
    /// Rejects a file that belongs to another application, and configures the connection.
    static func prepare(_ db: Connection) throws {
        let id = try db.fetchOne(Int32.self, "PRAGMA application_id") ?? 0
        let isEmpty = try db.fetchOne(Bool.self, "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)") ?? false
        guard id == TravelSchema.applicationID || id == 0 && isEmpty else {
            throw TravelError.unavailable(
                .init(
                    "The file is a SQLite database, but not a travel database: choose another path.",
                    cause: .notATravelDatabase, canRetry: false)
            )
        }
        // Keeps statement journals in memory; in a file, they double the time of each insertion.
        try db.execute("PRAGMA temp_store = MEMORY")
        // In KiB. The file is not memory-mapped, because overwriting a mapped file would terminate the process.
        try db.execute("PRAGMA cache_size = -16384")
        // In pages. A checkpoint is part of the write after which the log is longer than this: with 1,000 pages, the
        // default, a few writes would take ten times longer than all others, and write 4 MB.
        try db.execute("PRAGMA wal_autocheckpoint = 32")
    }
}
