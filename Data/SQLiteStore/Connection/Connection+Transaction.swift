internal import CSQLite

extension Connection {
    /// Runs `body` so that all of what it does is kept, or none of it: if it throws, its changes are undone and the
    /// error goes on.
    ///
    /// A transaction within a transaction, as here, is a savepoint: what surrounds it may catch the error and go on. In
    /// `writeWithoutTransaction` the outermost one is `BEGIN IMMEDIATE` and `COMMIT`.
    ///
    /// ```swift
    /// try await database.write { db in
    ///     for travel in travels {
    ///         do { try db.transaction { try insert(travel, db) } } catch { skipped.append(travel.id) }
    ///     }
    /// }
    /// ```
    @discardableResult
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        if transactionDepth == 0 { return try outermostTransaction(begin: "BEGIN IMMEDIATE", body) }
        // Outside of a transaction a savepoint would begin one, and its release commit it.
        try checkTransactionIsOpen()
        try control("SAVEPOINT sqlite_store")
        transactionDepth += 1
        changes.beginLevel()
        var keepsChanges = false
        defer {
            transactionDepth -= 1
            changes.endLevel(keepsChanges: keepsChanges)
        }
        do {
            let result = try body()
            try control("RELEASE sqlite_store")
            keepsChanges = true
            return result
        } catch {
            // Some errors, a full disk for one, have rolled the whole transaction back already.
            if sqlite3_get_autocommit(handle) == 0 {
                try control("ROLLBACK TO sqlite_store")
                try control("RELEASE sqlite_store")
            }
            throw error
        }
    }

    /// One whole transaction. The commit is the point of no return: cancellation counts until then and not after.
    func outermostTransaction<Result>(begin: SQL, _ body: () throws -> Result) throws -> Result {
        try control(begin)
        transactionDepth = 1
        rollbackError = nil
        changes.beginLevel()
        let writes = isWritable
        if writes {
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
            changes.endLevel(keepsChanges: keepsChanges)
        }
        do {
            let result = try body()
            try checkTransactionIsOpen()
            guard interruption.passPointOfNoReturn() else { throw CancellationError() }
            // Even if it fails: what reached the disk is not known then, and observers had better look.
            keepsChanges = true
            try control("COMMIT")
            return result
        } catch {
            // Or else a late cancellation could keep the transaction from being rolled back.
            interruption.end()
            if sqlite3_get_autocommit(handle) == 0 { try control("ROLLBACK") }
            throw error
        }
    }

    /// Throws if the transaction at hand has ended before its time: whatever ran now would commit by itself.
    @inline(__always)
    func checkTransactionIsOpen() throws {
        if transactionDepth > 0, sqlite3_get_autocommit(handle) != 0 { throw endedTransactionError }
    }

    /// Notes that it was `error` that rolled the transaction at hand back, if one has.
    func recordRollback(by error: SQLiteError) {
        guard transactionDepth > 0, rollbackError == nil, sqlite3_get_autocommit(handle) != 0 else { return }
        rollbackError = error
    }

    private var endedTransactionError: any Error {
        if interruption.isRequested { return CancellationError() }
        guard let rollbackError else {
            return SQLiteError(.misuse, "the transaction was ended from within, by way of the connection's handle")
        }
        return SQLiteError(
            .misuse,
            "an error that was not passed on has rolled the transaction back: \(rollbackError.message)",
            sql: rollbackError.sql)
    }

    /// Throws if a statement that begins or ends transactions may not run now.
    func checkControl(_ readWriteSet: ReadWriteSet, sql: String) throws {
        if readWriteSet.controlsTransaction {
            throw SQLiteError(
                .misuse,
                transactionDepth > 0
                    ? "an access is a transaction already: nest another with transaction(_:)"
                    : "a transaction is begun and ended by transaction(_:), or by one script as a whole", sql: sql)
        }
        if transactionDepth == 0 {
            throw SQLiteError(
                .misuse, "outside of a transaction a savepoint begins one: use transaction(_:)", sql: sql)
        }
        try checkTransactionIsOpen()
    }

    /// Runs `body`, and makes sure that no transaction and no statement of its making outlives it: either would keep every
    /// other writer waiting, or show later reads an old state. What is open is undone, and is an error unless there is
    /// one already.
    func leavingNothingOpen<Result>(_ body: () throws -> Result) throws -> Result {
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

    @inline(__always)
    private func rollBackLeftovers() -> SQLiteError? {
        if sqlite3_get_autocommit(handle) != 0, sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE { return nil }
        return rollBackFoundLeftovers()
    }

    @inline(never)
    private func rollBackFoundLeftovers() -> SQLiteError {
        // Or else a late cancellation could keep it from being undone.
        interruption.end()
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
            // There is nobody to tell of a failure that the error below does not tell already.
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            return SQLiteError(.misuse, "the access left a transaction open, which was rolled back", sql: culprit)
        }
        return SQLiteError(
            .misuse, "the access left a statement running, by way of the connection's handle: reset it", sql: culprit)
    }

    /// Runs a statement of transaction control, which neither cancellation nor a read-only access keeps from running.
    private func control(_ sql: SQL) throws {
        let statement = try bound(sql)
        let code = sqlite3_step(statement.handle)
        // Reset in any case; the code is dealt with below.
        sqlite3_reset(statement.handle)
        guard code == SQLITE_DONE else { throw failure(code, of: statement) }
    }
}
