internal import CSQLite
internal import DatabaseAccess

extension Connection {
    /// Runs `body` atomically: if it throws, its changes are rolled back and the error is rethrown.
    ///
    /// A nested transaction, as in the example, is a savepoint: the enclosing transaction can catch the error and
    /// continue. In `writeWithoutTransaction` the outermost transaction is `BEGIN IMMEDIATE` and `COMMIT`.
    ///
    /// ```swift
    /// try await database.write { db in
    ///     for trip in trips {
    ///         do { try db.transaction { try insert(trip, db) } } catch { skipped.append(trip.id) }
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: The errors of `body`; ``SQLiteError``, such as `.busy` at the beginning or `.full` at the end of an
    ///   outermost transaction; `CancellationError`.
    @discardableResult
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        if transactionDepth == 0 { return try outermostTransaction(begin: .beginImmediate, body) }
        // Outside a transaction a savepoint would begin one, and releasing it would commit.
        try checkTransactionIsOpen()
        try control(.savepoint)
        transactionDepth += 1
        changes.beginLevel()
        var keepsChanges = false
        defer {
            transactionDepth -= 1
            endLevel(keepsChanges: keepsChanges)
        }
        do {
            let result = try body()
            try control(.release)
            keepsChanges = true
            return result
        } catch {
            // Some errors, such as a full disk, have already rolled the whole transaction back.
            if sqlite3_get_autocommit(handle) == 0 {
                try control(.rollbackToSavepoint)
                try control(.release)
            }
            throw error
        }
    }

    /// Runs an outermost transaction. The commit is the point of no return: later cancellation has no effect on it.
    func outermostTransaction<Result>(begin: TransactionControl, _ body: () throws -> Result) throws -> Result {
        if interruption.isFlagged { throw interruption.error }
        try waiting(interruption.mayWait) { try control(begin) }
        transactionDepth = 1
        rollbackError = nil
        let writes = isWritable
        if writes {
            changes.beginLevel()
            interruption.writeTransactionBegan()
            externalChangeMonitor?.writeBegan(on: self)
        }
        var keepsChanges = false
        defer {
            if writes {
                externalChangeMonitor?.writeEnded(on: self, hasCommitted: keepsChanges)
                interruption.writeTransactionEnded()
            }
            transactionDepth = 0
            if writes { endLevel(keepsChanges: keepsChanges) }
        }
        do {
            let result = try body()
            try checkTransactionIsOpen()
            // Before the commit: a write to a lost file must not be acknowledged.
            try fileIdentity?.check(self, isForced: writes)
            guard interruption.passPointOfNoReturn() else { throw interruption.error }
            if writes { try rowLog?.take(self) }
            // Also if the commit fails: whether it reached the disk is then unknown, and observers must fetch again.
            keepsChanges = true
            try control(.commit)
            return result
        } catch {
            // A late cancellation must not interrupt the rollback.
            interruption.end()
            let isOpen = sqlite3_get_autocommit(handle) == 0
            if keepsChanges { rowLog?.commitFailed(isUnknown: !isOpen) }
            if isOpen { try control(.rollback) }
            throw error
        }
    }

    /// Runs `body`. Without `mayWait`, throws `MustWait` where it would wait for a lock of another process.
    @inline(__always)
    func waiting<Result>(_ mayWait: Bool, _ body: () throws -> Result) throws -> Result {
        if mayWait { return try body() }
        let earlier = busyPolicy.pointee.mayWait
        busyPolicy.pointee.mayWait = false
        defer { busyPolicy.pointee.mayWait = earlier }
        do { return try body() } catch let error as SQLiteError where error.code == .busy { throw MustWait() }
    }

    private func endLevel(keepsChanges: Bool) {
        changes.endLevel(keepsChanges: keepsChanges)
        if !keepsChanges { schemaRules = nil }
    }

    /// Throws if the current transaction has ended early: further statements would commit on their own.
    @inline(__always)
    func checkTransactionIsOpen() throws {
        if transactionDepth > 0, sqlite3_get_autocommit(handle) != 0 { throw endedTransactionError }
    }

    /// Records that `error` rolled the current transaction back, if it did.
    func recordRollback(by error: SQLiteError) {
        guard transactionDepth > 0, rollbackError == nil, sqlite3_get_autocommit(handle) != 0 else { return }
        rollbackError = error
    }

    private var endedTransactionError: any Error {
        if interruption.isRequested { return interruption.error }
        guard let rollbackError else {
            return SQLiteError(.misuse, "the transaction was ended through the connection's handle")
        }
        return SQLiteError(
            .misuse,
            "an error that was not rethrown has rolled the transaction back: \(rollbackError.message)",
            sql: rollbackError.sql)
    }

    /// Throws if a statement that begins or ends transactions may not run now, and saves the settings that a pragma is
    /// about to change.
    func checkControl(of statement: Statement) throws {
        let set = statement.readWriteSet
        if !set.settings.isEmpty { try saveSettings(of: statement) }
        guard set.controlsTransaction || set.controlsSavepoint else { return }
        // It may roll back a change of the schema.
        schemaRules = nil
        try checkControl(set, sql: statement.sql)
    }

    func checkControl(_ readWriteSet: ReadWriteSet, sql: String) throws {
        if readWriteSet.controlsTransaction {
            throw SQLiteError(
                .misuse,
                transactionDepth > 0
                    ? "the access is already a transaction: nest another with transaction(_:)"
                    : "use transaction(_:), or a script that both begins and ends the transaction", sql: sql)
        }
        if transactionDepth == 0 {
            throw SQLiteError(
                .misuse, "a savepoint outside a transaction would begin one: use transaction(_:)", sql: sql)
        }
        try checkTransactionIsOpen()
    }

    /// Runs `body`, and rolls back any transaction and resets any statement that it leaves open; both would block other
    /// writers or keep later reads on an old state. Throws an error for them unless `body` throws. Restores changed
    /// settings.
    func rollingBackLeftovers<Result>(_ body: () throws -> Result) throws -> Result {
        // After the rollback: some settings cannot be changed within a transaction.
        try restoringSettings {
            let result: Result
            do {
                result = try body()
            } catch {
                _ = rollBackLeftovers()
                throw error
            }
            if let error = rollBackLeftovers() { throw error }
            return result
        }
    }

    @inline(__always)
    private func rollBackLeftovers() -> SQLiteError? {
        if sqlite3_get_autocommit(handle) != 0, sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE { return nil }
        return rollBackFoundLeftovers()
    }

    @inline(never)
    private func rollBackFoundLeftovers() -> SQLiteError {
        // A late cancellation must not interrupt the rollback.
        interruption.end()
        schemaRules = nil
        var culprit: String?
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 {
                culprit = sqlite3_sql(statement).map { String(cString: $0) }
                sqlite3_reset(statement)
            }
            next = sqlite3_next_stmt(handle, statement)
        }
        if sqlite3_get_autocommit(handle) == 0 {
            // The error below covers a failure of the rollback, too.
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            return SQLiteError(.misuse, "the access left a transaction open; it was rolled back", sql: culprit)
        }
        return SQLiteError(
            .misuse, "the access left a statement running through the connection's handle: reset it", sql: culprit)
    }

    private func control(_ control: TransactionControl) throws {
        let statement = try statement(of: control)
        let code = sqlite3_step(statement.handle)
        // Reset regardless of the code, which is checked below.
        sqlite3_reset(statement.handle)
        guard code == SQLITE_DONE else { throw failure(code, of: statement) }
    }

    private func statement(of control: TransactionControl) throws -> Statement {
        if let statement = controls[control.rawValue] { return statement }
        let statement = try prepare(control.sql)
        controls[control.rawValue] = statement
        return statement
    }
}

/// The statements of the library that begin and end transactions. Each connection compiles them once.
enum TransactionControl: Int, CaseIterable {
    case beginDeferred, beginImmediate, commit, rollback, savepoint, release, rollbackToSavepoint

    fileprivate var sql: String {
        switch self {
        case .beginDeferred: "BEGIN DEFERRED"
        case .beginImmediate: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .savepoint: "SAVEPOINT sqlite_store"
        case .release: "RELEASE sqlite_store"
        case .rollbackToSavepoint: "ROLLBACK TO sqlite_store"
        }
    }
}
