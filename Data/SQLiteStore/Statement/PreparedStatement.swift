public import CSQLite

/// A statement that is compiled once and run many times with different values; see ``Connection/withStatement(_:_:)``.
///
/// It is valid within the closure that receives it. The compiler prevents it from escaping, and from being run during
/// one of its own runs.
///
/// ```swift
/// try db.withStatement("SELECT name FROM cities WHERE id = ?") { city in
///     try city.fetchOne(String.self, 1)
/// }  // "Seoul"
/// ```
public struct PreparedStatement: ~Copyable {
    @usableFromInline
    let connection: Connection
    @usableFromInline
    let statement: Statement
    @usableFromInline
    var values: ParameterBinder

    @inlinable
    init(_ statement: Statement, of connection: Connection) {
        self.connection = connection
        self.statement = statement
        values = ParameterBinder(statement: statement.handle)
    }

    /// Binds the values, and calls `body` to step the statement.
    @inlinable
    mutating func run<Result, each Parameter: SQLBindable>(
        _ parameters: repeat each Parameter, body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        values.rewind()
        repeat try values.bind(each parameters)
        guard Int(values.index) == statement.parameterCount else { throw values.failure(SQLITE_RANGE) }
        try connection.beginRun(of: statement)
        defer { connection.endRun(of: statement) }
        return try body(statement.handle)
    }

    /// Runs the statement to its end, and returns the number of rows that it inserted, updated or deleted, as
    /// ``Connection/execute(_:)`` does.
    ///
    /// ```swift
    /// try db.withStatement("INSERT INTO cities (name) VALUES (?)") { city in
    ///     for name in names { try city.execute(name) }    // 1 each
    /// }
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.range` for too few or too many values, and `.constraint`; the errors of
    ///   converting the values; `CancellationError`.
    @inlinable
    @discardableResult
    public mutating func execute<each Parameter: SQLBindable>(_ values: repeat each Parameter) throws -> Int {
        let (connection, statement) = (connection, statement)
        return try run(repeat each values) { _ in
            try connection.runToEnd(statement)
            return connection.changeCount(of: statement)
        }
    }

    /// Calls `body` with each row of the result, in order.
    ///
    /// ```swift
    /// try db.withStatement("SELECT name FROM cities WHERE country = ?") { cities in
    ///     try cities.forEach("KR", row: { print(try $0[0] as String) })
    /// }
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.range` for too few or too many values; the errors of `body`, which end the
    ///   run; `CancellationError`.
    @inlinable
    public mutating func forEach<each Parameter: SQLBindable>(
        _ values: repeat each Parameter, row body: (borrowing Row) throws -> Void
    ) throws {
        let (connection, statement) = (connection, statement)
        try run(repeat each values) { handle in
            var code = sqlite3_step(handle)
            let row = Row(statement: handle)
            while code == SQLITE_ROW {
                try body(row)
                code = sqlite3_step(handle)
            }
            guard code == SQLITE_DONE else { throw connection.failure(code, of: statement) }
        }
    }

    /// Returns every row of the result.
    ///
    /// - Throws: ``SQLiteError``, such as `.range` for too few or too many values, and `.mismatch` for a column of
    ///   another type; the errors of `Value.init(row:)`; `CancellationError`.
    @inlinable
    public mutating func fetchAll<Value: RowDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> [Value] {
        var rows: [Value] = []
        try forEach(repeat each values) { row in rows.append(try Value(row: row)) }
        return rows
    }

    /// Returns the first column of every row of the result. `NULL` is a mismatch, unless `Value` is an optional.
    ///
    /// ```swift
    /// try db.withStatement("SELECT name FROM cities WHERE country = ?") { cities in
    ///     try cities.fetchAll(String.self, "KR")
    /// }
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.range` for too few or too many values, and `.mismatch` for a value of
    ///   another type; `CancellationError`.
    @inlinable
    public mutating func fetchAll<Value: SQLDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> [Value] {
        var rows: [Value] = []
        try forEach(repeat each values) { row in rows.append(try row[0]) }
        return rows
    }

    /// Returns the first row of the result, or nil if the result is empty.
    ///
    /// - Throws: ``SQLiteError``, such as `.range` for too few or too many values, and `.mismatch` for a column of
    ///   another type; the errors of `Value.init(row:)`; `CancellationError`.
    @inlinable
    public mutating func fetchOne<Value: RowDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> Value? {
        let (connection, statement) = (connection, statement)
        return try run(repeat each values) { _ in
            try connection.firstRow(of: statement) { row in try Value(row: row) }
        }
    }

    /// Returns the first column of the first row, or nil if the result is empty. `NULL` is a mismatch,
    /// unless `Value` is an optional.
    ///
    /// ```swift
    /// try db.withStatement("SELECT name FROM cities WHERE id = ?") { city in
    ///     try city.fetchOne(String.self, 1)    // nil without the row
    /// }
    /// ```
    ///
    /// - Throws: ``SQLiteError``, such as `.range` for too few or too many values, and `.mismatch` for a value of
    ///   another type; `CancellationError`.
    @inlinable
    public mutating func fetchOne<Value: SQLDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> Value? {
        let (connection, statement) = (connection, statement)
        return try run(repeat each values) { _ in
            try connection.firstRow(of: statement) { row in try row[0] }
        }
    }
}

extension Connection {
    /// Compiles a statement once, so that `body` can run it many times.
    ///
    /// ```swift
    /// let names = try db.withStatement("SELECT name FROM cities WHERE id = ?") { city in
    ///     try [1, 2].compactMap { id in try city.fetchOne(String.self, id) }
    /// }  // ["Seoul", "Busan"]
    /// ```
    ///
    /// A literal with interpolated values is cached by its text and costs little more. For one run per element of a
    /// sequence, ``execute(_:forEach:_:)`` is shorter.
    ///
    /// - Parameters:
    ///   - sql: The statement, with `?` for each value. It must not contain interpolated values.
    ///   - body: Runs the statement, each time with a value for every parameter, in order.
    /// - Throws: The errors of compiling and of `body`. Each run throws the errors of the connection's method with the
    ///   same name, and `.range` if the number of values differs from the number of parameters.
    @inlinable
    @discardableResult
    public func withStatement<Result>(
        _ sql: SQL, _ body: (inout PreparedStatement) throws -> Result
    ) throws -> Result {
        let statement = try checkOut(sql)
        defer { checkIn(statement) }
        var prepared = PreparedStatement(statement, of: self)
        return try body(&prepared)
    }

    /// Returns the statement of `sql` without bound values, reserved for the caller, which must call `checkIn`.
    @usableFromInline
    func checkOut(_ sql: SQL) throws -> Statement {
        let statement = try compiled(sql)
        statement.isRunning = true
        statement.clearsBindings = true
        return statement
    }

    @usableFromInline
    func checkIn(_ statement: Statement) {
        statement.reset()
        statement.isRunning = false
    }

    /// Begins a run of a reserved statement. The caller must call `endRun`.
    @usableFromInline
    func beginRun(of statement: Statement) throws {
        try checkStart(of: statement)
    }

    /// Ends a run, so that the statement can be bound again.
    @usableFromInline
    func endRun(of statement: Statement) {
        // Returns the code of the last step, which has been handled.
        sqlite3_reset(statement.handle)
        recordRun(of: statement)
    }
}
