internal import SQLiteStore
import TravelDomain

/// What is done with a file before its first use.
enum TravelFile {
    /// Refuses a file that belongs to something else, and sets up the connection.
    static func prepare(_ db: Connection) throws {
        let id = try db.fetchOne(Int32.self, "PRAGMA application_id") ?? 0
        let isEmpty = try db.fetchOne(Bool.self, "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)") ?? false
        guard id == TravelSchema.applicationID || id == 0 && isEmpty else {
            throw TravelError.unavailable(
                .init("The file is a SQLite database, but no travel database: choose another path.", canRetry: false))
        }
        // What a statement would undo is kept in memory: in a file, it doubles the time of each insertion.
        try db.execute("PRAGMA temp_store = MEMORY")
        // In KiB. The file is not mapped into memory, where one that is overwritten would end the process.
        try db.execute("PRAGMA cache_size = -16384")
    }
}
