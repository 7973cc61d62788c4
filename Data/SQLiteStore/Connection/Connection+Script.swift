internal import CSQLite

extension Connection {
    /// Runs the statements of a script in order. The script has no parameters.
    ///
    /// If a statement fails, the following ones are not run. The changes of the preceding ones are rolled back only
    /// with their transaction. Cancellation interrupts the current statement.
    ///
    /// Within a transaction, as in `write`, a script cannot begin or end one. In `writeWithoutTransaction` it can, like
    /// the dump of a database, and must end each transaction that it begins:
    ///
    /// ```swift
    /// try await database.writeWithoutTransaction { db in
    ///     try db.executeScript("BEGIN; INSERT INTO cities (name) VALUES ('Seoul'), ('Busan'); COMMIT")
    /// }
    /// ```
    ///
    /// - Throws: ``SQLiteError`` with the text of the failing statement. `.misuse` for a statement that begins or ends
    ///   a transaction where this is not allowed, before it is run, and for a statement that begins a transaction which
    ///   the script leaves open; that transaction is rolled back. `.readOnly` in a read. `CancellationError`.
    public func executeScript(_ script: String) throws {
        guard isWritable else {
            throw SQLiteError(.readOnly, "a read cannot change the database", sql: script)
        }
        try runScript(script)
    }

    /// Implements `executeScript`, and runs scripts of the library in any access.
    func runScript(_ script: String) throws {
        if interruption.isRequested { throw interruption.error }
        try checkForNUL(script.utf8)
        // A transaction of the script must be rolled back even if the access is cancelled in the meantime.
        let isOutermost = isOutermost
        if isOutermost { interruption.writeTransactionBegan() }
        defer { if isOutermost { interruption.writeTransactionEnded() } }
        // A terminated C string: without a terminating NUL, SQLite would copy the remaining text for each statement.
        try script.withCString { start in
            var script = Script(rest: start, end: start + script.utf8.count)
            do {
                while script.rest.pointee != 0 { try runNext(of: &script) }
            } catch {
                // Its error is dropped: the error that ended the script is the one to throw.
                try? endTransaction(of: script)
                throw error
            }
            try endTransaction(of: script)
        }
    }

    private struct Script {
        /// The text that has not been run.
        var rest: UnsafePointer<CChar>
        let end: UnsafePointer<CChar>
        /// The statement that began the open transaction.
        var opener: String?
    }

    private func runNext(of script: inout Script) throws {
        if interruption.isRequested { throw interruption.error }
        try checkTransactionIsOpen()
        let start = script.rest
        var (statement, tail): (OpaquePointer?, UnsafePointer<CChar>?)
        _ = recorder.take()
        var code = savingSettings { sqlite3_prepare_v3(handle, start, -1, 0, &statement, &tail) }
        guard code == SQLITE_OK else {
            throw failure(code, sql: Self.text(from: start, to: tail.map(Self.endOfStatement) ?? script.end))
        }
        script.rest = tail ?? script.end
        // A comment yields no statement.
        guard let statement else { return }
        defer { sqlite3_finalize(statement) }
        var readWriteSet = recorder.take()
        if readWriteSet.controlsTransaction, !isOutermost {
            try checkControl(readWriteSet, sql: Self.text(from: start, to: script.rest))
        }
        repeat { code = sqlite3_step(statement) } while code == SQLITE_ROW
        // Together: a conflict clause also applies to the triggers of a statement that was compiled again.
        readWriteSet.addAccesses(of: recorder.take())
        recordReadWriteSet(readWriteSet, sql: Self.text(from: start, to: script.rest))
        guard code == SQLITE_DONE else {
            throw runFailure(code, sql: Self.text(from: start, to: script.rest))
        }
        if isOutermost, readWriteSet.controlsTransaction || readWriteSet.controlsSavepoint {
            let isOpen = sqlite3_get_autocommit(handle) == 0
            script.opener = isOpen ? script.opener ?? Self.text(from: start, to: script.rest) : nil
        }
    }

    private var isOutermost: Bool { transactionDepth == 0 }

    /// Rolls back a transaction that the script began and did not end, and throws an error for it.
    private func endTransaction(of script: Script) throws {
        guard let opener = script.opener, sqlite3_get_autocommit(handle) == 0 else { return }
        interruption.end()
        schemaRules = nil
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
        throw SQLiteError(
            .misuse, "the script did not end the transaction that this statement began; it was rolled back",
            sql: opener)
    }

    private static func text(from start: UnsafePointer<CChar>, to end: UnsafePointer<CChar>) -> String {
        let bytes = UnsafeRawBufferPointer(start: start, count: end - start)
        let isSpace = { (byte: UInt8) in byte == 0x20 || 9...13 ~= byte }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// Returns the latest possible end of the statement in which SQLite found an error at `position`.
    private static func endOfStatement(_ position: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
        var end = position
        while end.pointee != 0, end.pointee != CChar(UInt8(ascii: ";")) { end += 1 }
        return end
    }
}
