#if PostgreSQL
internal import CPostgreSQL
internal import DatabaseAccess

extension Connection {
    /// The number of bytes after which rows are passed to libpq.
    private static let chunkSize = 65_536

    /// Inserts a row for each element of a sequence with `COPY`, the fastest way to write many rows, and returns their
    /// number. `bind` binds a value for every column, in order; it must not use the connection.
    ///
    /// ```swift
    /// try db.copy(into: "points", columns: ["latitude", "longitude"], points) { point, values in
    ///     try values.bind(point.latitude, point.longitude)
    /// }
    /// ```
    ///
    /// A row that violates a constraint fails the whole copy. Columns of types that the database defines itself, such
    /// as enumerations, are bound as their text.
    ///
    /// - Throws: ``PostgreSQLError``, such as `.range` if `bind` binds too few or too many values; the errors of
    /// `bind`; `CancellationError`. No row is inserted then.
    @discardableResult
    public func copy<Elements: Sequence>(
        into table: String, columns: [String], _ elements: Elements,
        _ bind: (Elements.Element, inout ParameterBinder) throws -> Void
    ) throws -> Int {
        let names = columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        let target: SQL = "\(identifier: table) (\(names))"
        let types = try columnTypes("SELECT \(names) FROM \(identifier: table) LIMIT 0")
        let text = "COPY \(target.text) FROM STDIN (FORMAT binary)"
        return try exchange(sql: text) {
            PQsendQuery(raw, text)
        } receive: {
            try checkCopyBegins(text)
            do {
                try sendRows(elements, types, bind, sql: text)
            } catch {
                if !isLost { try endCopy(failing: true, sql: text) }
                throw error
            }
            return try endCopy(failing: false, sql: text)
        }
    }

    private func columnTypes(_ sql: SQL) throws -> [TypeID] {
        try withResult(of: sql) { result, _ in
            (0..<PQnfields(result)).map { TypeID(rawValue: PQftype(result, $0)) }
        }
    }

    private func checkCopyBegins(_ sql: String) throws {
        guard let result = try nextResult(sql: sql) else { throw lostError(sql: sql) }
        defer { PQclear(result) }
        guard PQresultStatus(result) != PGRES_COPY_IN else { return }
        try drainResults(sql: sql)
        try check(result, sql: sql, hasValues: false)
    }

    private func sendRows<Elements: Sequence>(
        _ elements: Elements, _ types: [TypeID],
        _ bind: (Elements.Element, inout ParameterBinder) throws -> Void, sql: String
    ) throws {
        let buffer = ParameterBuffer()
        buffer.beginCopy()
        var values = ParameterBinder(buffer: buffer, types: types, sql: sql, isCopy: true)
        for element in elements {
            buffer.appendInteger(Int16(truncatingIfNeeded: types.count))
            try bind(element, &values)
            try values.rewind()
            if buffer.bytes.count >= Self.chunkSize { try send(buffer, sql: sql) }
        }
        // The end of the rows.
        buffer.appendInteger(Int16(-1))
        try send(buffer, sql: sql)
    }

