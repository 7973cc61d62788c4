internal import CSQLite
internal import DatabaseAccess

/// A connection to a database, within an access.
///
/// The closures of `Database.read` and `Database.write` receive it; each runs on one thread from beginning to end. A
/// connection is not `Sendable`: the compiler prevents it from leaving the closures of asynchronous accesses. Closures
/// of blocking accesses can capture anything and are not checked; do not keep the connection there.
///
/// Its methods throw ``SQLiteError``, such as `.mismatch` for a value of another type than requested; the errors of
/// their closures and of `init(row:)`, which end the statement; and `CancellationError` once the access has been
/// cancelled.
public final class Connection {
    /// The handle of SQLite, for features without a wrapper. Do not change transactions, the authorizer, or the busy
    /// and progress handlers. Register functions in ``Database/Configuration/prepare``, with `SQLITE_DIRECTONLY`, or with
    /// `SQLITE_INNOCUOUS` if the schema of any file may call them.
    public let handle: OpaquePointer
    let interruption: Interruption
    let busyTimeout: Duration
    var isWritable = false
    /// Whether the connection has opened the database and served no write since. The first read takes it, because it has
    /// read the schema.
    var isFresh = false
    /// Whether it was opened for writing: only such a connection can clean up the log when it closes.
    package var closesLast = false
    var transactionDepth = 0
    let changes = ChangeLog()
    /// Whether the regions that the access reads are recorded.
    var isRecordingReads = false
    var readRegion = Region()
    /// That to which the rows belong that the access reads and changes at the moment.
    var partition: Region.Partition?
    /// The error that rolled the current transaction back early.
    var rollbackError: SQLiteError?
    let functionFailures = FunctionFailures()
    /// Checks that the open files are still at their paths; nil without files.
    var fileIdentity: FileIdentity?
    var tracer: StatementTracer?
    /// Distinguishes the commits of this connection from those of others.
    var externalChangeMonitor: ExternalChangeMonitor?
    /// The streams of changed rows, to which the writer connection reports.
    var rowChangeHub: RowChangeHub?
    var rowLog: RowLog?
    let recorder = AuthorizerRecorder()
    /// When the pages of the log are moved into the file.
    let checkpoints = CheckpointSchedule()
    /// Allocated, because callbacks of SQLite read it by its address.
    let busyPolicy = UnsafeMutablePointer<BusyPolicy>.allocate(capacity: 1)
    /// What the schema adds to the authorizer's reports; nil until it is needed, and after the schema has changed.
    var schemaRules: SchemaRules?
    /// The values of the settings that the access has changed.
    var savedSettings: [ConnectionSetting: String] = [:]
    /// Whether settings are restored after an access: from the moment when the connection is configured.
    var restoresSettings = false
    /// The text of the statements of each type of records.
    var recordStatements: [ObjectIdentifier: RecordStatements] = [:]
    private var isHandleOpen = true
    private let cache: StatementCache
    /// The compiled statements that control transactions, by the raw value of their `TransactionControl`.
    var controls = [Statement?](repeating: nil, count: TransactionControl.allCases.count)

    init(handle: OpaquePointer, configuration: Database.Configuration, suspension: Suspension) {
        self.handle = handle
        busyTimeout = configuration.busyTimeout
        interruption = Interruption(handle: handle, suspension: suspension)
        cache = StatementCache(capacity: configuration.statementCacheCapacity)
        recorder.attach(to: handle)
        suspension.add(interruption)
    }

    deinit {
        closeHandle()
        busyPolicy.deallocate()
    }

    /// Closes the handle, which nothing may use afterwards.
    func closeHandle() {
        guard isHandleOpen else { return }
        isHandleOpen = false
        interruption.suspension.remove(interruption)
        cache.removeAll()
        controls = []
        schemaRules = nil
        fileIdentity?.unregister(self)
        sqlite3_close_v2(handle)
    }

    /// Returns the statement of `sql` with its values bound, marked as running. The caller must call `finish`.
    @usableFromInline
    func start(_ sql: borrowing SQL) throws -> Statement {
        let statement = try bound(sql)
        try checkStart(of: statement)
        statement.isRunning = true
        return statement
    }

    /// Throws if the access has been cancelled or may not run the statement.
    @usableFromInline
    func checkStart(of statement: Statement) throws {
        if interruption.isFlagged { throw interruption.error }
        if statement.isControl { try checkControl(of: statement) }
        if !statement.isReadOnly {
            guard isWritable else {
                throw SQLiteError(.readOnly, "a read cannot change the database", sql: statement.sql)
            }
            try checkTransactionIsOpen()
            (statement.changesBefore, statement.hasFailed) = (sqlite3_total_changes64(handle), false)
        }
        if isRecordingReads { recordRead(observedRegion(of: statement)) }
    }

    /// Returns the number of rows that the run of `statement` changed. SQLite's count may belong to an earlier
    /// statement.
    @usableFromInline
    func changeCount(of statement: Statement) -> Int {
        guard !statement.isReadOnly, sqlite3_total_changes64(handle) != statement.changesBefore else { return 0 }
        return Int(sqlite3_changes64(handle))
    }

    @usableFromInline
    func finish(_ statement: Statement) {
        statement.reset()
        statement.isRunning = false
        recordRun(of: statement)
    }

