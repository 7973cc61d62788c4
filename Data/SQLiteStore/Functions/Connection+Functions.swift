internal import CSQLite

extension Connection {
    /// Makes a Swift function known to SQL, on this connection: `Configuration.prepare` is the place.
    ///
    /// ```swift
    /// let configuration = Database.Configuration().with {
    ///     $0.prepare = { db in
    ///         try db.addFunction("reversed") { (text: String) in String(text.reversed()) }
    ///     }
    /// }
    /// ```
    ///
    /// The arguments are read as columns are: one of another type is an error of the statement, and so is what `body`
    /// throws: its description is the message, and had better not quote what is in the database.
    ///
    /// - Parameters:
    ///   - name: Its name in SQL. Functions of one name may differ in how many arguments they take.
    ///   - isDeterministic: Whether equal arguments always give equal results; only then may an index use it.
    ///   - body: The function.
    public func addFunction<each Argument: SQLDecodable, Result: SQLBindable>(
        _ name: String, isDeterministic: Bool = true,
        _ body: @escaping @Sendable (repeat each Argument) throws -> Result
    ) throws {
        var count: Int32 = 0
        for _ in repeat (each Argument).self { count += 1 }
        try register(name, argumentCount: count, isDeterministic: isDeterministic) { arguments in
            var index = -1
            func next<Value: SQLDecodable>(_ type: Value.Type) throws -> Value {
                index += 1
                return try Value(column: Column(argument: arguments[index], index: index))
            }
            return try body(repeat next((each Argument).self)).sqlValue
        }
    }

    /// `addFunction` for any number of arguments of any kind: `-1` for `argumentCount` takes as many as there are.
    public func addFunction(
        _ name: String, argumentCount: Int32 = -1, isDeterministic: Bool = true,
        values body: @escaping @Sendable ([SQLValue]) throws -> SQLValue
    ) throws {
        try register(name, argumentCount: argumentCount, isDeterministic: isDeterministic) { arguments in
            try body(
                arguments.enumerated().map { index, argument in
                    try SQLValue(column: Column(argument: argument, index: index))
                })
        }
    }

    private func register(
        _ name: String, argumentCount: Int32, isDeterministic: Bool,
        _ body: @escaping (UnsafeBufferPointer<OpaquePointer?>) throws -> SQLValue
    ) throws {
        let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
        let code = sqlite3_create_function_v2(
            handle, name, argumentCount, flags, Unmanaged.passRetained(Function(body: body)).toOpaque(),
            { context, count, arguments in
                let function = Unmanaged<Function>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
                function.call(context, UnsafeBufferPointer(start: arguments, count: Int(count)))
            }, nil, nil, { Unmanaged<Function>.fromOpaque($0!).release() })
        guard code == SQLITE_OK else { throw SQLiteError.last(on: handle, code: code) }
    }

    /// Makes an order of texts known to SQL, on this connection: `ORDER BY name COLLATE korean`.
    ///
    /// A collation that an index uses must give the same order forever.
    ///
    /// - Parameters:
    ///   - name: Its name in SQL.
    ///   - areInIncreasingOrder: Whether the first text comes before the second.
    public func addCollation(
        _ name: String, _ areInIncreasingOrder: @escaping @Sendable (String, String) -> Bool
    ) throws {
        let code = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, Unmanaged.passRetained(Collation(order: areInIncreasingOrder)).toOpaque(),
            { context, leftCount, left, rightCount, right in
                let collation = Unmanaged<Collation>.fromOpaque(context!).takeUnretainedValue()
                let left = String(decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)), as: UTF8.self)
                let right = String(
                    decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)), as: UTF8.self)
                return collation.order(left, right) ? -1 : collation.order(right, left) ? 1 : 0
            }, { Unmanaged<Collation>.fromOpaque($0!).release() })
        guard code == SQLITE_OK else { throw SQLiteError.last(on: handle, code: code) }
    }
}

private final class Collation {
    let order: (String, String) -> Bool

    init(order: @escaping (String, String) -> Bool) {
        self.order = order
    }
}

private final class Function {
    let body: (UnsafeBufferPointer<OpaquePointer?>) throws -> SQLValue

    init(body: @escaping (UnsafeBufferPointer<OpaquePointer?>) throws -> SQLValue) {
        self.body = body
    }

    func call(_ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
        do {
            switch try body(arguments) {
            case .null: sqlite3_result_null(context)
            case .integer(let integer): sqlite3_result_int64(context, integer)
            case .real(let real): sqlite3_result_double(context, real)
            case .text(let text):
                sqlite3_result_text64(
                    context, text, UInt64(text.utf8.count), csqlite_transient(), UInt8(SQLITE_UTF8))
            case .blob(let blob):
                sqlite3_result_blob64(context, blob, UInt64(blob.count), csqlite_transient())
            }
        } catch {
            let message = (error as? SQLiteError)?.message ?? "\(error)"
            sqlite3_result_error(context, message, Int32(message.utf8.count))
        }
    }
}
