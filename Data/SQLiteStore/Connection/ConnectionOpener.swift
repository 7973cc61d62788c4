internal import CSQLite
internal import DatabaseAccess

struct ConnectionOpener: Sendable {
    let configuration: Database.Configuration
    /// Whether several connections can be open at the same time.
    let isShareable: Bool
    private let isFile: Bool
    private let path: String
    /// Removed with the last connection and the database.
    private let temporaryDirectory: TemporaryDirectory?

    enum Role {
        case writer, reader
    }

    /// Checks that the files are those that the first connection opened.
    let fileIdentity = FileIdentity()
    let suspension = Suspension()

    init(location: Database.Location, configuration: Database.Configuration) throws {
        func absolute(_ path: String) throws -> String {
            try PrivateFile.check(path)
            return try PrivateFile.absolute(path, on: configuration.fileSystem)
        }
        self.configuration = try configuration.with { $0.attached = try $0.attached.mapValues(absolute) }
        switch location {
        case .file(let path):
            self.path = try absolute(path)
            isFile = true
            temporaryDirectory = nil
        case .inMemory:
            path = ":memory:"
            isFile = false
            temporaryDirectory = nil
        case .temporary:
            let directory = try TemporaryDirectory()
            path = directory.path + "/database"
            isFile = true
            temporaryDirectory = directory
        }
        isShareable = isFile && !configuration.isExclusive
        if configuration.isExclusive, configuration.isReadOnly {
            throw SQLiteError(.misuse, "isExclusive excludes isReadOnly: the lock needs a file that can be written")
        }
    }

    /// Opens a connection. Without `mayWait`, throws `MustWait` where it would wait for a lock of another process.
    func open(_ role: Role, mayWait: Bool = true) throws -> Connection {
        if suspension.isRequested { throw Connection.error(for: .suspended) }
        let isReadOnly = role == .reader || configuration.isReadOnly
        if !isReadOnly, isFile, configuration.fileSystem == nil {
            for path in [path] + configuration.attached.values { PrivateFile.create(at: path) }
        }
        let connection = try openHandle(role, mayWait)
        return try connection.waiting(mayWait) { try configured(connection, role) }
    }

    private func configured(_ connection: Connection, _ role: Role) throws -> Connection {
        let isReadOnly = role == .reader || configuration.isReadOnly
        csqlite_db_config(connection.handle, SQLITE_DBCONFIG_ENABLE_FKEY, configuration.foreignKeys ? 1 : 0)
        // Without recursive triggers, REPLACE would delete rows without their delete triggers.
        // A temporary file is never read again: nothing of it has to reach the disk, nor the file from its log.
        let synchronous = temporaryDirectory == nil ? configuration.synchronous.rawValue : "OFF"
        csqlite_db_config(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, temporaryDirectory == nil ? 0 : 1)
        try connection.configure("PRAGMA synchronous = \(synchronous); PRAGMA recursive_triggers = ON")
        connection.isWritable = !isReadOnly
        for (name, path) in configuration.attached.sorted(by: { $0.key < $1.key }) {
            try connection.attach(path, as: name)
        }
        if let slowStatements = configuration.slowStatements {
            let tracer = StatementTracer(slowStatements)
            tracer.attach(to: connection.handle)
            connection.tracer = tracer
        }
        if isShareable {
            try fileIdentity.register(connection, paths: configuration.attached.merging(["main": path]) { $1 })
            connection.fileIdentity = fileIdentity
        }
        if let prepare = configuration.prepare { try connection.rollingBackLeftovers { try prepare(connection) } }
        if isFile { try checkFunctions(of: connection) }
        if !isReadOnly, isFile, configuration.execution != .inline {
            (connection.checkpoints.isWanted, connection.checkpoints.pageLimit) = (true, configuration.logPageLimit)
        }
        // Some of the statements above may have been interrupted.
        if connection.interruption.isFlagged { throw connection.interruption.error }
        connection.restoresSettings = true
        return connection
    }

