internal import CSQLite

/// Opens the connections of one database, all alike.
struct ConnectionOpener: Sendable {
    let configuration: Database.Configuration
    /// Whether several connections can be open on it.
    let isShareable: Bool
    private let path: String
    /// Removed when the last connection and the database are gone.
    private let temporaryDirectory: TemporaryDirectory?

    enum Role {
        case writer
        case reader
        /// One that writes, but only to a file that exists.
        case trial
    }

    init(location: Database.Location, configuration: Database.Configuration) throws {
        self.configuration = configuration
        switch location {
        case .file(let path):
            self.path = path
            isShareable = true
            temporaryDirectory = nil
        case .inMemory:
            path = ":memory:"
            isShareable = false
            temporaryDirectory = nil
        case .temporary:
            let directory = try TemporaryDirectory()
            path = directory.path + "/database"
            isShareable = true
            temporaryDirectory = directory
        }
    }

    func open(_ role: Role) throws -> Connection {
        let isReadOnly = role == .reader || configuration.isReadOnly
        let creates = role == .writer ? SQLITE_OPEN_CREATE : 0
        let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | creates
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, configuration.fileSystem)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw SQLiteError.last(on: handle, code: code)
        }
        Self.harden(handle)
        let connection = Connection(handle: handle, configuration: configuration)
        connection.waitWhenBusy(for: configuration.busyTimeout)
        try connection.runScript("PRAGMA foreign_keys = \(configuration.foreignKeys ? "ON" : "OFF")")
        try connection.runScript("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
        connection.isWritable = !isReadOnly
        for (name, path) in configuration.attached.sorted(by: { $0.key < $1.key }) {
            try connection.attach(path, as: name)
        }
        if let prepare = configuration.prepare { try connection.leavingNothingOpen { try prepare(connection) } }
        return connection
    }

    /// Turns off what SQLite allows for the sake of old programs: text in double quotes that names no column, changes of
    /// the schema and of shadow tables by hand, and functions in the schema of the file that may do more than compute.
    private static func harden(_ handle: OpaquePointer) {
        let switches = [
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DEFENSIVE, 1),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        ]
        for (option, isOn) in switches { csqlite_db_config(handle, option, Int32(isOn)) }
    }

    /// Switches the file to write-ahead logging, which lets reads go on beside a write; it stays so.
    func prepareFile(_ connection: Connection) throws {
        guard isShareable, !configuration.isReadOnly else { return }
        for name in ["main"] + configuration.attached.keys.sorted() {
            try connection.runScript("PRAGMA \(SQL.quoted(identifier: name)).journal_mode = WAL")
        }
    }
}

extension Connection {
    /// SQLite opens it as it opened the first: to read only, if so.
    fileprivate func attach(_ path: String, as name: String) throws {
        do {
            try execute("ATTACH \(path) AS \(identifier: name)")
        } catch let error as SQLiteError {
            // Values are left out of errors; but this one is no secret, and says where to look.
            throw SQLiteError(error.extendedCode, "cannot attach \(path): \(error.message)", sql: error.sql)
        }
    }
}