    @inline(__always)
    func recordRun(of statement: Statement) {
        if recorder.hasRecords { recordInnerReadWriteSet(of: statement) }
        if statement.recordsChanges { recordChanges(of: statement) }
    }

    /// Returns the statement of `sql` with its values bound, not yet running.
    func bound(_ sql: borrowing SQL) throws -> Statement {
        let statement = try compiled(sql)
        try statement.bind(sql)
        return statement
    }

    /// Returns the statement of `sql` from the cache, or a new one while the cached one is running.
    func compiled(_ sql: borrowing SQL) throws -> Statement {
        let statement = try cache.statement(for: sql) { text in try prepare(text) }
        return statement.isRunning ? try prepare(sql.text) : statement
    }

    @usableFromInline
    @inline(never)
    func failure(_ code: Int32, of statement: Statement) -> any Error {
        statement.hasFailed = true
        return runFailure(code, sql: statement.sql)
    }

    /// Returns the error of a run of `sql` that returned `code`. It contains no values.
    func runFailure(_ code: Int32, sql: String) -> any Error {
        // The failure may have rolled back a change of the schema.
        schemaRules = nil
        if wasCancelled(code) {
            let error = interruption.error
            recordRollback(
                by: error as? SQLiteError ?? SQLiteError(.interrupt, "the task was cancelled", sql: sql))
            return error
        }
        let message = RuntimeErrorMessage(of: code, on: handle)
        let extendedCode = RuntimeErrorMessage.extendedCode(of: code, on: handle)
        let ownFailure = functionFailures.take()
        let text: String
        if let ownFailure, RuntimeErrorMessage.isLast(ownFailure, on: handle) {
            text = ownFailure
        } else if let refusal = SQLiteError.refusal(on: handle, code: code, sql: sql) {
            recordRollback(by: refusal)
            return refusal
        } else if case .known = message {
            text = message.text(of: code)
        } else if sql.prefix(5).uppercased() == "ALTER" {
            // `ALTER` takes no parameters: SQLite quotes only the text or the schema.
            text = SQLiteError.last(on: handle, code: code).message
        } else {
            // A schema change makes SQLite recompile the statement, which may be what failed.
            text = compilingFailure(of: sql)?.message ?? message.text(of: code)
        }
        let error = SQLiteError(SQLiteError.Code(rawValue: extendedCode), text, sql: sql)
        recordRollback(by: error)
        return error
    }

    private func wasCancelled(_ code: Int32) -> Bool {
        // Cancellation also ends the wait for a lock, and SQLite then reports a busy database.
        let mayBeCancellation = code == SQLITE_INTERRUPT || code & 0xFF == SQLITE_BUSY
        return mayBeCancellation && interruption.isRequested
    }

    /// Returns the error of a call without bound values, such as compiling; `CancellationError` if the access was
    /// cancelled.
    func failure(_ code: Int32, sql: String) -> any Error {
        if wasCancelled(code) { return interruption.error }
        guard code & 0xFF != SQLITE_AUTH else {
            return SQLiteError(
                SQLiteError.Code(rawValue: code),
                "exclusive locking would block the readers of this database and all other processes", sql: sql)
        }
        return SQLiteError.last(on: handle, code: code, sql: sql)
    }

    private func compilingFailure(of sql: String) -> SQLiteError? {
        let earlier = recorder.take()
        defer {
            _ = recorder.take()
            recordReadWriteSet(earlier)
        }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, 0, &statement, nil)
        defer { sqlite3_finalize(statement) }
        return code == SQLITE_OK ? nil : SQLiteError.last(on: handle, code: code)
    }

    func prepare(_ text: String) throws -> Statement {
        var text = text
        let earlier = recorder.take()
        defer { recordReadWriteSet(earlier) }
        return try text.withUTF8 { utf8 in
            try checkForNUL(utf8)
            let start = UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var statement: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let code = savingSettings {
                sqlite3_prepare_v3(
                    handle, start, Int32(utf8.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
            }
            let sql = String(decoding: utf8, as: UTF8.self)
            guard code == SQLITE_OK else { throw failure(code, sql: sql) }
            guard let statement else { throw SQLiteError(.misuse, "the SQL text contains no statement", sql: sql) }
            let prepared = Statement(handle: statement, sql: sql, readWriteSet: recorder.take())
            if let start, let tail, !isBlank(tail, count: utf8.count - (tail - start)) {
                throw SQLiteError(.misuse, "the SQL text contains several statements: use executeScript", sql: sql)
            }
            return prepared
        }
    }

    /// Throws if the text contains a NUL, where SQLite would stop reading.
    func checkForNUL(_ text: some Sequence<UInt8>) throws {
        guard !text.contains(0) else {
            throw SQLiteError(.misuse, "the SQL text contains a NUL, where SQLite would stop reading: bind the value")
        }
    }

    private func isBlank(_ tail: UnsafePointer<CChar>, count: Int) -> Bool {
        guard count > 0 else { return true }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, tail, Int32(count), 0, &statement, nil)
        defer {
            sqlite3_finalize(statement)
            _ = recorder.take()
        }
        return code == SQLITE_OK && statement == nil
    }
}
