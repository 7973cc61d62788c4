#if PostgreSQL
internal import CPostgreSQL
internal import DatabaseAccess

// Sending commands and receiving their results, within the statement timeout.
extension Connection {
    /// Sends a command with `send`, which returns 0 on failure, and calls `receive` to receive its results.
    ///
    /// - Parameters:
    ///   - ignoresCancellation: Whether the command is sent even if the access has been cancelled, as a commit and
    ///     a rollback are.
    ///   - needsTransaction: Whether the transaction of the access must have begun.
    ///   - end: When the connection is given up, in place of cancelling the statement at the end of its time. A
    ///     rollback has its own, because it often follows a statement that has used up the time of the access.
    func exchange<Result>(
        sql: String, ignoresCancellation: Bool = false, needsTransaction: Bool = true, until end: Deadline? = nil,
        send: () -> Int32, receive: () throws -> Result
    ) throws -> Result {
        if needsTransaction { try beginNow() }
        guard !isLost else { throw lostError(sql: sql) }
        guard !isStreaming else {
            throw PostgreSQLError(
                .misuse, "a statement began while the rows of another are received: fetch these rows first",
                sql: sql)
        }
        if !ignoresCancellation || !interruption.isRequested { try interruption.statementBegins() }
        beginStatement(until: end)
        let start = configuration.slowStatements == nil ? 0 : MonotonicClock.now()
        defer { reportIfSlow(sql, since: start) }
        let result: Result
        do {
            guard send() != 0 else { throw sendingFailure(sql: sql) }
            result = try receive()
        } catch {
            endExchange()
            throw error
        }
        endExchange()
        return result
    }

    private func endExchange() {
        // A request to cancel cannot reach a later statement of a lost connection.
        let timeout = isLost ? .zero : configuration.cancellationTimeout
        if !interruption.statementEnds(timeout: timeout) { invalidate() }
    }

    /// Waits until a result, or the end of the results, is available.
    func waitForResult(sql: String) throws {
        // The result of a short statement has often arrived already.
        if PQflush(raw) == 0, PQisBusy(raw) == 0 { return }
        while true {
            let unsent = PQflush(raw)
            guard PQisBusy(raw) != 0 else { return }
            let isReady = Socket(of: raw).wait(writing: unsent == 1, milliseconds: deadline.milliseconds(atMost: 250))
            if isReady, PQconsumeInput(raw) == 0 {
                // libpq may still return an error that the server sent before it closed the connection.
                if PQisBusy(raw) == 0 { return }
                invalidate()
                throw lostError(sql: sql)
            }
            // Checked also while bytes arrive: a slow link delivers some all the time.
            if interruption.isOverdue(timeout: configuration.cancellationTimeout) {
                invalidate()
                throw interruption.isRequested ? CancellationError() : timeoutError(sql: sql)
            }
            if deadline.hasPassed {
                if isStrict {
                    invalidate()
                    throw timeoutError(sql: sql)
                }
                // The statement ends with an error when the server receives the request; otherwise it is overdue.
                interruption.expire()
                ignoreDeadline()
            }
        }
    }

    /// Returns the next result, or nil at the end of the results of a command. The caller must clear it.
    func nextResult(sql: String) throws -> OpaquePointer? {
        try waitForResult(sql: sql)
        return PQgetResult(raw)
    }

    /// Returns the next result of a pipeline, or nil between the results of two commands. The caller must clear it.
    func nextPipelineResult(sql: String) throws -> OpaquePointer? {
        if let result = try nextResult(sql: sql) { return result }
        guard PQstatus(raw) != CONNECTION_BAD else {
            invalidate()
            throw lostError(sql: sql)
        }
        return nil
    }

