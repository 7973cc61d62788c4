internal import CSQLite
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension Connection {
    /// Runs every statement of a script, in order; none of them has values.
    ///
    /// If one fails, those after it are not run, and what those before it did is undone with the transaction alone.
    /// Cancellation ends the statement under way.
    ///
    /// A script within a transaction, as in `write`, cannot begin or end one. In `writeWithoutTransaction` it can, as the
    /// dump of a database does, and has to end what it begins:
    ///
    /// ```swift
    /// try await database.writeWithoutTransaction { db in
    ///     try db.executeScript("BEGIN; INSERT INTO cities (name) VALUES ('Seoul'), ('Busan'); COMMIT")
    /// }
    /// ```
    ///
    /// - Throws: `SQLiteError` with the text of the statement that failed; `.misuse` for one that begins or ends a
    ///   transaction where it may not, before it is run, and for one that begins a transaction which the script leaves
    ///   open: that is rolled back. `.readOnly` in a read; `CancellationError`.
    public func executeScript(_ script: String) throws {
        guard isWritable else {
            throw SQLiteError(.readOnly, "a read access may not change the database", sql: script)
        }
        try runScript(script)
    }

    /// `executeScript` for the library itself, whatever the access may do.
    func runScript(_ script: String) throws {
        if interruption.isRequested { throw CancellationError() }
        try checkForNUL(script.utf8)
        // A transaction of the script's own is to be undone even if the access is cancelled meanwhile.
        let isOutermost = isOutermost
        if isOutermost { interruption.writeTransactionBegan() }
        defer { if isOutermost { interruption.writeTransactionEnded() } }
        // Terminated by a NUL: of any other text SQLite would copy the rest for each statement.
        try script.withCString { start in
            var script = Script(rest: start)
            do {
                while script.rest.pointee != 0 { try runNext(of: &script) }
            } catch {
                _ = try? endTransaction(of: script)
                throw error
            }
            try endTransaction(of: script)
        }
    }

    /// A script that is being run.
    private struct Script {
        /// What has not been run yet.
        var rest: UnsafePointer<CChar>
        /// The statement that began the transaction that is open now.
        var opener: String?
    }

    private func runNext(of script: inout Script) throws {
        if interruption.isRequested { throw CancellationError() }
        try checkTransactionIsOpen()
        let start = script.rest
        var (statement, tail): (OpaquePointer?, UnsafePointer<CChar>?)
        _ = recorder.take()
        var code = compiling { sqlite3_prepare_v3(handle, start, -1, 0, &statement, &tail) }
        guard code == SQLITE_OK else {
            throw failure(code, sql: Self.text(from: start, to: tail.map(Self.endOfStatement)))
        }
        script.rest = tail ?? start + strlen(start)
        // A comment is no statement.
        guard let statement else { return }
        defer { sqlite3_finalize(statement) }
        let readWriteSet = recorder.take()
        if readWriteSet.controlsTransaction, !isOutermost {
            try checkControl(readWriteSet, sql: Self.text(from: start, to: script.rest))
        }
        repeat { code = sqlite3_step(statement) } while code == SQLITE_ROW
        recordReadWriteSet(readWriteSet)
        recordReadWriteSet(recorder.take())
        guard code == SQLITE_DONE else {
            throw runFailure(code, sql: Self.text(from: start, to: script.rest))
        }
        if isOutermost, readWriteSet.controlsTransaction || readWriteSet.controlsSavepoint {
            let isOpen = sqlite3_get_autocommit(handle) == 0
            script.opener = isOpen ? script.opener ?? Self.text(from: start, to: script.rest) : nil
        }
    }

    private var isOutermost: Bool { transactionDepth == 0 }

    /// Undoes a transaction that the script has begun and not ended, which is an error.
    private func endTransaction(of script: Script) throws {
        guard let opener = script.opener, sqlite3_get_autocommit(handle) == 0 else { return }
        interruption.end()
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
        throw SQLiteError(
            .misuse, "the script did not end the transaction that this statement begins, so it was rolled back",
            sql: opener)
    }

    /// The text of a statement, without white space around it.
    private static func text(from start: UnsafePointer<CChar>, to end: UnsafePointer<CChar>?) -> String {
        let count = end.map { $0 - start } ?? strlen(start)
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        let isSpace = { (byte: UInt8) in byte == 0x20 || 9...13 ~= byte }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// Where the statement ends at the latest in which SQLite stumbled at `position`.
    private static func endOfStatement(_ position: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
        var end = position
        while end.pointee != 0, end.pointee != CChar(UInt8(ascii: ";")) { end += 1 }
        return end
    }
}
