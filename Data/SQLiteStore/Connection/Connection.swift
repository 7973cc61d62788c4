internal import CSQLite

/// One connection to a database, inside of an access.
///
/// It is given to the closures of `Database.read` and `Database.write`, which run on one thread from beginning to end.
/// It is not `Sendable`, so the compiler lets nobody take it out of those of the accesses that are awaited. The closures
/// of the blocking ones, which may capture anything, are not so guarded: there it is not to be kept.
public final class Connection {
    /// SQLite's own handle, for what this library does not wrap. Leave transactions, the authorizer and the busy and
    /// progress handlers alone.
    public let handle: OpaquePointer
    let interruption: Interruption
    let busyTimeout: Duration
    let logSizeLimit: Int64?
    /// Whether the access at hand may change the database.
    var isWritable = false
    /// How many transactions, nested ones included, are open.
    var transactionDepth = 0
    let changes = ChangeLog()
    /// Whether anyone wants to know what the access reads.
    var isRecordingReads = false
    /// What was read since the recording began.
    var readRegion = Region()
    /// Whether the schema may use what SQLite does not know as harmless: see `trustSchemaIfHarmless`.
    var trustsSchema = false
    /// Why the transaction at hand has ended before its time.
    var rollbackError: SQLiteError?
    /// What functions of the app's have thrown.
    let functionFailures = FunctionFailures()
    /// Whether the files are those that were opened; nil where there are none.
    var fileIdentity: FileIdentity?
    /// Who is told of statements that take long.
    var tracer: StatementTracer?
    /// Whoever has to tell the transactions of this connection from those of others.
    var externalChangeMonitor: ExternalChangeMonitor?
    let recorder = AuthorizerRecorder()
    /// Read by SQLite's callbacks, so it has an address of its own.
    let busyPolicy = UnsafeMutablePointer<BusyPolicy>.allocate(capacity: 1)
    private let cache: StatementCache

    /// Takes over an open handle.
    init(handle: OpaquePointer, configuration: Database.Configuration) {
        self.handle = handle
        (busyTimeout, logSizeLimit) = (configuration.busyTimeout, configuration.logSizeLimit.map { Int64(max($0, 0)) })
        interruption = Interruption(handle: handle, asksCurrentTask: configuration.execution == .inline)
        cache = StatementCache(capacity: configuration.statementCacheCapacity)
        recorder.attach(to: handle)
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(handle)
        busyPolicy.deallocate()
    }

    /// The statement of `sql` with its values bound, marked as running; `finish` must follow.
    @usableFromInline
    func start(_ sql: borrowing SQL) throws -> Statement {
        let statement = try bound(sql)
        try checkStart(of: statement)
        statement.isRunning = true
        return statement
    }

    /// Throws if the access at hand may not run the statement, or has been cancelled.
    func checkStart(of statement: Statement) throws {
        if interruption.isFlagged { throw CancellationError() }
        if statement.isReadOnly {
            if statement.isControl { try checkControl(statement.readWriteSet, sql: statement.sql) }
        } else {
            guard isWritable else {
                throw SQLiteError(.readOnly, "a read access may not change the database", sql: statement.sql)
            }
            try checkTransactionIsOpen()
            statement.changesBefore = sqlite3_total_changes64(handle)
        }
        if isRecordingReads { readRegion.formUnion(statement.readWriteSet.reads) }
    }

    /// How many rows a run of `statement` has changed. SQLite's own count is that of the last statement that could change
    /// a row, whichever that was.
    @usableFromInline
    func changeCount(of statement: Statement) -> Int {
        guard !statement.isReadOnly, sqlite3_total_changes64(handle) != statement.changesBefore else { return 0 }
        return Int(sqlite3_changes64(handle))
    }

    /// Resets the statement for its next run, and notes what it changed.
    @usableFromInline
    func finish(_ statement: Statement) {
        statement.reset()
        statement.isRunning = false
        recordRun(of: statement)
    }

    /// Notes what a run of the statement has changed.
    @inline(__always)
    func recordRun(of statement: Statement) {
        if recorder.hasRecords { recordInnerReadWriteSet(of: statement) }
        if !statement.isReadOnly { recordChanges(of: statement) }
    }

