extension Database {
    /// Runs `body` on one consistent state of the database: that of its first statement, whatever is written meanwhile.
    ///
    /// Several reads run at the same time, and beside a write. A write that has returned is seen by every read that
    /// begins after it. `body` runs where `configuration.execution` says, and once.
    ///
    /// Where more reads are asked for than there are connections, those of tasks of high priority come first, unless
    /// another has waited for a second longer; reads of tasks of low priority leave one connection free for the others.
    ///
    /// - Throws: what `body` throws; `CancellationError` if the task is cancelled before `body` has ended;
    ///   `.reentrantAccess` inside of another access to the same database; `.closed` after `close`; `.misuse` if `body`
    ///   leaves a statement running by way of the connection's handle.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try CurrentAccess.check(hub)
        return try await readers.run(isolation: #isolation) { [hub] db in try Self.read(db, hub, body) }
    }

    /// Runs `body` in a transaction, alone among all writes: committed when it returns, undone when it throws.
    ///
    /// Writes take turns in the order in which they were asked for. `body` runs where `configuration.execution` says, and
    /// once: nothing is tried again.
    ///
    /// - Throws: what `body` throws; `.busy` if another process writes for longer than the busy timeout; what the commit
    ///   meets, such as `.full`, with everything undone; `CancellationError` if the task is cancelled before the commit.
    ///   Once the commit has begun, cancellation has no effect. `.misuse` if an error that was not passed on has rolled the
    ///   transaction back, or something has ended it by way of the connection's handle. `.reentrantAccess` and `.closed` as `read`; `.readOnly` if
    ///   the database was opened for reading only.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkWriting()
        return try await writer.run(isolation: #isolation) { [hub] db in try Self.write(db, hub, body) }
    }

    /// Runs `body` on the connection that writes, without a transaction around it: for what SQLite allows nowhere else,
    /// such as `VACUUM` and some pragmas. Each statement commits by itself; `transaction` makes one of several.
    ///
    /// - Throws: what `body` throws, and as `write` else; `.misuse` if `body` leaves a transaction open, which is undone.
    ///   What has been committed by then stays. Cancellation counts until `body` has ended, except while a transaction in it
    ///   commits: then it counts from there on.
    @discardableResult
    public func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try checkWriting()
        return try await writer.run(isolation: #isolation) { [hub] db in try Self.work(db, hub, body) }
    }

    /// `read` for where nothing can be awaited, such as a callback of another library: `body` runs on the caller's own thread, whatever
    /// `configuration.execution` is, and the thread is blocked while all readers are taken.
    ///
    /// The thread waits for the disk as well, so keep it away from the main thread. It does not hear of cancellation.
    ///
    /// - Throws: what `body` throws; `.reentrantAccess` inside of another access to the same database, which would wait
    ///   for itself.
    @available(*, noasync, message: "await the read instead")
    public func blockingRead<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try CurrentAccess.check(hub)
        return try readers.runBlocking { db in try Self.read(db, hub, body) }
    }

    /// `write` for where nothing can be awaited, such as a callback of another library: `body` runs on the caller's own thread, whatever
    /// `configuration.execution` is, and the thread is blocked until it is its turn.
    ///
    /// The thread waits for the disk as well, so keep it away from the main thread. It does not hear of cancellation.
    ///
    /// - Throws: what `body` throws; `.busy` as `write`; `.reentrantAccess` inside of another access to the same
    ///   database, which would wait for itself.
    @discardableResult
    @available(*, noasync, message: "await the write instead")
    public func blockingWrite<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try checkWriting()
        return try writer.runBlocking { db in try Self.write(db, hub, body) }
    }

    /// A read that also tells what it has read.
    func fetchForObservation<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> (value: Value, region: Region) {
        try CurrentAccess.check(hub)
        return try await readers.run(isolation: isolation) { [hub, externalChangeMonitor] db in
            externalChangeMonitor?.willFetch()
            return try Self.read(db, hub) { db in try db.recordingReads { try body(db) } }
        }
    }

    /// The same on a thread of the database's, for whoever waits for `completion`.
    func startFetch<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value,
        completion: @escaping @Sendable (Result<(value: Value, region: Region), any Error>) -> Void
    ) -> Access<(value: Value, region: Region)> {
        let access = Access(
            { [hub, externalChangeMonitor] db in
                externalChangeMonitor?.willFetch()
                return try Self.read(db, hub) { db in try db.recordingReads { try body(db) } }
            }, completion: completion)
        do { try readers.add(access) } catch { access.fail(error) }
        return access
    }

    private func checkWriting() throws {
        if configuration.isReadOnly { throw SQLiteError(.readOnly, "the database was opened for reading only") }
        try CurrentAccess.check(hub)
    }

    private static func read<Value>(
        _ db: Connection, _ hub: ObservationHub, _ body: (Connection) throws -> Value
    ) throws -> Value {
        db.isWritable = false
        return try CurrentAccess.enter(hub) {
            try db.leavingNothingOpen {
                try db.checkedTransaction(begin: "BEGIN DEFERRED", isWriting: false) { try body(db) }
            }
        }
    }

    private static func write<Value>(
        _ db: Connection, _ hub: ObservationHub, _ body: (Connection) throws -> Value
    ) throws -> Value {
        try work(db, hub) { db in
            try db.checkedTransaction(begin: "BEGIN IMMEDIATE", isWriting: true) { try body(db) }
        }
    }

    /// Observers are told even if `body` throws: without a transaction around it, what it did before that is done.
    private static func work<Value>(
        _ db: Connection, _ hub: ObservationHub, _ body: (Connection) throws -> Value
    ) throws -> Value {
        db.isWritable = true
        _ = db.changes.take()
        _ = db.recorder.take()
        defer {
            hub.committed(db.changes.take())
            db.limitLog()
        }
        return try CurrentAccess.enter(hub) { try db.leavingNothingOpen { try body(db) } }
    }
}
