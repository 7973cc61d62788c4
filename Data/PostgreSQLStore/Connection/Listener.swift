#if PostgreSQL
internal import CPostgreSQL
internal import DatabaseAccess

/// Listens on a connection of its own to the announcements of commits, while there are observers.
///
/// After a lost connection it connects again, and reports that everything has changed, because it may have missed
/// announcements.
final class Listener: Sendable {
    private let opener: ConnectionOpener
    private let report: @Sendable (Region) -> Void
    private let state = Mutex(State())
    private let changed = ConditionVariable()
    private let interruption = Interruption()

    private struct State {
        var observerCount = 0
        var hasThread = false
        var isClosed = false
        var isListening = false
        /// The error of the last attempt to listen, since the connection was lost.
        var failure: (any Error)?
        /// The socket that the thread waits on; shutting it down wakes the thread.
        var socket: SharedSocket?
        /// Resumed when the listener receives announcements, or when an attempt has failed.
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
        var closeHandlers: [@Sendable () -> Void] = []

        var mustRun: Bool { observerCount > 0 && !isClosed }
    }

    init(opener: ConnectionOpener, report: @escaping @Sendable (Region) -> Void) {
        self.opener = opener
        self.report = report
    }

    func addObserver() {
        let starts = state.withLock { state in
            state.observerCount += 1
            guard !state.hasThread, !state.isClosed else { return false }
            state.hasThread = true
            return true
        }
        guard starts else { return }
        let code = startThread { [self] in run() }
        guard code != 0 else { return }
        ended(
            PostgreSQLError(.cannotConnect, "the system cannot start a thread to listen (error \(code))"),
            threadEnds: true)
    }

    func removeObserver() {
        state.withLock { state in
            state.observerCount -= 1
            if !state.mustRun { wake(state) }
        }
    }

    func close(completion: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.isClosed = true
            wake(state)
            if state.hasThread { state.closeHandlers.append(completion) }
            return !state.hasThread
        }
        if isOver { completion() }
    }

    /// Waits until the listener receives announcements of commits.
    ///
    /// - Throws: The error of the first attempt to listen since the connection was lost; `CancellationError`.
    func listening(isolation: isolated (any Actor)?) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            _ = isolation
            await withCheckedContinuation { continuation in
                let mayWait = state.withLock { state in
                    guard !state.isListening, state.failure == nil, state.mustRun, !Task.isCancelled else {
                        return false
                    }
                    state.waiters[id] = continuation
                    return true
                }
                if !mayWait { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume()
        }
        try Task.checkCancellation()
        if let failure = state.withLock({ $0.isListening ? nil : $0.failure }) { throw failure }
    }

    private func wake(_ state: State) {
        changed.broadcast()
        state.socket?.shutDown()
    }

    // MARK: The thread

    private func run() {
        var pause = Duration.milliseconds(20)
        while state.withLock({ $0.mustRun }) {
            do {
                try listen { pause = .milliseconds(20) }
            } catch {
                ended(error, threadEnds: false)
                // The values of observers may be out of date. Their fetches report that the server is unreachable.
                report(.everything)
                state.withLock(after: changed, until: Deadline(after: pause), while: { $0.mustRun }, { _ in })
                pause = min(pause * 2, .seconds(1))
            }
        }
        ended(nil, threadEnds: true)
    }

    private func ended(_ error: (any Error)?, threadEnds: Bool) {
        let (waiters, handlers, restarts) = state.withLock {
            state -> ([UInt64: CheckedContinuation<Void, Never>], [@Sendable () -> Void], Bool) in
            (state.isListening, state.socket, state.failure) = (false, nil, error)
            defer { state.waiters = [:] }
            // An observer may have been added in the meantime.
            let restarts = threadEnds && state.mustRun && error == nil
            guard threadEnds, !restarts else { return (state.waiters, [], restarts) }
            state.hasThread = false
            defer { state.closeHandlers = [] }
            return (state.waiters, state.closeHandlers, false)
        }
        for waiter in waiters.values { waiter.resume() }
        for handler in handlers { handler() }
        if restarts { run() }
    }

    /// Listens until the last observer is removed or the connection is lost.
    private func listen(began: () -> Void) throws {
        _ = interruption.begin(.onThread)
        defer { interruption.end() }
        let connection = try opener.open(interruption, until: .never)
        if connection.isPooled { try checkNotifications(connection) }
        let channel = try connection.fetchOne(String.self, "SELECT \(connection.channelName)")
        // Before it listens: its own observers fetch anyway.
        var isPresent = try connection.acquirePresenceLock()
        try connection.runSimple("LISTEN \((channel ?? opener.configuration.channel).quotedIdentifier)")
        let socket = try SharedSocket(of: connection.handle)
        let waiters = state.withLock { state in
            (state.isListening, state.failure, state.socket) = (true, nil, socket)
            defer { state.waiters = [:] }
            return state.waiters
        }
        defer { state.withLock { $0.socket = nil } }
        began()
        report(.everything)
        for waiter in waiters.values { waiter.resume() }
        while state.withLock({ $0.mustRun }) {
            let isReady = Socket(of: connection.handle).wait(milliseconds: isPresent ? 60_000 : 1000)
            guard state.withLock({ $0.mustRun }) else { return }
            if isReady, PQconsumeInput(connection.handle) == 0 || PQstatus(connection.handle) == CONNECTION_BAD {
                throw connection.lostError(sql: nil)
            }
            if !isPresent {
                isPresent = try connection.acquirePresenceLock()
            } else if !isReady {
                // Detects an unreachable server.
                try connection.runSimple("SELECT 1")
            }
            reportAnnouncements(of: connection)
        }
    }

    /// Throws if a pooler does not pass on notifications, because the connection has no session of its own: observers
    /// would wait in vain, and the lock of this process would stay with another client.
    private func checkNotifications(_ connection: Connection) throws {
        // Nobody else uses this channel, also if a session of the server that other clients use listens to it.
        let channel = "postgresql_store_\(UInt64.random(in: 0 ... .max))"
        try connection.runSimple("LISTEN \(channel)")
        try opener.open(interruption, until: .never).runSimple("NOTIFY \(channel)")
        // The other connection has changed whom the interruption cancels.
        connection.lease(to: interruption, until: .never)
        let end = Deadline(after: .seconds(5))
        while !end.hasPassed, state.withLock({ $0.mustRun }) {
            let isReady = Socket(of: connection.handle).wait(milliseconds: end.milliseconds(atMost: 100))
            if isReady, PQconsumeInput(connection.handle) == 0 { throw connection.lostError(sql: nil) }
            if let notification = PQnotifies(connection.handle) {
                PQfreemem(notification)
                try connection.runSimple("UNLISTEN \(channel)")
                return
            }
        }
        throw PostgreSQLError(
            .misuse,
            "the connection pooler does not pass on notifications: observe a database that is opened at the server "
                + "itself, or through a pooler in session mode")
    }

    private func reportAnnouncements(of connection: Connection) {
        var topics: Set<String> = []
        while let announcement = PQnotifies(connection.handle) {
            topics.insert(String(cString: announcement.pointee.extra))
            PQfreemem(announcement)
        }
        guard !topics.isEmpty else { return }
        report(topics.contains(Connection.everything) ? .everything : Region(topics: topics))
    }
}

