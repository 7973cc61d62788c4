import CSQLite
import Foundation
import SQLiteStore
import TravelDataShared
@testable import TravelDataSQLite
import TravelDomain

extension TravelDatabase {
    /// Creates an empty database in the temporary directory, like ``temporary()``: a copy of a template whose tables
    /// are created once for all tests, which takes a tenth of the time.
    static func copied(effort: SearchEffort = SearchEffort()) async throws -> TravelDatabase {
        let template = try await template.value
        let configuration = Database.Configuration().with { $0.prepare = { try TripFile.prepare($0) } }
        let database = try await Database.open(.temporary, configuration: configuration)
        try await database.writeWithoutTransaction { db in try template.copy(to: db) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "travel-images-\(UUID().uuidString)")
        let images = ImageFolder(path: folder.path, isTemporary: true, files: SystemFiles())
        return TravelDatabase(
            trips: SQLiteTripRepository(database, imageFolder: images, effort: effort),
            recentKeywords: SQLiteRecentKeywordRepository(database), session: SQLiteSession(database),
            database: database)
    }

    private static let template = Task {
        let database = try await TravelDatabase.temporary()
        let template = try await database.database.writeWithoutTransaction { db in try Template(of: db) }
        await database.close()
        return template
    }

    /// The pages of a database.
    private struct Template: Sendable {
        private let bytes: [UInt8]

        struct Failure: Error {
            let code: Int32
        }

        init(of db: Connection) throws {
            _ = try db.fetchAll("PRAGMA wal_checkpoint(TRUNCATE)") { _ in () }
            var size: sqlite3_int64 = 0
            guard let pages = sqlite3_serialize(db.handle, "main", &size, 0) else { throw Failure(code: SQLITE_NOMEM) }
            defer { sqlite3_free(pages) }
            var bytes = Array(UnsafeBufferPointer(start: pages, count: Int(size)))
            // An in-memory database has no log: https://www.sqlite.org/fileformat2.html#file_format_version_numbers
            (bytes[18], bytes[19]) = (1, 1)
            self.bytes = bytes
        }

        /// Replaces the content of the database of `db`.
        func copy(to db: Connection) throws {
            var memory: OpaquePointer?
            try check(sqlite3_open(":memory:", &memory))
            defer { sqlite3_close(memory) }
            guard let pages = sqlite3_malloc64(sqlite3_uint64(bytes.count)) else { throw Failure(code: SQLITE_NOMEM) }
            bytes.withUnsafeBytes { pages.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            let count = sqlite3_int64(bytes.count)
            // SQLite owns the memory from here on, and frees it with the connection.
            try check(
                sqlite3_deserialize(
                    memory, "main", pages.assumingMemoryBound(to: UInt8.self), count, count,
                    UInt32(SQLITE_DESERIALIZE_FREEONCLOSE)))
            guard let backup = sqlite3_backup_init(db.handle, "main", memory, "main") else {
                throw Failure(code: sqlite3_errcode(db.handle))
            }
            let code = sqlite3_backup_step(backup, -1)
            guard code == SQLITE_DONE else {
                sqlite3_backup_finish(backup)
                throw Failure(code: code)
            }
            try check(sqlite3_backup_finish(backup))
        }

        private func check(_ code: Int32) throws {
            guard code == SQLITE_OK else { throw Failure(code: code) }
        }
    }
}

/// The seeds of additional generated checks: up to `TRAVEL_SEEDS`, and none by default.
enum MoreSeeds {
    static let range = UInt64(6)..<UInt64(max(6, last + 1))
    static let areWanted = !range.isEmpty

    private static let last = ProcessInfo.processInfo.environment["TRAVEL_SEEDS"].flatMap(Int.init) ?? 0
}
