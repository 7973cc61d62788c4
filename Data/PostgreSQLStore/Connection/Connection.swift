#if PostgreSQL
    internal import CPostgreSQL
    internal import DatabaseAccess
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// A connection to a database, within an access.
    ///
    /// The closures of `Database.read` and `Database.write` receive it; each runs on one thread from beginning to end.
    /// A connection is not `Sendable`: the compiler prevents it from leaving the closures of accesses.
    ///
    /// ```swift
    /// let count = try await database.write { db in
    ///     try db.execute("DELETE FROM cities WHERE population < 1000")
    ///     return try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") ?? 0
    /// }
    /// ```
    public final class Connection {
        /// The handle of libpq (a `PGconn`), for features without a wrapper. Leave no transaction open and no result
        /// unread.
        ///
        /// ```swift
        /// let version = try await database.read { db in PQserverVersion(db.handle) }    // 150020: PostgreSQL 15.20
        /// ```
        public var handle: OpaquePointer {
            // Statements that the user sends with the handle belong to the transaction of the access.
            ensureBegun()
            return raw
        }
        /// The same handle, for commands of this library, which begin the transaction themselves.
        let raw: OpaquePointer
        let configuration: Database.Configuration
        /// Cancels the access that uses the connection.
        private(set) var interruption: Interruption
        private let canceller: Canceller?
        /// The end of the time of the access that uses the connection.
        private(set) var accessDeadline = Deadline.never
        let parameters = ParameterBuffer()
        /// The prepared statements.
        let prepared: StatementCache
        /// Statements that are sent as text, with the types of their parameters.
        let described: StatementCache
        /// Whether a pooler stands between this connection and the server: each transaction may run on another
        /// session, with other prepared statements and settings.
        package internal(set) var isPooled = false
        /// Whether statements are prepared under a name.
        var preparesStatements = true
        /// The maximum time for one statement.
        private var statementTimeout: Duration?
        /// The end of the time of the running statement, from the first time that it is waited for.
        private var statementDeadline: Deadline?
        /// Whether the connection is given up at that end, without a request to cancel the statement.
        private(set) var isStrict = false
        /// The number of open transactions, including nested ones.
        var transactionDepth = 0
        /// The command that begins the transaction, until it is sent with the first statement.
        var pendingBegin: String?
        /// Whether the server has begun the current or last transaction.
        var hasBegun = false
        /// How the server plans prepared statements for the rest of the transaction: `automatic` or `generic`.
        var planMode = SQL.Plan.automatic
        /// The first error since the transaction began; later statements fail because of it.
        var abortError: PostgreSQLError?
        /// Whether a statement failed only because the server no longer has it as it was prepared.
        var hasStaleStatement = false
        /// Whether the server may have prepared statements that the cache does not have.
        var hasUnknownStatement = false
        /// The topics to announce at the commit.
        var topics: Set<String> = []
        /// Whether the rows of a result are being received.
        var isStreaming = false
        /// Whether the connection was lost or invalidated.
        private(set) var isLost = false

        /// Takes ownership of a connected handle.
        init(handle: OpaquePointer, configuration: Database.Configuration, interruption: Interruption) {
            raw = handle
            self.configuration = configuration
            self.interruption = interruption
            canceller = Canceller(of: handle)
            statementTimeout = configuration.statementTimeout
            prepared = StatementCache(capacity: configuration.statementCacheCapacity)
            described = StatementCache(capacity: configuration.statementCacheCapacity)
        }

        deinit {
            PQfinish(raw)
        }

        /// Begins the use by an access, which may take until `end`.
        func lease(to interruption: Interruption, until end: Deadline) {
            (self.interruption, accessDeadline) = (interruption, end)
            interruption.connect(to: canceller)
        }

        /// Whether the next access can use the connection. Detects without a round trip that the server has closed it.
        var isUsable: Bool {
            guard !isLost else { return false }
            var descriptor = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 0) > 0 else { return true }
            return PQconsumeInput(raw) != 0 && PQstatus(raw) == CONNECTION_OK
        }

        /// Shuts the connection down: the access that uses it ends with an error, and the next access opens another.
        func invalidate() {
            guard !isLost else { return }
            isLost = true
            // Otherwise closing could wait for a server that does not read.
            shutdown(PQsocket(raw), Int32(SHUT_RDWR))
        }

        /// Runs `body` with another limit for the time of each statement, in place of that of the access; nil is no
        /// limit. The time that `body` takes does not count for the access.
        ///
        /// ```swift
        /// try db.withStatementTimeout(.seconds(600)) { try db.execute("CREATE INDEX …") }
        /// ```
        ///
        /// - Throws: The errors of `body`.
        public func withStatementTimeout<Result>(_ timeout: Duration?, _ body: () throws -> Result) rethrows -> Result {
            let (outer, deadline, begin) = (statementTimeout, accessDeadline, MonotonicClock.now())
            (statementTimeout, accessDeadline) = (timeout, .never)
            defer {
                statementTimeout = outer
                accessDeadline = deadline.postponed(by: MonotonicClock.now() - begin)
            }
            return try body()
        }

        /// The end of the time of the running statement: of the access, or of the statement alone if that is earlier.
        var deadline: Deadline {
            if let statementDeadline { return statementDeadline }
            let deadline = Deadline(after: statementTimeout).earlier(of: accessDeadline)
            statementDeadline = deadline
            return deadline
        }

        /// Begins the time of a statement; `end` replaces its usual end.
        func beginStatement(until end: Deadline?) {
            (statementDeadline, isStrict) = (end, end != nil)
        }

        /// Waits no longer for the end of the running statement itself, which has been requested.
        func ignoreDeadline() {
            statementDeadline = .never
        }

        /// The error of a statement that was cancelled at its deadline.
        func timeoutError(sql: String) -> PostgreSQLError {
            let limit =
                accessDeadline.hasPassed
                ? "the access took longer than \(configuration.accessTimeout ?? .zero)"
                : "the statement took longer than \(statementTimeout ?? .zero)"
            return PostgreSQLError(
                .statementTimeout,
                "\(limit) and was cancelled: shorten it, or run it within withStatementTimeout(_:_:)", sql: sql)
        }
    }
#endif