extension Connection {
    /// Acquires the lock by which writers detect observers; see `announceTopics`. Returns false if another process
    /// holds it, or if writers share it for longer than a second.
    fileprivate func acquirePresenceLock() throws -> Bool {
        guard try takePresenceLock() else { return false }
        // Before, the lock may have been free for a moment, in which commits announced nothing. The other processes that
        // observe cannot tell.
        try execute("SELECT pg_notify(\(channelName), \(Self.everything))")
        return true
    }

    private func takePresenceLock() throws -> Bool {
        let key = presenceKey
        if try fetchOne(Bool.self, "SELECT pg_try_advisory_lock(\(key))") ?? false { return true }
        let isOtherPresent = try fetchOne(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT FROM pg_catalog.pg_locks
                WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted AND objsubid = 1
                    AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
                    AND (classid::bigint << 32) | objid::bigint = \(key)
            )
            """)
        if isOtherPresent ?? false { return false }
        // Writers share the lock until their commit. Later writers detect this request, and announce their topics.
        do {
            return try withStatementTimeout(.seconds(1)) {
                try execute("SELECT pg_advisory_lock(\(key))")
                return true
            }
        } catch let error as PostgreSQLError where error.code == .statementTimeout && !isLost {
            return false
        }
    }
}

extension Connection {
    /// The limits up to which a commit announces topics by name: their number, and the size of each in UTF-8 bytes.
    private static let (maximumCount, maximumSize) = (100, 7000)

    /// The channel on which the topics of the schema are announced.
    fileprivate var channelName: SQL { "\(configuration.channel)::text || '_' || md5(\(schema)::text)" }

    /// The key of the lock of the schema's observers.
    fileprivate var presenceKey: SQL { "hashtextextended(\(configuration.channel)::text || ' ' || \(schema)::text, 0)" }

    /// The payload that announces a change of everything; the payload of a topic is never empty.
    static let everything = ""

    /// Announces the topics at the commit, if the schema has an observer.
    ///
    /// Commits that notify wait for each other. Therefore one of the observing processes holds an exclusive
    /// advisory lock, which each writer tries to share until the end of its transaction. If the writer succeeds,
    /// there is no observer: a later one requests the lock before its first fetch, and announces a change of
    /// everything once it has the lock, after the writer's commit.
    func announceTopics() throws {
        guard !topics.isEmpty else { return }
        let isTooMuch =
            topics.count > Self.maximumCount
            || topics.contains { $0.isEmpty || $0.utf8.count > Self.maximumSize || $0.utf8.contains(0) }
        let names = isTooMuch ? [Self.everything] : topics.sorted()
        try execute(
            """
            SELECT pg_notify(\(channelName), topic)
            FROM (
                SELECT NOT pg_try_advisory_xact_lock_shared(\(presenceKey)) AS is_observed
                OFFSET 0
            ) AS observers, unnest(\(names)::text[]) AS topic
            WHERE is_observed
            """)
    }
}
#endif
