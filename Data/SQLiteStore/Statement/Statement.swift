public import CSQLite
internal import DatabaseAccess

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A compiled statement, with memory for its bound texts and blobs.
@usableFromInline
final class Statement {
    @usableFromInline
    let handle: OpaquePointer
    let sql: String
    @usableFromInline
    let parameterCount: Int
    @usableFromInline
    let isReadOnly: Bool
    /// Whether the statement begins or ends a transaction or a savepoint, or changes a setting of the connection.
    let isControl: Bool
    /// Whether a run may change the database: also of a pragma such as `optimize`, which SQLite takes for a query.
    let recordsChanges: Bool
    /// Whether the statement is being stepped. Running the same SQL in the meantime requires another statement.
    var isRunning = false
    /// The regions that the statement reads and writes, as reported by the authorizer.
    var readWriteSet: ReadWriteSet
    /// The region that it writes according to the schema, and whether it can do so without counting a row; determined
    /// with the first change.
    var writtenRegion: (region: Region, isUncounted: Bool)?
    /// The region that it reads according to the schema; determined when it is first observed.
    var observedRegion: Region?
    /// The connection's total number of changes before the run.
    var changesBefore: Int64 = 0
    /// Whether the run has failed.
    var hasFailed = false
    /// The epoch of the change log in which the changes of this statement were recorded.
    var recordedEpoch: UInt64 = 0
    /// The time of the last use, as a count of lookups in the cache.
    var lastUse: UInt64 = 0
    private var bytes: UnsafeMutableRawBufferPointer
    /// Whether the bindings are cleared after the run, because SQLite holds copies that may be long, or because their
    /// memory is not owned by this statement.
    var clearsBindings = false

    init(handle: OpaquePointer, sql: String, readWriteSet: ReadWriteSet) {
        self.handle = handle
        self.sql = sql
        self.readWriteSet = readWriteSet
        isControl =
            readWriteSet.controlsTransaction || readWriteSet.controlsSavepoint || !readWriteSet.settings.isEmpty
        parameterCount = Int(sqlite3_bind_parameter_count(handle))
        // An explained statement writes nothing, although `sqlite3_stmt_readonly` reports the statement itself.
        isReadOnly = sqlite3_stmt_readonly(handle) != 0 || sqlite3_stmt_isexplain(handle) != 0
        recordsChanges = !isReadOnly || readWriteSet.writes.isEverything && sqlite3_stmt_isexplain(handle) == 0
        bytes = .allocate(byteCount: 256, alignment: 1)
    }

    deinit {
        sqlite3_finalize(handle)
        bytes.deallocate()
    }

