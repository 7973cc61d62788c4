extension Database {
    /// Runs `body` on one consistent state of the database: that of its first statement, whatever is written meanwhile.
    ///
    /// Several reads run at the same time, and beside a write. A write that has returned is seen by every read that
    /// begins after it.
    ///
    /// - Throws: what `body` throws; `CancellationError` if the task is cancelled before `body` has ended.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try CurrentAccess.check(hub)
        return try await readers.run(isolation: #isolation, reading(body))
    }

    /// Runs `body` in a transaction, alone among all writes: committed when it returns, undone when it throws.
    ///
    /// - Throws: what `body` throws; `.busy` if another process writes for longer than the busy timeout;
    ///   `CancellationError` if the task is cancelled before the commit. Once the commit has begun, cancellation has no
    ///   effect.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkWriting()
        return try await writer.run(isolation: #isolation, writing(body))
    }

    /// Runs `body` on the connection that writes, without a transaction around it: for what SQLite allows nowhere else,
    /// such as `VACUUM` and some pragmas. Each statement commits by itself; `transaction` makes one of several.
    @discardableResult
    public func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkWriting()
        return try await writer.run(isolation: #isolation, working(body))
    }

    /// `read` for where nothing can be awaited: it blocks the thread.
    ///
    /// - Throws: `.reentrantAccess` inside of another access to the same database, which would wait for itself.
    @available(*, noasync, message: "await the read instead")
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) throws -> Value {
        try CurrentAccess.check(hub)
        return try readers.runBlocking(reading(body))
    }

    /// `write` for where nothing can be awaited: it blocks the thread.
    ///
    /// - Throws: `.reentrantAccess` inside of another access to the same database, which would wait for itself.
    @discardableResult
    @available(*, noasync, message: "await the write instead")
    public func write<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) throws -> Value {
        try checkWriting()
        return try writer.runBlocking(writing(body))
    }

    /// A read that also tells what it has read.
    func fetchForObservation<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> (value: Value, region: Region) {
        try CurrentAccess.check(hub)
        return try await readers.run(
            isolation: isolation, reading { connection in try connection.recordingReads { try body(connection) } })
    }

    private func checkWriting() throws {
        if configuration.isReadOnly { throw SQLiteError(.readOnly, "the database was opened for reading only") }
        try CurrentAccess.check(hub)
    }

    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) -> @Sendable (Connection) throws -> Value {
        { [hub] connection in
            connection.isWritable = false
            return try CurrentAccess.enter(hub) {
                try connection.outermostTransaction(begin: "BEGIN DEFERRED") { try body(connection) }
            }
        }
    }

    private func writing<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) -> @Sendable (Connection) throws -> Value {
        working { connection in
            try connection.outermostTransaction(begin: "BEGIN IMMEDIATE") { try body(connection) }
        }
    }

    /// Observers are told even if `body` throws: without a transaction around it, what it did before that is done.
    private func working<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) -> @Sendable (Connection) throws -> Value {
        { [hub] connection in
            connection.isWritable = true
            _ = connection.changes.take()
            _ = connection.recorder.take()
            defer { hub.committed(connection.changes.take()) }
            return try CurrentAccess.enter(hub) { try body(connection) }
        }
    }
}
