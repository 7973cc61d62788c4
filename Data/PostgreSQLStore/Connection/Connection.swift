#if PostgreSQL
public import CPostgreSQL
internal import DatabaseAccess

/// A connection to a database, within an access.
///
/// The closures of `Database.read` and `Database.write` receive it; each runs on one thread from beginning to end. A
/// connection is not `Sendable`: the compiler prevents it from leaving the closures of accesses.
///
/// Its methods throw ``PostgreSQLError``, such as `.mismatch` for a value of another type than requested; the errors of
/// their closures and of `init(row:)`; and `CancellationError` once the access has been cancelled.
public final class Connection {
    /// The handle of libpq (a `PGconn`), for features without a wrapper. Leave no transaction open and no result
    /// unread.
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
    let prepared: StatementCache
    /// Statements that are sent as text, with the types of their parameters.
    let described: StatementCache
    /// The text of the statements of each type of records.
    var recordStatements: [ObjectIdentifier: RecordStatements] = [:]
    /// Whether a pooler stands between this connection and the server: each transaction may run on another
    /// session, with other prepared statements and settings.
    package internal(set) var isPooled = false
    var preparesStatements = true
    /// What is known of the types that the database defines: for an array of a domain, the type that its elements are
    /// based on, and nil for another type.
    var domainElements: [TypeID: TypeID?] = [:]
    private var statementTimeout: Duration?
    /// The end of the time of the running statement, from the first time that it is waited for.
    private var statementDeadline: Deadline?
    /// Whether the connection is given up at that end, without a request to cancel the statement.
    private(set) var isStrict = false
    var transactionDepth = 0
    /// The command that begins the transaction, until it is sent with the first statement.
    var pendingBegin: String?
    /// Whether the current or last transaction only reads.
    var isReadOnly = false
    /// Whether the server has begun the current or last transaction.
    var hasBegun = false
    /// How the server plans prepared statements for the rest of the transaction: `automatic` or `generic`.
    var planMode = SQL.Plan.automatic
    /// The first error since the transaction began; later statements fail because of it.
    var abortError: PostgreSQLError?
    /// Whether a statement failed only because the server no longer has it as it was prepared.
    var hasStaleStatement = false
    /// Whether the transaction has changed the schema since its statements were prepared.
    var hasChangedSchema = false
    /// Whether the server may have prepared statements that the cache does not have.
    var hasUnknownStatement = false
    var topics: Set<String> = []
    /// The schema of unqualified names when the connection was opened, to which its topics belong; empty if there is
    /// none. A transaction may choose another one for itself.
    var schema = ""
    var isStreaming = false
    /// Whether the connection was lost or invalidated.
    private(set) var isLost = false

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

    /// Whether the next access can use the connection. Detects without a round trip that the server has closed it, also
    /// after bytes such as those of the reason, before which libpq does not see the end.
    var isUsable: Bool {
        guard !isLost else { return false }
        while Socket(of: raw).wait(milliseconds: 0) {
            guard PQconsumeInput(raw) != 0, PQstatus(raw) == CONNECTION_OK else { return false }
        }
        return true
    }