    /// Sends the bytes.
    private func send(_ buffer: ParameterBuffer, sql: String) throws {
        try put(sql: sql, isCancellable: true) {
            buffer.bytes.withUnsafeBytes {
                PQputCopyData(raw, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
            }
        }
        buffer.removeAll()
    }

    /// Calls `put`, which passes bytes to libpq, and waits until they are sent: the buffer of libpq has no limit.
    private func put(sql: String, isCancellable: Bool, _ put: () -> Int32) throws {
        var unsent = put() == 1 ? PQflush(raw) : -1
        while true {
            if isCancellable, interruption.isRequested { throw CancellationError() }
            if unsent == 0 { return }
            guard unsent == 1, PQconsumeInput(raw) != 0 else {
                invalidate()
                throw lostError(sql: sql)
            }
            guard !deadline.hasPassed, !interruption.isOverdue(timeout: configuration.cancellationTimeout) else {
                invalidate()
                throw interruption.isRequested ? CancellationError() : timeoutError(sql: sql)
            }
            Socket(of: raw).wait(writing: true, milliseconds: deadline.milliseconds(atMost: 250))
            unsent = PQflush(raw)
        }
    }

    /// Ends the copy, and returns the number of rows.
    @discardableResult
    private func endCopy(failing: Bool, sql: String) throws -> Int {
        try put(sql: sql, isCancellable: false) { PQputCopyEnd(raw, failing ? "the rows could not be sent" : nil) }
        let result = try lastResult(sql: sql)
        defer { PQclear(result) }
        // The error for which the copy is ended is thrown by the caller.
        if failing { return 0 }
        try check(result, sql: sql)
        return changeCount(of: result)
    }
}

extension ParameterBuffer {
    /// Begins the binary form of `COPY` (https://www.postgresql.org/docs/current/sql-copy.html).
    fileprivate func beginCopy() {
        removeAll()
        for byte in "PGCOPY\n".utf8 + [0xFF, 0x0D, 0x0A, 0x00] { appendInteger(byte) }
        appendInteger(Int32(0))
        appendInteger(Int32(0))
    }
}

/// Binds the values of one run of a statement, in the order of its parameters.
///
/// ```swift
/// try db.execute("INSERT INTO cities (name, population) VALUES ($1, $2)", forEach: cities) { city, values in
///     try values.bind(city.name, city.population)
/// }
/// ```
public struct ParameterBinder: ~Copyable {
    private let buffer: ParameterBuffer
    private let types: [TypeID]
    private let sql: String
    private let isCopy: Bool
    private var index = 0

    init(buffer: ParameterBuffer, types: [TypeID], sql: String, isCopy: Bool = false) {
        (self.buffer, self.types, self.sql, self.isCopy) = (buffer, types, sql, isCopy)
    }

    /// Binds the next value.
    ///
    /// - Throws: ``PostgreSQLError`` if the value cannot be converted, or with `.range` if there are no more
    ///   parameters.
    public mutating func bind<Value: SQLBindable>(_ value: Value) throws {
        try append(try value.sqlValue)
    }

    /// Binds the next values, in order, as one is bound by itself.
    public mutating func bind<First: SQLBindable, Second: SQLBindable, each Rest: SQLBindable>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) throws {
        try bind(first)
        try bind(second)
        repeat try bind(each rest)
    }

    mutating func append(_ value: SQLValue) throws {
        guard index < types.count else { throw countError(isCopy ? "more" : "more: is a value within quotes?") }
        index += 1
        do {
            if isCopy {
                try buffer.appendField(value, as: types[index - 1])
            } else {
                try buffer.append(value, as: types[index - 1])
            }
        } catch let error as PostgreSQLError {
            let place = isCopy ? "column \(index - 1)" : "parameter $\(index)"
            throw PostgreSQLError(error.code, "\(place): \(error.message)", sql: sql)
        }
    }

    mutating func rewind() throws {
        guard index == types.count else { throw countError("\(index)") }
        index = 0
    }

    private func countError(_ found: String) -> PostgreSQLError {
        PostgreSQLError(
            .range, "expected \(types.count) \(types.count == 1 ? "value" : "values"), found \(found)", sql: sql)
    }
}

extension Connection {
    /// The number of runs that are sent before their results are received.
    private static let pipelineLength = 256

