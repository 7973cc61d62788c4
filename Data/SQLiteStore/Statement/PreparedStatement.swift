public import CSQLite

/// A statement that is compiled once and run many times, each time with other values: see
/// ``Connection/withStatement(_:_:)``.
///
/// It is good inside of the closure that it is given to; the compiler lets nobody keep it, nor run it inside of a run of
/// its own.
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

    /// Binds the values, and lets `body` step.
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

    /// Runs it to its end, and returns how many rows it inserted, updated or deleted, as `Connection.execute` does.
    @inlinable
    @discardableResult
    public mutating func execute<each Parameter: SQLBindable>(_ values: repeat each Parameter) throws -> Int {
        let (connection, statement) = (connection, statement)
        return try run(repeat each values) { _ in
            try connection.runToEnd(statement)
            return connection.changeCount(of: statement)
        }
    }

    /// Calls `body` with every row of the result, in order.
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

    /// Every row of the result.
    @inlinable
    public mutating func fetchAll<Value: RowDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> [Value] {
        var rows: [Value] = []
        try forEach(repeat each values) { row in rows.append(try Value(row: row)) }
        return rows
    }

    /// The first column of every row of the result.
    @inlinable
    public mutating func fetchAll<Value: SQLDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> [Value] {
        var rows: [Value] = []
        try forEach(repeat each values) { row in rows.append(try row[0]) }
        return rows
    }

    /// The first row of the result, or nil if the result is empty.
    @inlinable
    public mutating func fetchOne<Value: RowDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> Value? {
        let (connection, statement) = (connection, statement)
        return try run(repeat each values) { _ in
            try connection.firstRow(of: statement) { row in try Value(row: row) }
        }
    }

    /// The first column of the first row, or nil if the result is empty.
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
    /// Compiles a statement once, for `body` to run it many times.
    ///
    /// ```swift
    /// let names = try db.withStatement("SELECT name FROM cities WHERE id = ?") { city in
    ///     try [1, 2].compactMap { id in try city.fetchOne(String.self, id) }
    /// }  // ["Seoul", "Busan"]
    /// ```
    ///
    /// A literal with its values in it is found again by its text, and costs little more. For one run for each element,
    /// ``execute(_:forEach:_:)`` is shorter.
    ///
    /// - Parameters:
    ///   - sql: The statement, with `?` for each value; nothing is interpolated into it but text.
    ///   - body: Runs it, each time with a value for every parameter, in order.
    /// - Throws: What compiling and `body` throw; a run throws as the method of the connection does that has its name, and
    ///   `.range` if there are more or fewer values than parameters.
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

    /// The statement of `sql`, whose values are still to be bound, kept from other uses; `checkIn` must follow.
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

    /// Begins one of many runs of a statement that was taken; `endRun` must follow.
    @usableFromInline
    func beginRun(of statement: Statement) throws {
        try checkStart(of: statement)
    }

    /// Ends a run: the statement can be bound again.
    @usableFromInline
    func endRun(of statement: Statement) {
        // Its code is that of the last step, which has been dealt with.
        sqlite3_reset(statement.handle)
        recordRun(of: statement)
    }
}
