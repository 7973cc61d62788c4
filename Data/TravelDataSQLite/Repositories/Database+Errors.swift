internal import SQLiteStore
public import TravelDataShared
import TravelDomain

extension Database {
    /// Opens a file that a store of trips keeps; one that cannot be written, as on a read-only medium, for reading
    /// only, and one on a full disk for this process alone, so that it can be read.
    ///
    /// - Throws: The errors of ``open(_:configuration:migrations:)``; `TravelError.unavailable` for a file that can only
    ///   be read and that an earlier version of this library wrote, because it cannot be migrated, and for a device or a
    ///   pipe.
    static func openReadable(
        _ location: Location, configuration: Configuration, migrations: [Migration]
    ) async throws -> Database {
        // SQLite takes a device that has nothing to read for an empty database, and writes to it.
        if case .file(let path) = location, isSpecialFile(path) {
            throw SQLiteError(.notADatabase, "the file is a device or a pipe")
        }
        do {
            return try await open(location, configuration: configuration, migrations: migrations)
        } catch let error as SQLiteError where [.readOnly, .cannotOpen, .permission].contains(error.code) {
            let readOnly = configuration.with { $0.isReadOnly = true }
            guard case .file(let path) = location, FileManager.default.isReadableFile(atPath: path),
                // The first error says why the file cannot be written; this one would only repeat it.
                let database = try? await open(location, configuration: readOnly, migrations: migrations)
            else { throw error }
            let applied = try await database.read { db in
                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM schema_migrations")
            }
            guard applied == migrations.count else {
                await database.close()
                throw TravelError.unavailable(
                    .init(
                        "The travel database is from an earlier version, and can only be read here: copy it to where "
                            + "it can be updated.", cause: .readOnly, canRetry: false))
            }
            return database
        } catch let error as SQLiteError where error.extendedCode == .ioSharedMemorySize {
            do {
                return try await open(
                    location, configuration: configuration.with { $0.isExclusive = true }, migrations: migrations)
            } catch let busy as SQLiteError where busy.code == .busy {
                throw error
            }
        }
    }

    private static func isSpecialFile(_ path: String) -> Bool {
        let file = URL(filePath: path).resolvingSymlinksInPath().path
        // A file that does not exist yet has no attributes.
        let type = (try? FileManager.default.attributesOfItem(atPath: file))?[.type] as? FileAttributeType
        return ![nil, .typeRegular, .typeDirectory].contains(type)
    }

    /// `fileID` and `line` are where the access was requested: each of these sites has its own estimate.
    func readMappingErrors<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await mappingErrors { try await read(fileID: fileID, line: line, body) }
    }

    func writeMappingErrors<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await mappingErrors { try await write(fileID: fileID, line: line, body) }
    }
}

extension Connection {
    /// Throws `TravelError.unavailable` with `reason` unless the file is empty, or has that application ID.
    func requireApplication(_ wanted: Int32, or reason: String) throws {
        let id = try fetchOne(Int32.self, "PRAGMA application_id") ?? 0
        let isEmpty = try fetchOne(Bool.self, "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)") ?? false
        guard id == wanted || id == 0 && isEmpty else {
            throw TravelError.unavailable(.init(reason, cause: .notATravelDatabase, canRetry: false))
        }
    }
}

extension SQLiteError: StoreError {
    // The message and the SQL of a database error contain no values.
    var outage: TravelError.Outage {
        switch code {
        case .busy, .locked: .init("Another program is writing to the travel database.", cause: .busy, canRetry: true)
        case .full: .init("The disk is full: free space on it.", cause: .diskFull, canRetry: true)
        case .io where extendedCode == .ioSharedMemorySize:
            .init("The disk is full: free space on it.", cause: .diskFull, canRetry: true)
        case .databaseIsNewer: .newerVersion
        case .migrationChanged: .earlierVersion
        case .notADatabase:
            .init(
                "The file is not a travel database: choose another path.", cause: .notATravelDatabase, canRetry: false)
        case .corrupt:
            // SQLite would apply a log that a crash has left to the backup as well.
            .init(
                "The travel database is damaged: remove the file with its name and -wal, if there is one, and restore a "
                    + "backup.", cause: .damaged, canRetry: false)
        case .readOnly:
            .init(
                "The travel database can only be read here: check the permissions of its file and of the folder.",
                cause: .readOnly, canRetry: false)
        case .cannotOpen, .permission:
            .init(
                "The travel database cannot be opened: check its path and permissions.", cause: .inaccessible,
                canRetry: false)
        default: .init("The travel database failed: \(message) (\(extendedCode.rawValue)).", canRetry: false)
        }
    }
}
