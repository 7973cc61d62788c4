internal import SQLiteStore
import TravelDomain

/// The schema of a device file, and the application ID that distinguishes it from other SQLite files.
enum DeviceSchema {
    /// The `PRAGMA application_id` that identifies a SQLite file as a device file: "TRVD" in ASCII.
    static let applicationID: Int32 = 0x5452_5644

    static let migrations = [
        Migration(
            "sessions and recent keywords",
            script: """
                CREATE TABLE session (
                    key INTEGER PRIMARY KEY,
                    place TEXT NOT NULL UNIQUE,
                    device BLOB CHECK (length(device) = 16),
                    user BLOB CHECK (length(user) = 16),
                    expires_at REAL CHECK (expires_at IS NULL OR user IS NOT NULL)
                ) STRICT;
                CREATE TABLE recent_keyword (
                    position INTEGER PRIMARY KEY CHECK (position BETWEEN 0 AND 14),
                    text TEXT NOT NULL CHECK (length(text) >= 1)
                ) STRICT;
                PRAGMA application_id = 0x54525644;
                """)
    ]

    /// Rejects a file that belongs to another application.
    static func prepare(_ db: Connection) throws {
        let id = try db.fetchOne(Int32.self, "PRAGMA application_id") ?? 0
        let isEmpty = try db.fetchOne(Bool.self, "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)") ?? false
        guard id == applicationID || id == 0 && isEmpty else {
            throw TravelError.unavailable(
                .init(
                    "The file of this device is another SQLite database: move it away.", cause: .notATravelDatabase,
                    canRetry: false))
        }
    }
}
