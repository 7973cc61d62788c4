internal import SQLiteStore
package import TravelDataShared
import TravelDomain

/// A travel database: a SQLite file with the repositories that use it.
///
/// ```swift
/// let database = try await TravelDatabase.open(path: "/home/mina/trips.db")
/// let search = SearchTrips(trips: database.trips, session: database.session)
/// ```
///
/// Several processes can open the file at the same time. It closes with the last reference to any of its
/// repositories, or by ``close()``. Images are files in a folder beside it, with the same name and the suffix
/// `-images`: move both together, and copy them with ``backup(to:)``.
public struct TravelDatabase: Sendable {
    /// The repository of trips, people, images, reports and blocks.
    public let trips: SQLiteTripRepository
    public let recentKeywords: SQLiteRecentKeywordRepository
    /// The session and the ID of this device.
    public let session: SQLiteSession
    /// The accounts of people who sign in to a server that uses the file, and their devices.
    public var accounts: SQLiteAccountRepository { SQLiteAccountRepository(database) }
    let database: Database

    /// Opens the file at `path`; creates it if necessary, and migrates its schema.
    ///
    /// A file that cannot be written, as on a read-only medium, is opened for reading: changes throw
    /// `TravelError.unavailable`, and no other process may change the file meanwhile. On a full disk, the file may be
    /// opened for this process alone: it can be read, and no other process can use it until it is closed.
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
        path: String, imageFiles: any FileAccess, fileSystem: String? = nil
    ) async throws -> TravelDatabase {
        try await open(.file(path), imageFiles: imageFiles, fileSystem: fileSystem)
    }

    /// Returns a number that is another one after each change of the file, also by other processes; `nil` for a temporary
    /// database, and while the file cannot be read. It waits for nothing.
    public func changeCount() -> UInt64? { database.commitCount() }

    /// Waits for running accesses to end, and closes the file. Later calls throw `TravelError.unavailable`.
    public func close() async {
        await database.close()
        trips.imageFolder.close()
    }

    private static func open(
        _ location: Database.Location, imageFiles: any FileAccess = SystemFiles(), fileSystem: String? = nil,
        execution: Database.Execution = Database.Configuration().execution
    ) async throws -> TravelDatabase {
        let configuration = Database.Configuration().with {
            $0.fileSystem = fileSystem
            $0.execution = execution
            $0.journalMode = .writeAheadLog
            $0.prepare = { try TripFile.prepare($0) }
        }
        return try await mappingErrors {
            let database = try await Database.openReadable(
                location, configuration: configuration, migrations: TravelSchema.migrations)
            do {
                let imageFolder = try await imageFolder(of: database, in: imageFiles)
                return TravelDatabase(
                    trips: SQLiteTripRepository(database, imageFolder: imageFolder, effort: SearchEffort()),
                    recentKeywords: SQLiteRecentKeywordRepository(database), session: SQLiteSession(database),
                    database: database)
            } catch {
                // The caller may delete or replace the file at once: nothing of it stays open.
                await database.close()
                throw error
            }
        }
    }

    /// The folder of the database's images, without files that an earlier process left behind.
    private static func imageFolder(of database: Database, in files: any FileAccess) async throws -> ImageFolder {
        guard database.location != .temporary else {
            let name = "travel-images-\(ImageFolder.FileID())"
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

extension TravelDatabase {
    /// Copies the database and its images to `path` while it is in use.
    ///
    /// The copy is one snapshot with exactly its images, whatever is written in the meantime, and opens with
    /// ``open(path:)``. Nothing exists at `path` before the copy is complete and durable. When this throws, or its
    /// task is cancelled, nothing remains; a process that is killed leaves a draft, whose name contains `.draft`.
    ///
    /// ```swift
    /// try await database.backup(to: "/backups/2026-11-21.db")    // and /backups/2026-11-21.db-images
    /// ```
    ///
    /// Image files that are removed in the meantime stay on the disk until the copy is complete.
    ///
    /// To restore it, first remove the database with the files whose names add `-wal`, `-shm` and `-images`: SQLite applies a
    /// log that a crash has left to any database of its name.
    ///
    /// - Parameter path: The path of the copy, which must not exist, in an existing folder.
    /// - Throws: `TravelError.unavailable` when something exists at `path`, when an image is missing or damaged, or
    ///   when the disk is full; `CancellationError`.
    public func backup(to path: String) async throws {
        try await mappingErrors {
            let draft = DatabaseDraft(of: path, files: trips.imageFolder.files)
            do {
                try await copy(to: draft)
                try await database.offload { try draft.publish() }
            } catch {
                draft.remove()
                throw error
            }
            // Removes the files that were kept for the copy; if this is cancelled, a later sweep removes them.
            try? await trips.imageFolder.sweep(database)
        }
    }

    private func copy(to draft: DatabaseDraft) async throws {
        // Held from before the snapshot until the last file is copied.
        let lock = try await database.offload { [imageFolder = trips.imageFolder] in
            try draft.requireFreePath()
            return try imageFolder.keepFiles()
        }
        defer { withExtendedLifetime(lock) {} }
        try await database.backup(to: draft.path)
        let copy = try await Database.open(.file(draft.path))
        try await closing(copy.close) {
            try await copy.read { [folder = trips.imageFolder] db in
                try db.forEach(ImageRecord.selectAll) { try draft.copy(try ImageRecord(row: $0), from: folder) }
                try db.forEach(ImageRecord.selectAll) { try draft.sync(try ImageRecord(row: $0)) }
            }
        }
    }
}

extension TravelDatabase {
    package struct Checkup: Sendable {
        package let trips: Int
        package let schemaVersion: Int
        /// What SQLite finds wrong with the file; empty if all is well.
        package let problems: [String]
        package let images: Int
        package let missingImages: Int
        /// The number of images whose file has another size.
        package let damagedImages: Int
    }

    /// The number of trips that only their authors see, apart from those of `user`, and the nicknames of these authors in
    /// their order. Reads all trips.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    package func hiddenTrips(from user: User.ID?) async throws -> (count: Int, authors: [Nickname]) {
        try await mappingErrors {
            try await database.read { db in
                var (count, authors) = (0, [Nickname]())
                let query: SQL = """
                    SELECT app_user.nickname, COUNT(*) FROM trip JOIN app_user ON app_user.key = trip.author
                    WHERE trip.audience <> 'everyone' AND app_user.id IS NOT \(user) GROUP BY 1 ORDER BY 1
                    """
                try db.forEach(query) { row in
                    authors.append(try readingValues { try Nickname(row[0] as String) })
                    count += try row[1] as Int
                }
                return (count, authors)
            }
        }
    }

    /// Checks the file and the images. Reads all of them, and changes nothing.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    package func checkup() async throws -> Checkup {
        try await mappingErrors {
            let problems = try await database.integrityCheck()
            let folder = trips.imageFolder
            return try await database.read { db in
                var (images, missing, damaged) = (0, 0, 0)
                try db.forEach(ImageRecord.selectAll) { row in
                    let record = try ImageRecord(row: row)
                    images += 1
                    // Read one at a time, so that memory does not grow with their number.
                    switch try folder.read(record.file)?.count {
                    case nil: missing += 1
                    case let size?: damaged += size == record.size ? 0 : 1
                    }
                }
                return Checkup(
                    trips: try db.fetchOne(Int.self, "SELECT COUNT(*) FROM trip") ?? 0,
                    schemaVersion: try db.fetchOne(Int.self, "SELECT COUNT(*) FROM schema_migrations") ?? 0,
                    problems: problems, images: images,
                    missingImages: missing, damagedImages: damaged)
            }
        }
    }
}

/// Prepares a database file before its first use.
enum TripFile {
    /// Rejects a file that belongs to another application, and configures the connection.
    static func prepare(_ db: Connection) throws {
        try db.requireApplication(
            TravelSchema.applicationID,
            or: "The file is a SQLite database, but not a travel database: choose another path.")
        // Keeps statement journals in memory; in a file, they double the time of each insertion.
        try db.execute("PRAGMA temp_store = MEMORY")
        // In KiB. The file is not memory-mapped, because overwriting a mapped file would terminate the process.
        try db.execute("PRAGMA cache_size = -16384")
        // In pages. Writes wait behind the checkpoint that follows when the log has as many: with 1,000 pages, the
        // default, a few would take ten times longer than all others.
        try db.execute("PRAGMA wal_autocheckpoint = 32")
    }
}
