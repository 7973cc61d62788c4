internal import SQLiteStore
internal import TravelDataShared
import TravelDomain

/// The state of one device in a SQLite file of its own: the signed-in user, and the recent keywords.
///
/// Trips can be stored elsewhere, for example on a server that several devices share and that may be unreachable.
///
/// ```swift
/// let device = try await DeviceDatabase.open(path: "/home/mina/.local/share/trips/device.db")
/// let session = try await device.session(in: "postgresql://trips.example.org/travel").session
/// ```
///
/// Several processes can open the file at the same time. It closes with the last reference to any of its repositories,
/// or by ``close()``.
public struct DeviceDatabase: Sendable {
    /// The keywords of recent searches on this device, in all places.
    public let recentKeywords: SQLiteRecentKeywordRepository
    private let database: Database

    /// Opens the file at `path`; creates it if necessary, and migrates its schema. A file that cannot be written is
    /// opened for reading: changes throw `TravelError.unavailable`.
    ///
    /// - Throws: `TravelError.unavailable` when the file is something else or was written by a newer version of this
    ///   library (in both cases it is left unchanged), or when it cannot be opened; `CancellationError`.
    public static func open(path: String) async throws -> DeviceDatabase {
        let configuration = Database.Configuration().with {
            $0.synchronous = .full
            $0.journalMode = .writeAheadLog
            $0.prepare = { try DeviceSchema.prepare($0) }
        }
        return try await mappingErrors {
            let database = try await Database.openReadable(
                .file(path), configuration: configuration, migrations: DeviceSchema.migrations)
            return DeviceDatabase(recentKeywords: SQLiteRecentKeywordRepository(database), database: database)
        }
    }

    /// Waits for accesses in progress, and closes the file. Later calls throw `TravelError.unavailable`.
    public func close() async {
        await database.close()
    }

    /// Returns the session in a place where trips are stored, and whether this device uses the place for the first
    /// time.
    ///
    /// Each place has a session of its own, because the people of one are unknown in another.
    ///
    /// - Parameters:
    ///   - place: The name of the place, such as the path of a file or the address of a server, without a password.
    ///   - other: The name of the place from which the trips were moved: the first use copies its session.
    /// - Throws: `TravelError.unavailable` when the file cannot answer; `CancellationError`.
    public func session(
        in place: String, or other: String? = nil
    ) async throws -> (session: SQLiteSession, isNew: Bool) {
        let select: SQL = "SELECT key FROM session WHERE place = \(place)"
        if let key = try await database.readMappingErrors({ db in try db.fetchOne(Int64.self, select) }) {
            return (SQLiteSession(database, key: key), false)
        }
        let key = try await database.writeMappingErrors { db in
            // Another process may have been first.
            if let key = try db.fetchOne(Int64.self, select) { return key }
            try db.execute(
                """
                INSERT INTO session (place, user, expires_at) SELECT \(place), user, expires_at
                FROM (SELECT 1) LEFT JOIN session ON session.place = \(other)
                """)
            return db.lastInsertedRowID
        }
        return (SQLiteSession(database, key: key), true)
    }
}

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
        try db.requireApplication(
            applicationID, or: "The file of this device is another SQLite database: move it away.")
    }
}