    /// Receives the results of a pipeline to its end, calls `body` with those before the first error, and then throws
    /// that error. With `keepsResults`, `body` must clear what it is called with.
    func receivePipeline(
        sql: String, hasValues: Bool = true, keepsResults: Bool = false, _ body: (OpaquePointer) -> Void
    ) throws {
        var failure: (any Error)?
        while true {
            // A nil separates the results of the commands.
            guard let result = try nextPipelineResult(sql: sql) else { continue }
            var isKept = false
            defer { if !isKept { PQclear(result) } }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQexitPipelineMode(raw)
                if let failure { throw failure }
                return
            case PGRES_PIPELINE_ABORTED: continue
            default: break
            }
            do { try check(result, sql: sql, hasValues: hasValues) } catch { failure = failure ?? error }
            if isLost { throw failure ?? lostError(sql: sql) }
            if failure == nil {
                isKept = keepsResults
                body(result)
            }
        }
    }

    /// Receives the results of a command, calls `body` with each, and returns the last one, or the first that is an
    /// error.
    func lastResult(sql: String, _ body: (OpaquePointer) -> Void = { _ in }) throws -> OpaquePointer {
        var last: OpaquePointer?
        do {
            while let result = try nextResult(sql: sql) {
                switch PQresultStatus(result) {
                case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                    PQclear(result)
                    throw copyError(sql: sql)
                default: break
                }
                body(result)
                if let earlier = last {
                    // Later results of a failed command only repeat the failure.
                    let keeps = PQresultStatus(earlier) == PGRES_FATAL_ERROR
                    PQclear(keeps ? result : earlier)
                    if keeps { continue }
                }
                last = result
            }
        } catch {
            PQclear(last)
            throw error
        }
        guard let last else {
            invalidate()
            throw lostError(sql: sql)
        }
        return last
    }

    func drainResults(sql: String) throws {
        while let result = try nextResult(sql: sql) { PQclear(result) }
    }

    /// Throws the error of a result that reports one. `hasValues` says whether the command contained values.
    func check(_ result: OpaquePointer, sql: String, hasValues: Bool = true) throws {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_PIPELINE_SYNC: return
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw copyError(sql: sql)
        case PGRES_EMPTY_QUERY: throw PostgreSQLError(.misuse, "the SQL text contains no statement", sql: sql)
        default: throw failure(of: result, sql: sql, hasValues: hasValues)
        }
    }

    private func failure(of result: OpaquePointer, sql: String, hasValues: Bool) -> any Error {
        guard let code = RuntimeErrorMessage.field(.sqlState, of: result) else {
            // libpq itself reports the loss of the connection.
            invalidate()
            return lostError(sql: sql)
        }
        if PQstatus(raw) == CONNECTION_BAD || Self.endsConnection(result) { invalidate() }
        if code == PostgreSQLError.Code.queryCanceled.rawValue {
            if interruption.isRequested { return CancellationError() }
            if interruption.hasTimedOut { return timeoutError(sql: sql) }
        }
        if code == PostgreSQLError.Code.transactionAborted.rawValue, abortError != nil { return swallowedError }
        let isMisnamed = recordStaleStatement(result, code: code)
        let message =
            isMisnamed
            ? "the server has other prepared statements than this connection has made, as after DEALLOCATE or behind "
                + "a pooler; the next transaction prepares its statements anew"
            : hasValues
                ? RuntimeErrorMessage.text(of: result, code: code)
                : RuntimeErrorMessage.field(.message, of: result) ?? ""
        guard !isLost else {
            return PostgreSQLError(.connectionLost, "the server ended the connection: \(message)", sql: sql)
        }
        let error = PostgreSQLError(
            PostgreSQLError.Code(rawValue: code), message, sql: sql,
            constraint: RuntimeErrorMessage.field(.constraint, of: result))
        if transactionDepth > 0, abortError == nil { abortError = error }
        return error
    }

    private static func endsConnection(_ result: OpaquePointer) -> Bool {
        let severity = RuntimeErrorMessage.field(.severity, of: result)
        return severity == "FATAL" || severity == "PANIC"
    }

    static let statementPrefix = "postgresql_store_"

    /// Records a failure of a cached statement that is no longer valid, because the schema has changed or the
    /// session of the server has other statements; returns whether it has others.
    private func recordStaleStatement(_ result: OpaquePointer, code: String) -> Bool {
        // There is no prepared statement of this name, or there is one already.
        let isMisnamed =
            (code == "26000" || code == "42P05")
            && RuntimeErrorMessage.field(.message, of: result)?.contains(Self.statementPrefix) == true
        let isStale =
            isMisnamed
            || code == "0A000"
                && RuntimeErrorMessage.field(.sourceFunction, of: result) == "RevalidateCachedQuery"
        if isStale { hasStaleStatement = true }
        return isMisnamed
    }

    /// Invalidates the connection, because the protocol has no way to end a `COPY` within the transaction, and
    /// returns the error.
    func copyError(sql: String) -> PostgreSQLError {
        invalidate()
        return PostgreSQLError(
            .misuse, "COPY cannot be run as a statement: use copy(into:columns:_:_:)", sql: sql)
    }

    func lostError(sql: String?) -> PostgreSQLError {
        PostgreSQLError(.connectionLost, "the connection to the server was lost", sql: sql)
    }

    private func sendingFailure(sql: String) -> PostgreSQLError {
        guard PQstatus(raw) == CONNECTION_OK else {
            invalidate()
            return lostError(sql: sql)
        }
        return PostgreSQLError(.misuse, "libpq cannot send the statement in the connection's state", sql: sql)
    }
}
#endif
