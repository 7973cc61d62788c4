#if PostgreSQL
internal import CPostgreSQL
internal import DatabaseAccess

extension Connection {
    /// Runs `body` atomically: if it throws, its changes are rolled back and the error is rethrown.
    ///
    /// A nested transaction, as in the example, is a savepoint: the enclosing transaction can catch the error and
    /// continue. Without it, the server accepts no further statement after a failed one. In
    /// `writeWithoutTransaction` the outermost transaction is a `BEGIN` and `COMMIT`, and does not run again after
    /// a failure.
    ///
    /// ```swift
    /// try await database.write { db in
    ///     for trip in trips {
    ///         do { try db.transaction { try insert(trip, db) } } catch { skipped.append(trip.id) }
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: The errors of `body`; ``PostgreSQLError``, such as `.serializationFailure` at the end of an
    ///   outermost transaction; `CancellationError`.
    @discardableResult
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        if transactionDepth == 0 {
            try begin(configuration.isolation, isReadOnly: false)
            return try finishTransaction(body)
        }
        let name = "postgresql_store_\(transactionDepth)"
        try runSimple("SAVEPOINT \(name)")
        transactionDepth += 1
        let (earlierTopics, earlierMode) = (topics, planMode)
        do {
            defer { transactionDepth -= 1 }
            let result = try body()
            try checkNotAborted()
            try runSimple("RELEASE SAVEPOINT \(name)")
            return result
        } catch {
            topics = earlierTopics
            // A cancelled or lost transaction is rolled back as a whole. So is one that must be run again.
            guard !isLost, !interruption.isRequested, !mustRetry else { throw error }
            try runSimple("ROLLBACK TO SAVEPOINT \(name)")
            planMode = earlierMode
            try runSimple("RELEASE SAVEPOINT \(name)")
            abortError = nil
            throw error
        }
    }

    /// Begins an outermost transaction. Its first statement sends the `BEGIN`: see ``beginNow()``.
    func begin(_ isolation: Database.Isolation, isReadOnly: Bool) throws {
        try forgetStaleStatements()
        self.isReadOnly = isReadOnly
        // A write leaves the default to the server, whose administrator may have turned writing off.
        let mode = isReadOnly ? " READ ONLY" : configuration.overridesReadOnlyDefault ? " READ WRITE" : ""
        pendingBegin = "BEGIN ISOLATION LEVEL \(isolation.rawValue)\(mode)"
        hasBegun = false
        transactionDepth = 1
        (abortError, topics, planMode) = (nil, [], .automatic)
    }

    /// Runs `body` in the transaction that has begun, and commits or rolls back. The commit is the point of no
    /// return: later cancellation has no effect on it.
    func finishTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        defer {
            interruption.transactionEnded()
            (transactionDepth, pendingBegin) = (0, nil)
            topics = []
        }
        do {
            let result = try body()
            try checkNotAborted()
            try announceTopics()
            guard interruption.passPointOfNoReturn() else { throw CancellationError() }
            // Without a statement there is nothing to commit.
            if pendingBegin == nil { try commit() }
            return result
        } catch {
            // A late cancellation must not interrupt the rollback.
            interruption.end()
            if !isLost, PQtransactionStatus(raw) != PQTRANS_IDLE {
                // The error that is thrown covers a failure of the rollback, which only loses the connection.
                do {
                    try runSimple(
                        "ROLLBACK", ignoresCancellation: true,
                        until: Deadline(after: configuration.cancellationTimeout))
                } catch {
                    invalidate()
                }
            }
            throw error
        }
    }

    /// Sends the command that begins the transaction, if it has not been sent.
    func beginNow() throws {
        guard let begin = pendingBegin else { return }
        pendingBegin = nil
        do {
            try runSimple(begin)
        } catch {
            // Later statements must not run outside the transaction.
            if !isLost { pendingBegin = begin }
            throw error
        }
        hasBegun = true
    }

    /// Like ``beginNow()``, where an error cannot be thrown. If the transaction cannot begin, invalidates the
    /// connection, so that no statement runs outside a transaction.
    func ensureBegun() {
        guard pendingBegin != nil else { return }
        do { try beginNow() } catch { invalidate() }
    }

    /// Whether the connection was lost before the transaction began on the server, so that it has changed nothing.
    var wasLostBeforeBegin: Bool { isLost && !hasBegun }

    /// Whether the transaction failed because of others or of a stale statement, and can succeed if it runs again.
    var mustRetry: Bool { !isLost && (hasStaleStatement || abortError?.code.isRetryable ?? false) }

    private func commit() throws {
        do {
            guard try runSimple("COMMIT", ignoresCancellation: true) != "COMMIT" else { return }
            throw PostgreSQLError(.transactionAborted, "the server has rolled the transaction back")
        } catch let error as PostgreSQLError where isLost {
            // What a read has read is complete.
            if isReadOnly { return }
            throw PostgreSQLError(
                .commitUnknown,
                "the connection was lost during the commit, and whether it took effect is unknown: \(error.message)"
            )
        }
    }

    /// Throws if an error that was not rethrown has aborted the transaction: the server would roll it back.
    private func checkNotAborted() throws {
        if isLost { throw lostError(sql: nil) }
        // A first statement that could not be prepared has failed before the transaction began on the server.
        let isOpen = pendingBegin != nil || PQtransactionStatus(raw) == PQTRANS_INTRANS
        if isOpen, abortError == nil {
            if pendingBegin != nil, interruption.isRequested { throw CancellationError() }
            return
        }
        guard isOpen || PQtransactionStatus(raw) == PQTRANS_INERROR else {
            throw PostgreSQLError(.misuse, "the transaction was ended within the access")
        }
        if interruption.isRequested { throw CancellationError() }
        throw swallowedError
    }

    /// The error of a transaction that goes on after a statement in it has failed.
    var swallowedError: PostgreSQLError {
        PostgreSQLError(
            .transactionAborted,
            "an error that was not rethrown has aborted the transaction: "
                + (abortError?.message ?? "a statement failed"), sql: abortError?.sql)
    }
}
#endif