    /// Runs one statement, with `$1`, `$2` and so on for its values, once for each element, and returns the number of
    /// rows that it inserted, updated or deleted. The runs are sent without waiting for the results of earlier ones.
    /// `bind` binds every parameter, in order; it must not use the connection.
    ///
    /// ```swift
    /// let insertion: SQL = "INSERT INTO points (latitude, longitude) VALUES ($1, $2)"
    /// try db.execute(insertion, forEach: points) { point, values in
    ///     try values.bind(point.latitude, point.longitude)
    /// }
    /// ```
    ///
    /// For thousands of rows ``copy(into:columns:_:_:)`` is faster still. `bind` is called again for an element if the server
    /// has changed the types of the parameters.
    ///
    /// - Throws: ``PostgreSQLError``, such as `.range` if `bind` binds too few or too many values; the errors of
    /// `bind`; `CancellationError`. Within a transaction, rethrow the error to undo the runs before it. Without a
    /// transaction, some of these runs may be kept.
    @discardableResult
    public func execute<Elements: Sequence>(
        _ sql: SQL, forEach elements: Elements, _ bind: (Elements.Element, inout ParameterBinder) throws -> Void
    ) throws -> Int {
        var statement = try statement(for: sql.text, plan: .automatic)
        try checkNoControl(statement)
        try setPlanMode(for: .automatic)
        var (count, attempt) = (0, 0)
        var rest = BatchElements(elements.makeIterator(), keepsRuns: transactionDepth == 0)
        while let first = rest.next() {
            let unbound: (any Error)?
            do {
                let changed: Int
                (changed, unbound) = try runPipeline(of: statement, first, &rest, bind)
                (count, attempt) = (count + changed, 0)
            } catch {
                // Within a transaction, which the failure has aborted, the whole transaction runs again instead.
                attempt += 1
                guard hasStaleStatement, !isLost, transactionDepth == 0, attempt < 3 else { throw error }
                statement = try self.statement(for: sql.text, plan: .automatic)
                rest.repeatRuns()
                continue
            }
            guard let unbound else { continue }
            guard unbound is PostgreSQLError, try hasOtherTypes(statement) else { throw unbound }
            statement = try self.statement(for: sql.text, plan: .automatic)
            rest.repeatLast()
        }
        return count
    }

    /// Runs the statement for as many elements as one pipeline holds. Returns the number of changed rows, and the error of
    /// binding the last element, if it could not be bound.
    private func runPipeline<Iterator: IteratorProtocol>(
        of statement: Statement, _ first: Iterator.Element, _ rest: inout BatchElements<Iterator>,
        _ bind: (Iterator.Element, inout ParameterBinder) throws -> Void
    ) throws -> (changed: Int, unbound: (any Error)?) {
        var (runs, failure) = (0, nil as (any Error)?)
        rest.forgetRuns()
        do {
            let changed = try exchange(sql: statement.sql) {
                guard PQenterPipelineMode(raw) != 0 else { return 0 }
                var values = ParameterBinder(
                    buffer: parameters, types: statement.parameterTypes, sql: statement.sql)
                var next: Iterator.Element? = first
                while let element = next {
                    rest.isRun(element)
                    parameters.removeAll()
                    do {
                        try bind(element, &values)
                        try values.rewind()
                    } catch {
                        // The pipeline still ends with a sync, so that the earlier runs return their results.
                        failure = error
                        break
                    }
                    guard send(statement) != 0 else { return 0 }
                    runs += 1
                    next = runs < Self.pipelineLength ? rest.next() : nil
                }
                return PQpipelineSync(raw)
            } receive: {
                var count = 0
                try receivePipeline(sql: statement.sql) { count += changeCount(of: $0) }
                return count
            }
            if runs > 0 { statement.hasSucceeded = true }
            return (changed, failure)
        } catch {
            recordChangedTypes(of: statement, after: error)
            throw error
        }
    }
}

/// The elements of a batch, of which those of the last pipeline can be run again.
private struct BatchElements<Iterator: IteratorProtocol> {
    private var iterator: Iterator
    /// Those that come before the elements of the iterator, the next one last.
    private var repeated: [Iterator.Element] = []
    private var runs: [Iterator.Element] = []
    private var last: Iterator.Element?
    /// Whether all elements of a pipeline are kept, not only the last one.
    private let keepsRuns: Bool

    init(_ iterator: Iterator, keepsRuns: Bool) {
        (self.iterator, self.keepsRuns) = (iterator, keepsRuns)
    }

    mutating func next() -> Iterator.Element? { repeated.popLast() ?? iterator.next() }

    mutating func forgetRuns() { runs.removeAll(keepingCapacity: true) }

    mutating func isRun(_ element: Iterator.Element) {
        last = element
        if keepsRuns { runs.append(element) }
    }

    mutating func repeatLast() {
        if let last { repeated.append(last) }
    }

    mutating func repeatRuns() { repeated += runs.reversed() }
}
#endif
