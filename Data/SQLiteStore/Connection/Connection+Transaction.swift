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
        try control("SAVEPOINT nested")
        transactionDepth += 1
        changes.beginLevel()
        var keepsChanges = false
        defer {
            transactionDepth -= 1
            changes.endLevel(keepsChanges: keepsChanges)
        }
        do {
            let result = try body()
            try control("RELEASE nested")
            keepsChanges = true
            return result
        } catch {
            // Some errors, a full disk for one, have rolled the whole transaction back already.
            if sqlite3_get_autocommit(handle) == 0 {
                try control("ROLLBACK TO nested")
                try control("RELEASE nested")
            }
            throw error
        }
    }

    /// One whole transaction. The commit is the point of no return: cancellation counts until then and not after.
    func outermostTransaction<Result>(begin: SQL, _ body: () throws -> Result) throws -> Result {
        try control(begin)
        transactionDepth = 1
        changes.beginLevel()
        let writes = isWritable
        if writes { interruption.writingBegins() }
        var keepsChanges = false
        defer {
            if writes { interruption.writingEnds() }
            transactionDepth = 0
            changes.endLevel(keepsChanges: keepsChanges)
        }
        do {
            let result = try body()
            guard sqlite3_get_autocommit(handle) == 0 else {
                throw SQLiteError(
                    .misuse, "the transaction was ended from within, or by an error that was not passed on")
            }
            guard interruption.pass() else { throw CancellationError() }
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

    /// Runs a statement of transaction control, which neither cancellation nor a read-only access keeps from running.
    private func control(_ sql: SQL) throws {
        let statement = try bound(sql)
        let code = sqlite3_step(statement.handle)
        // Reset in any case; the code is dealt with below.
        sqlite3_reset(statement.handle)
        guard code == SQLITE_DONE else { throw failure(code, of: statement) }
    }
}
