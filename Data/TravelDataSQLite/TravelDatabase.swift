#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
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
/// at ``close()``. Images are files in a folder beside it, called after it with `-images` at the end: who moves one moves
/// both, and ``backup(to:)`` copies both.
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
        try await open(path: path, imageFiles: SystemFiles())
    }

    /// A new database in the system's temporary directory, gone when it is closed.
    public static func temporary() async throws -> TravelDatabase {
        try await open(.temporary)
    }

    /// The same as ``open(path:)``, on other files than the system's: `fileSystem` is the name of the virtual one that
    /// SQLite is to use.
    package static func open(
        path: String, imageFiles: any ImageFiles, fileSystem: String? = nil
    ) async throws -> TravelDatabase {
        try await open(.file(path), imageFiles: imageFiles, fileSystem: fileSystem)
    }

    /// A temporary one, with searches that change their way elsewhere.
    package static func temporary(effort: SearchEffort) async throws -> TravelDatabase {
        try await open(.temporary, effort: effort)
    }

    /// Lets the work under way end, and closes the file. What is asked for afterwards is unavailable.
    public func close() async {
        await database.close()
        travels.imageFolder.close()
    }

    private static func open(
        _ location: Database.Location, imageFiles: any ImageFiles = SystemFiles(), fileSystem: String? = nil,
        effort: SearchEffort = SearchEffort()
    ) async throws -> TravelDatabase {
        let configuration = Database.Configuration().with {
            // What was written survives a loss of power; what is temporary need not.
            $0.synchronous = location == .temporary ? .normal : .full
            $0.fileSystem = fileSystem
            $0.journalMode = .writeAheadLog
            $0.prepare = { try TravelFile.prepare($0) }
        }
        return try await mappingErrors {
            let database = try await Database.open(
                location, configuration: configuration, migrations: TravelSchema.migrations)
            let imageFolder = try await imageFolder(of: database, in: imageFiles)
            return TravelDatabase(
                travels: SQLiteTravelRepository(database, imageFolder: imageFolder, effort: effort),
                recentKeywords: SQLiteRecentKeywordRepository(database), session: SQLiteSession(database),
                database: database)
        }
    }

    /// The folder of the database's images, without what an earlier process left there when it ended early.
    private static func imageFolder(of database: Database, in files: any ImageFiles) async throws -> ImageFolder {
        guard database.location != .temporary else {
            let name = "travel-images-\(ImageFile.ID())"
            return ImageFolder(
                path: FileManager.default.temporaryDirectory.appending(path: name).path, isTemporary: true, files: files
            )
        }
        // By the name that links lead to, as SQLite calls its own files: one database has one folder.
        let path = try await database.read { db in
            try db.fetchOne(String.self, "SELECT file FROM pragma_database_list WHERE name = 'main'")
        }
        let folder = ImageFolder(path: "\(path ?? "")-images", isTemporary: false, files: files)
        try await folder.sweep(database)
        return folder
    }
}
