#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// A travel database: a SQLite file with the repositories that use it.
///
/// ```swift
/// let database = try await TravelDatabase.open(path: "/home/mina/travels.db")
/// let search = SearchTravels(travels: database.travels, session: database.session)
/// ```
///
/// Several processes can open the file at the same time. It closes with the last reference to any of its
/// repositories, or by ``close()``. Images are files in a folder beside it, with the same name and the suffix
/// `-images`: move both together, and copy them with ``backup(to:)``.
public struct TravelDatabase: Sendable {
    /// The repository of travels, people, images, reports and blocks.
    public let travels: SQLiteTravelRepository
    /// The repository of recent keywords.
    public let recentKeywords: SQLiteRecentKeywordRepository
    /// The session and the ID of this device.
    public let session: SQLiteSession
    let database: Database

    /// Opens the file at `path`; creates it if necessary, and migrates its schema.
    ///
    /// A file that cannot be written, as on a read-only medium, is opened for reading: changes throw
    /// `TravelError.unavailable`, and no other process may change the file meanwhile.
    ///
    /// - Throws: `TravelError.unavailable` when the file is not a travel database or was written by a newer version
    ///   of this library (in both cases it is left unchanged), or when it cannot be opened; `CancellationError`.
    public static func open(path: String) async throws -> TravelDatabase {
        try await open(path: path, imageFiles: SystemFiles())
    }

    /// Creates a database in the system's temporary directory, which is removed when it is closed.
    ///
    /// - Throws: `TravelError.unavailable` when it cannot be created; `CancellationError`.
    public static func temporary() async throws -> TravelDatabase {
        try await open(.temporary)
    }

    /// Creates a temporary database that works on the executor of the caller, for tests in virtual time.
    package static func temporaryInline() async throws -> TravelDatabase {
        try await open(.temporary, execution: .inline)
    }

    /// Opens a file like ``open(path:)``, but with other implementations of the file system; `fileSystem` is the name
    /// of a SQLite VFS.
    package static func open(
        path: String, imageFiles: any ImageFiles, fileSystem: String? = nil
    ) async throws -> TravelDatabase {
        try await open(.file(path), imageFiles: imageFiles, fileSystem: fileSystem)
    }

    /// Waits for running accesses to end, and closes the file. Later calls throw `TravelError.unavailable`.
    public func close() async {
        await database.close()
        travels.imageFolder.close()
    }

    private static func open(
        _ location: Database.Location, imageFiles: any ImageFiles = SystemFiles(), fileSystem: String? = nil,
        execution: Database.Execution = Database.Configuration().execution
    ) async throws -> TravelDatabase {
        let configuration = Database.Configuration().with {
            // Persistent data survives a loss of power; temporary data need not.
            $0.synchronous = location == .temporary ? .normal : .full
            $0.fileSystem = fileSystem
            $0.execution = execution
            $0.journalMode = .writeAheadLog
            $0.prepare = { try TravelFile.prepare($0) }
        }
        return try await mappingErrors {
            let database = try await Database.openReadable(
                location, configuration: configuration, migrations: TravelSchema.migrations)
            let imageFolder = try await imageFolder(of: database, in: imageFiles)
            return TravelDatabase(
                travels: SQLiteTravelRepository(database, imageFolder: imageFolder, effort: SearchEffort()),
                recentKeywords: SQLiteRecentKeywordRepository(database), session: SQLiteSession(database),
                database: database)
        }
    }

    /// The folder of the database's images, without files that an earlier process left behind.
    private static func imageFolder(of database: Database, in files: any ImageFiles) async throws -> ImageFolder {
        guard database.location != .temporary else {
            let name = "travel-images-\(ImageFile.ID())"
            return ImageFolder(
                path: FileManager.default.temporaryDirectory.appending(path: name).path, isTemporary: true, files: files
            )
        }
        // Uses the resolved path, as SQLite does for its own files, so that a database has one folder.
        let path = try await database.read { db in
            try db.fetchOne(String.self, "SELECT file FROM pragma_database_list WHERE name = 'main'")
        }
        let folder = ImageFolder(path: "\(path ?? "")-images", isTemporary: false, files: files)
        try await folder.sweep(database)
        return folder
    }
}