    /// Opens the file. A read-only file in WAL mode, next to which no file can be created, is opened as immutable.
    private func openHandle(_ role: Role, _ mayWait: Bool) throws -> Connection {
        let isReadOnly = role == .reader || configuration.isReadOnly
        let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let connection = try Connection(path, mode, configuration, suspension)
        guard configuration.isReadOnly, isFile, !PrivateFile.hasContent(at: path + "-wal") else {
            return connection
        }
        // SQLite needs a wal-index even for reading, and may not be able to create it.
        let code = try connection.waiting(mayWait) {
            sqlite3_exec(connection.handle, "SELECT COUNT(*) FROM sqlite_schema", nil, nil, nil)
        }
        guard code & 0xFF == SQLITE_CANTOPEN || code & 0xFF == SQLITE_READONLY else { return connection }
        return try Connection(
            PrivateFile.immutableURI(of: path), mode | SQLITE_OPEN_URI, configuration, suspension, path: path)
    }

    /// Throws if the schema of a file of another user could call a function of the app.
    ///
    /// `addFunction` registers functions for statements only, unless the app allows them in schemas. The handle of
    /// SQLite also registers functions without such a mark, which every schema could call.
    private func checkFunctions(of connection: Connection) throws {
        guard configuration.prepare != nil || configuration.beforeFirstRead != nil,
            let path = ([path] + configuration.attached.values).first(where: PrivateFile.belongsToOther)
        else { return }
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
            throw SQLiteError.last(on: handle, code: SQLITE_CANTOPEN)
        }
        let own = Self.unmarkedFunctions(of: connection.handle).subtracting(Self.unmarkedFunctions(of: handle))
        _ = connection.recorder.take()
        guard let name = own.min() else { return }
        throw SQLiteError(
            .misuse,
            "\(path) belongs to another user, and its schema could call the function \"\(name)\" of the app: register it "
                + "with addFunction, or with SQLITE_DIRECTONLY")
    }

    /// The functions that are marked neither as harmless nor as unavailable to schemas. Those of SQLite that are not
    /// marked, such as `json_valid` in its version 3.40, are harmless.
    private static func unmarkedFunctions(of handle: OpaquePointer) -> Set<String> {
        let marks = SQLITE_INNOCUOUS | SQLITE_DIRECTONLY
        let sql = "SELECT name FROM pragma_function_list WHERE NOT builtin AND flags & \(marks) = 0"
        var (statement, names): (OpaquePointer?, Set<String>) = (nil, [])
        guard sqlite3_prepare_v3(handle, sql, -1, 0, &statement, nil) == SQLITE_OK else { return [] }
        defer { sqlite3_finalize(statement) }
        while sqlite3_step(statement) == SQLITE_ROW {
            if let name = sqlite3_column_text(statement, 0) { names.insert(String(cString: name)) }
        }
        return names
    }

    /// Disables legacy features of SQLite: string literals in double quotes, and direct changes of the schema and of
    /// shadow tables.
    ///
    /// The schema is trusted, which only means that it can call functions without a mark: those of SQLite, because
    /// functions of the app have one (see `checkFunctions`).
    fileprivate static func harden(_ handle: OpaquePointer) {
        let switches = [
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DEFENSIVE, 1),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1),
        ]
        for (option, isOn) in switches { csqlite_db_config(handle, option, Int32(isOn)) }
    }

    /// Whether opening the database takes little time, unless `prepare` has something to do: SQLite may read the whole
    /// log.
    var opensQuickly: Bool {
        configuration.journalMode == nil && configuration.attached.isEmpty
            && !(isFile && PrivateFile.hasContent(at: path + "-wal"))
    }

    /// Sets the journal mode, runs the pending migrations, and records the content of the files. Throws `MustWait` if
    /// there is something to do in an access that must not wait.
    func prepare(_ connection: Connection, _ migrator: Migrator) throws {
        connection.isWritable = false
        let pending = try connection.waiting(connection.interruption.mayWait) {
            try connection.outermostTransaction(begin: .beginDeferred) {
                let pending = try migrator.check(connection)
                try connection.readsFile()
                return pending
            }
        }
        connection.isWritable = !configuration.isReadOnly
        defer { connection.isFresh = true }
        guard !configuration.isReadOnly else { return }
        let hasApplied = pending.count < migrator.migrations.count
        let modes = try isFile ? journalModes(connection, isNew: hasApplied ? false : nil) : []
        if modes.isEmpty, pending.isEmpty { return }
        guard connection.interruption.mayWait else { throw MustWait() }
        for (name, mode) in modes { try connection.setJournalMode(mode, of: name) }
        if !pending.isEmpty { try migrator.migrate(connection) }
        try connection.checkFiles()
    }

    /// Returns the journal modes to set, which are persistent: the requested one, and otherwise a write-ahead log for new
    /// files. `isNew` says whether the main file is new, if that is known.
    private func journalModes(
        _ connection: Connection, isNew: Bool?
    ) throws -> [(name: String, mode: Database.JournalMode)] {
        try (["main"] + configuration.attached.keys.sorted()).compactMap { name -> (String, Database.JournalMode)? in
            if let mode = configuration.journalMode { return (name, mode) }
            return try (name == "main" ? isNew : nil) ?? connection.isEmpty(name) ? (name, .writeAheadLog) : nil
        }
    }
}