    /// Shuts the connection down: the access that uses it ends with an error, and the next access opens another.
    func invalidate() {
        guard !isLost else { return }
        isLost = true
        // Otherwise closing could wait for a server that does not read.
        Socket(of: raw).shutDown()
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

extension Connection {
    /// Runs one statement, and returns the number of rows that it inserted, updated or deleted.
    ///
    /// Rows that a `SELECT` or `RETURNING` yields are dropped.
    ///
    /// ```swift
    /// let liked = try db.execute(
    ///     "INSERT INTO liked (user, trip) VALUES (\(user), \(trip)) ON CONFLICT DO NOTHING") == 1
    /// ```
    ///
    /// - Throws: ``PostgreSQLError``, such as `.uniqueViolation`, or `.readOnly` for a statement that writes in a
    ///   read; `CancellationError` if the access has been cancelled.
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        try withResult(of: sql) { result, _ in changeCount(of: result) }
    }

    func changeCount(of result: OpaquePointer) -> Int {
        guard !["SELECT", "FETCH", "MOVE"].contains(where: tag(of: result).hasPrefix) else { return 0 }
        return PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// Announces at the commit that what `topic` stands for has changed, to all observers of the topic, also in
    /// other processes. After a rollback nothing is announced.
    ///
    /// ```swift
    /// try await database.write { db in
    ///     try db.execute("UPDATE trips SET title = \(title) WHERE id = \(id)")
    ///     db.notify("trips")
    /// }
    /// ```
    public func notify(_ topic: String) {
        topics.insert(topic)
    }
}

extension Connection {
    /// Calls `body` with each row of the result, in order. Only one row is in memory at a time, and no other statement
    /// can be run meanwhile. After an error of `body`, the remaining rows are received and dropped.
    ///
    /// For results that fit into memory `fetchAll` is faster.
    public func forEach(_ sql: SQL, _ body: (borrowing Row) throws -> Void) throws {
        try forEach(sql) { row, _ in try body(row) }
    }

    /// Calls `body` with each row of the result, in order, until `body` sets `stop`. The remaining rows are
    /// received and dropped.
    ///
    /// ```swift
    /// var total = 0
    /// try db.forEach("SELECT population FROM cities ORDER BY population DESC") { row, stop in
    ///     total += try row[0]
    ///     stop = total > 20_000_000
    /// }
    /// // Sums the largest cities until the total exceeds 20 million.
    /// ```
    public func forEach(_ sql: SQL, _ body: (_ row: borrowing Row, _ stop: inout Bool) throws -> Void) throws {
        var (attempt, hasRows) = (0, false)
        while true {
            let statement = try bound(sql)
            try setPlanMode(for: sql.plan)
            do {
                try exchange(sql: statement.sql) {
                    send(statement) & PQsetSingleRowMode(raw)
                } receive: {
                    isStreaming = true
                    defer { isStreaming = false }
                    try receiveRows(of: statement, &hasRows, body)
                }
                return try checkTransaction(after: statement.sql)
            } catch {
                // As in `runBound`, unless a row has been passed on.
                attempt += 1
                guard hasStaleStatement, !hasRows, !isLost, transactionDepth == 0, attempt < 3 else { throw error }
            }
        }
    }

    private func receiveRows(
        of statement: Statement, _ hasRows: inout Bool,
        _ body: (_ row: borrowing Row, _ stop: inout Bool) throws -> Void
    ) throws {
        while let result = try nextResult(sql: statement.sql) {
            defer { PQclear(result) }
            do {
                do { try check(result, sql: statement.sql) } catch {
                    recordChangedTypes(of: statement, after: error)
                    throw error
                }
                statement.hasSucceeded = true
                var stop = false
                if PQntuples(result) > 0 {
                    hasRows = true
                    try body(Row(result: result, statement: statement), &stop)
                }
                if stop { return try drainResults(sql: statement.sql) }
            } catch {
                if !isLost { try drainResults(sql: statement.sql) }
                throw error
            }
        }
    }

    /// Returns every row of the result, decoded by `decode`.
    ///
    /// ```swift
    /// let pairs = try db.fetchAll("SELECT name, population FROM cities") { row in
    ///     (name: try row[0] as String, population: try row[1] as Int?)
    /// }
    /// ```
    @inlinable
    public func fetchAll<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> [Value] {
        try withResult(of: sql) { result, statement in
            let count = PQntuples(result)
            var values: [Value] = []
            values.reserveCapacity(Int(count))
            var row = Row(result: result, statement: statement)
            while row.position < count {
                values.append(try decode(row))
                row.position += 1
            }
            return values
        }
    }

    @inlinable
    public func fetchAll<Value: RowDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> [Value] {
        try fetchAll(sql) { row in try Value(row: row) }
    }

    /// Returns the first column of every row of the result.
    ///
    /// ```swift
    /// let names = try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
    /// ```
    @inlinable
    public func fetchAll<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> [Value] {
        try fetchAll(sql) { row in try row[0] }
    }

    /// Returns the first row of the result, decoded by `decode`, or nil if the result is empty. Add `LIMIT 1` if
    /// there can be more rows: the server sends all of them.
    ///
    /// ```swift
    /// let id = try db.fetchOne(Int64.self, "INSERT INTO cities (name) VALUES (\(name)) RETURNING id")
    /// ```
    @inlinable
    public func fetchOne<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> Value? {
        try withResult(of: sql) { result, statement in
            PQntuples(result) > 0 ? try decode(Row(result: result, statement: statement)) : nil
        }
    }

    /// Returns the first row of the result, or nil if the result is empty.
    @inlinable
    public func fetchOne<Value: RowDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try Value(row: row) }
    }

    /// Returns the first column of the first row, or nil if the result is empty or the value is `NULL`.
    ///
    /// ```swift
    /// let largest = try db.fetchOne(Int?.self, "SELECT MAX(population) FROM cities")  // Int?, nil without a city
    /// ```
    @inlinable
    public func fetchOne<Value: SQLDecodable>(_ type: Value?.Type, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row[0] as Value? } ?? nil
    }

    /// Returns the first column of the first row, or nil if the result is empty. `NULL` is a mismatch.
    ///
    /// ```swift
    /// let count = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") ?? 0
    /// ```
    @inlinable
    public func fetchOne<Value: SQLDecodable>(_ type: Value.Type = Value.self, _ sql: SQL) throws -> Value? {
        try fetchOne(sql) { row in try row[0] }
    }
}

extension Connection {
    /// Runs the statements of a script in order. The script has no parameters.
    ///
    /// If a statement fails, the following ones are not run. Outside a transaction, a script is a transaction of
    /// its own, except for its parts between `BEGIN` and `COMMIT`. Within a transaction, as in `write`, a script
    /// cannot begin or end one.
    ///
    /// ```swift
    /// try db.executeScript("CREATE TABLE a (x int); CREATE TABLE b (x int)")
    /// ```
    ///
    /// - Throws: ``PostgreSQLError``, with `.misuse` for a script that ends the transaction or leaves one open;
    ///   `CancellationError`.
    public func executeScript(_ script: String) throws {
        guard !script.utf8.contains(0) else {
            throw PostgreSQLError(.misuse, "the script contains a NUL, where the server would stop reading")
        }
        try exchange(sql: script) {
            PQsendQuery(raw, script)
        } receive: {
            var tags: Set<String> = []
            let result = try lastResult(sql: script) { tags.insert(tag(of: $0)) }
            defer { PQclear(result) }
            // A script may consist of comments.
            if PQresultStatus(result) != PGRES_EMPTY_QUERY { try check(result, sql: script, hasValues: false) }
            if transactionDepth > 0 { try checkScript(script, tags) }
        }
        try checkTransaction(after: script)
    }
}
#endif