    /// The statement of `sql` with its values bound, not yet running.
    func bound(_ sql: borrowing SQL) throws -> Statement {
        let statement = try compiled(sql)
        try statement.bind(sql)
        return statement
    }

    /// The statement of `sql`, from the cache unless the one there is running.
    func compiled(_ sql: borrowing SQL) throws -> Statement {
        let statement = try cache.statement(for: sql) { text in try prepare(text) }
        return statement.isRunning ? try prepare(sql.text) : statement
    }

    /// The error of a step that returned `code`.
    @usableFromInline
    @inline(never)
    func failure(_ code: Int32, of statement: Statement) -> any Error {
        runFailure(code, sql: statement.sql)
    }

    /// The error of a run of `sql` that returned `code`, without any value.
    func runFailure(_ code: Int32, sql: String) -> any Error {
        if wasCancelled(code) {
            recordRollback(by: SQLiteError(.interrupt, "the task was cancelled", sql: sql))
            return CancellationError()
        }
        let message = RuntimeErrorMessage(of: code, on: handle)
        let extendedCode = RuntimeErrorMessage.extendedCode(of: code, on: handle)
        let ownFailure = functionFailures.take()
        let text: String
        if let ownFailure, RuntimeErrorMessage.isLast(ownFailure, on: handle) {
            text = ownFailure
        } else if case .known = message {
            text = message.text(of: code)
        } else if sql.prefix(5).uppercased() == "ALTER" {
            // It takes no values: what SQLite quotes stands in the text, or in the schema.
            text = SQLiteError.last(on: handle, code: code).message
        } else {
            // It was compiled again if the schema has changed, and may not have got any further.
            text = compilingFailure(of: sql)?.message ?? message.text(of: code)
        }
        let error = SQLiteError(SQLiteError.Code(rawValue: extendedCode), text, sql: sql)
        recordRollback(by: error)
        return error
    }

    /// Whether `code` is what is left of an access that was cancelled.
    private func wasCancelled(_ code: Int32) -> Bool {
        // Waiting for a lock ends with cancellation too, and SQLite then says that the database is busy.
        let mayBeCancellation = code == SQLITE_INTERRUPT || code & 0xFF == SQLITE_BUSY
        return mayBeCancellation && interruption.isRequested
    }

    /// The error of compiling, or of whatever else has no value bound to it: that of SQLite, or that of Swift where the
    /// task was cancelled.
    func failure(_ code: Int32, sql: String) -> any Error {
        if wasCancelled(code) { return CancellationError() }
        guard code & 0xFF != SQLITE_AUTH else {
            return SQLiteError(
                SQLiteError.Code(rawValue: code),
                "exclusive locking would lock out the database's own readers, and every other process", sql: sql)
        }
        return SQLiteError.last(on: handle, code: code, sql: sql)
    }

    /// What compiling `sql` meets, if anything.
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

    /// Compiles one statement, to be kept.
    func prepare(_ text: String) throws -> Statement {
        var text = text
        let earlier = recorder.take()
        defer { recordReadWriteSet(earlier) }
        return try text.withUTF8 { utf8 in
            try checkForNUL(utf8)
            let start = UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var statement: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let code = compiling {
                sqlite3_prepare_v3(
                    handle, start, Int32(utf8.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
            }
            let sql = String(decoding: utf8, as: UTF8.self)
            guard code == SQLITE_OK else { throw failure(code, sql: sql) }
            guard let statement else { throw SQLiteError(.misuse, "there is no statement in the text", sql: sql) }
            let prepared = Statement(handle: statement, sql: sql, readWriteSet: recorder.take())
            if let start, let tail, !isBlank(tail, count: utf8.count - (tail - start)) {
                throw SQLiteError(.misuse, "more than one statement: use executeScript", sql: sql)
            }
            return prepared
        }
    }

    /// Throws if SQLite would read only a part of the text.
    func checkForNUL(_ text: some Sequence<UInt8>) throws {
        guard !text.contains(0) else {
            throw SQLiteError(.misuse, "there is a NUL in the SQL text, where SQLite would stop reading: bind it")
        }
    }

    /// Whether nothing but white space and comments is left.
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