    /// Binds all values of `sql`, in order.
    ///
    /// The bytes of short texts and blobs are copied at once into memory of this statement, which SQLite reads in
    /// place. They stay unchanged until the next binding, and a statement is bound only while it is reset. Long values
    /// are copied by SQLite, so that the memory of a cached statement stays small.
    func bind(_ sql: borrowing SQL) throws {
        if sql.bytes.count > bytes.count {
            bytes.deallocate()
            bytes = .allocate(byteCount: sql.bytes.count * 2, alignment: 1)
        }
        sql.bytes.withUnsafeBytes { bytes.copyMemory(from: $0) }
        var next = UnsafePointer(bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        let index = try sql.parts.withUnsafeBufferPointer { parts in try bind(parts, of: sql, bytes: &next) }
        guard Int(index) == parameterCount else { throw bindingError(SQLITE_RANGE, at: index) }
    }

    private func bind(
        _ parts: UnsafeBufferPointer<SQL.Part>, of sql: borrowing SQL, bytes next: inout UnsafePointer<CChar>?
    ) throws -> Int32 {
        var index: Int32 = 0
        var code = SQLITE_OK
        // Plain `while` loops here and in the cache lookup: iterators would cost a call for each part.
        var position = 0
        while position < parts.count {
            defer { position += 1 }
            switch parts[position] {
            case .literal: continue
            case .null: code = sqlite3_bind_null(handle, index + 1)
            case .integer(let integer): code = sqlite3_bind_int64(handle, index + 1, integer)
            case .real(let real): code = sqlite3_bind_double(handle, index + 1, real)
            case .text(let count):
                code = sqlite3_bind_text(handle, index + 1, next, Int32(truncatingIfNeeded: count), nil)
                next = next.map { $0 + count }
            case .blob(let count):
                code = sqlite3_bind_blob(handle, index + 1, next, Int32(truncatingIfNeeded: count), nil)
                next = next.map { $0 + count }
            case .object(let object):
                switch sql.objects[object] {
                case .text: continue
                case .failure(let error): throw error
                case .value(let value), .argument(let value): code = bind(copyOf: value, at: index + 1)
                case .data(let data):
                    clearsBindings = true
                    code = data.withUnsafeBytes {
                        sqlite3_bind_blob64(
                            handle, index + 1, $0.baseAddress, UInt64($0.count), csqlite_transient())
                    }
                }
            }
            index += 1
            guard code == SQLITE_OK else { throw bindingError(code, at: index) }
        }
        return index
    }

    private func bind(copyOf value: SQLValue, at index: Int32) -> Int32 {
        clearsBindings = true
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
        case .real(let real): return sqlite3_bind_double(handle, index, real)
        case .text(let text):
            return sqlite3_bind_text64(
                handle, index, text, UInt64(text.utf8.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        case .blob(let blob):
            return sqlite3_bind_blob64(handle, index, blob, UInt64(blob.count), csqlite_transient())
        }
    }

    func reset() {
        // Returns the code of the last step, which has been handled.
        sqlite3_reset(handle)
        if clearsBindings {
            sqlite3_clear_bindings(handle)
            clearsBindings = false
        }
    }

    private func bindingError(_ code: Int32, at index: Int32) -> SQLiteError {
        if code == SQLITE_RANGE {
            return SQLiteError(
                .range,
                "expected \(parameterCount) \(parameterCount == 1 ? "value" : "values"), found \(index)"
                    + (Int(index) > parameterCount ? " or more: is a value within quotes?" : ""), sql: sql)
        }
        return .last(on: sqlite3_db_handle(handle), code: code, sql: sql)
    }
}

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

    @inlinable
    mutating func run<Result, each Parameter: SQLBindable>(
        _ parameters: repeat each Parameter, body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        values.rewind()
        repeat try values.bind(each parameters)
        guard Int(values.index) == statement.parameterCount else { throw values.failure(SQLITE_RANGE) }
        try connection.checkStart(of: statement)
        defer { connection.endRun(of: statement) }
        return try body(statement.handle)
    }

    /// Runs the statement to its end, and returns the number of rows that it inserted, updated or deleted, as
    /// ``Connection/execute(_:)`` does. Like the other methods, throws `.range` for too few or too many values.
    @inlinable
    @discardableResult
    public mutating func execute<each Parameter: SQLBindable>(_ values: repeat each Parameter) throws -> Int {
        let (connection, statement) = (connection, statement)
        return try run(repeat each values) { _ in
            try connection.runToEnd(statement)
            return connection.changeCount(of: statement)
        }
    }

    /// Calls `body` with each row of the result, in order. An error of `body` ends the run.
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

    @inlinable
    public mutating func fetchAll<Value: RowDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> [Value] {
        var rows: [Value] = []
        try forEach(repeat each values) { row in rows.append(try Value(row: row)) }
        return rows
    }

    /// Returns the first column of every row of the result. `NULL` is a mismatch, unless `Value` is an optional.
    @inlinable
    public mutating func fetchAll<Value: SQLDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> [Value] {
        var rows: [Value] = []
        try forEach(repeat each values) { row in rows.append(try row[0]) }
        return rows
    }

    /// Returns the first row of the result, or nil if the result is empty.
    @inlinable
    public mutating func fetchOne<Value: RowDecodable, each Parameter: SQLBindable>(
        _ type: Value.Type, _ values: repeat each Parameter
    ) throws -> Value? {
        let (connection, statement) = (connection, statement)
        return try run(repeat each values) { _ in
            try connection.firstRow(of: statement) { row in try Value(row: row) }
        }
    }

    /// Returns the first column of the first row, or nil if the result is empty. `NULL` is a mismatch, unless `Value`
    /// is an optional.
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
    /// Compiles a statement, with `?` for each value, once, so that `body` can run it many times.
    ///
    /// ```swift
    /// let names = try db.withStatement("SELECT name FROM cities WHERE id = ?") { city in
    ///     try [1, 2].compactMap { id in try city.fetchOne(String.self, id) }
    /// }  // ["Seoul", "Busan"]
    /// ```
    ///
    /// A literal with interpolated values is cached by its text and costs little more. For one run per element of a
    /// sequence, ``execute(_:forEach:_:)`` is shorter.
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

    /// Ends a run of a reserved statement, so that the statement can be bound again.
    @usableFromInline
    func endRun(of statement: Statement) {
        // Returns the code of the last step, which has been handled.
        sqlite3_reset(statement.handle)
        recordRun(of: statement)
    }
}
