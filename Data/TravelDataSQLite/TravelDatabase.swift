internal import SQLiteStore
import TravelDomain

/// A travel database: one SQLite file, and the repositories that keep their values in it.
///
/// ```swift
/// let database = try await TravelDatabase.open(path: "/home/mina/travels.db")
/// let search = SearchTravels(travels: database.travels)
/// ```
///
/// The file may be open in several processes at once. It closes with the last reference to any of its repositories, or
/// at ``close()``.
public struct TravelDatabase: Sendable {
    /// The travels in it.
    public let travels: SQLiteTravelRepository
    /// The keywords searched for lately.
    public let recentKeywords: SQLiteRecentKeywordRepository
    /// Who is signed in on this device, and who the device belongs to.
    public let session: SQLiteSession
    let database: Database

    /// Opens the file at `path`, creating it where there is none and bringing its tables up to date.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the file is no travel database, comes from a newer version of this
    ///   library (both are left untouched), or cannot be opened; `CancellationError`.
    public static func open(path: String) async throws -> TravelDatabase {
        try await open(.file(path))
    }

    /// A new database in the system's temporary directory, gone when it is closed.
    public static func temporary() async throws -> TravelDatabase {
        try await open(.temporary)
    }

    /// The same, with searches that change their way elsewhere.
    package static func temporary(effort: SearchEffort) async throws -> TravelDatabase {
        try await open(.temporary, effort: effort)
    }

    /// Lets the work under way end, and closes the file. What is asked for afterwards is unavailable.
    public func close() async {
        await database.close()
    }

    private static func open(_ location: Database.Location, effort: SearchEffort = SearchEffort()) async throws
        -> TravelDatabase
    {
        let configuration = Database.Configuration().with {
            // What was written survives a loss of power; what is temporary need not.
            $0.synchronous = location == .temporary ? .normal : .full
            $0.prepare = { try TravelFile.prepare($0) }
        }
        return try await mappingErrors {
            let database = try await Database.open(
                location, configuration: configuration, migrations: TravelSchema.migrations)
            return TravelDatabase(
                travels: SQLiteTravelRepository(database, effort: effort),
                recentKeywords: SQLiteRecentKeywordRepository(database), session: SQLiteSession(database),
                database: database)
        }
    }
}