extension Connection {
    fileprivate convenience init(
        _ name: String, _ mode: Int32, _ configuration: Database.Configuration, _ suspension: Suspension,
        path: String? = nil
    ) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            name, &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, configuration.fileSystem)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            let error = SQLiteError.last(on: handle, code: code)
            // A path is not confidential and helps to find the cause.
            throw SQLiteError(error.extendedCode, "cannot open \(path ?? name): \(error.message)")
        }
        ConnectionOpener.harden(handle)
        self.init(handle: handle, configuration: configuration, suspension: suspension)
        waitWhenBusy(for: configuration.busyTimeout)
        // Before the first read, which would otherwise create the shared memory.
        if configuration.isExclusive { try configure("PRAGMA locking_mode = EXCLUSIVE") }
        try configuration.beforeFirstRead?(self)
    }

    func configure(_ pragmas: String) throws {
        let code = recorder.withoutRecording { sqlite3_exec(handle, pragmas, nil, nil, nil) }
        guard code == SQLITE_OK else { throw failure(code, sql: pragmas) }
    }

    fileprivate func isEmpty(_ name: String) throws -> Bool {
        try fetchOne(Int.self, "PRAGMA \(identifier: name).page_count") == 0
    }

    /// Sets the journal mode, and waits for other connections up to the busy timeout. SQLite does not call the busy
    /// handler when another connection is about to change the mode, too, because both hold a lock then.
    fileprivate func setJournalMode(_ mode: Database.JournalMode, of name: String) throws {
        let end = Deadline(after: busyTimeout)
        var count = 0
        while true {
            do {
                return try runScript("PRAGMA \(name.quotedIdentifier).journal_mode = \(mode.rawValue)")
            } catch let error as SQLiteError where error.code == .busy {
                guard !end.hasPassed, busyPolicy.pointee.wait(count: count) else { throw error }
                count += 1
            }
        }
    }

    /// Attaches a file. SQLite opens it in the mode of the main file, for example read-only.
    fileprivate func attach(_ path: String, as name: String) throws {
        do {
            try execute("ATTACH \(path) AS \(identifier: name)")
        } catch let error as SQLiteError {
            // Errors contain no values, but a path is not confidential and helps to find the cause.
            throw SQLiteError(error.extendedCode, "cannot attach \(path): \(error.message)", sql: error.sql)
        }
    }
}
