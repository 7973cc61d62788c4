internal import CSQLite

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Connection {
    /// Registers a Swift function on this connection, usually in ``Database/Configuration/prepare``.
    ///
    /// ```swift
    /// let configuration = Database.Configuration().with {
    ///     $0.prepare = { db in
    ///         try db.addFunction("reversed") { (text: String) in String(text.reversed()) }
    ///     }
    /// }
    /// ```
    ///
    /// Arguments are decoded as columns are. An argument of another type, and an error of `body`, fail the statement.
    /// The message of the error names the function, the type of the error, and its case if it has no associated values.
    /// It quotes nothing else, because a description could contain data. To provide a message, throw a
    /// ``FunctionError``.
    ///
    /// - Parameters:
    ///   - name: The name in SQL. Functions with the same name can differ in their number of arguments.
    ///   - isDeterministic: Whether equal arguments always give equal results. Indexes can use only deterministic
    ///     functions.
    ///   - isAllowedInSchema: Whether triggers, views, indexes, generated columns and constraints can call the
    ///     function. The author of the file controls those; set this only for functions without side effects. With
    ///     false, the default, only statements of the app can call it. Every schema can call the functions of SQLite.
    ///   - body: The function.
    public func addFunction<each Argument: SQLDecodable, Result: SQLBindable>(
        _ name: String, isDeterministic: Bool = true, isAllowedInSchema: Bool = false,
        _ body: @escaping @Sendable (repeat each Argument) throws -> Result
    ) throws {
        var count: Int32 = 0
        for _ in repeat (each Argument).self { count += 1 }
        let function = Function(name: name, failures: functionFailures) { arguments in
            var index = -1
            func next<Value: SQLDecodable>(_ type: Value.Type) throws -> Value {
                index += 1
                do {
                    return try Value(column: Column(argument: arguments[index], index: index))
                } catch let error as SQLiteError {
                    throw ArgumentError(message: error.message)
                }
            }
            return try body(repeat next((each Argument).self)).sqlValue
        }
        let flags =
            SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
            | (isAllowedInSchema ? SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
        let code = sqlite3_create_function_v2(
            handle, name, count, flags, Unmanaged.passRetained(function).toOpaque(),
            { context, count, arguments in
                let function = Unmanaged<Function>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
                function.call(context, UnsafeBufferPointer(start: arguments, count: Int(count)))
            }, nil, nil, { Unmanaged<Function>.fromOpaque($0!).release() })
        guard code == SQLITE_OK else { throw SQLiteError.last(on: handle, code: code) }
        if !isAllowedInSchema { reloadSchema() }
    }

    /// Registers a collation on this connection, in ``Database/Configuration/prepare``: for `ORDER BY name COLLATE korean`,
    /// and for columns that name it.
    ///
    /// ```swift
    /// let configuration = Database.Configuration().with {
    ///     $0.prepare = { db in
    ///         try db.addCollation("korean") { $0.compare($1, locale: Locale(identifier: "ko")) }
    ///     }
    /// }
    /// ```
    ///
    /// The order is that of `compare`, which must be a total order: texts that are the same for it are equal for `=`,
    /// `UNIQUE` and `GROUP BY`, too. The indexes of columns with the collation are sorted by it, so that it may never change:
    /// neither with the language of the device nor with a version of the system, as the order of a locale does. Then
    /// rebuild them with `REINDEX`. Without the collation, statements that use such a column fail.
    public func addCollation(
        _ name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult
    ) throws {
        let code = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, Unmanaged.passRetained(Collation(compare)).toOpaque(),
            { context, leftCount, left, rightCount, right in
                let collation = Unmanaged<Collation>.fromOpaque(context!).takeUnretainedValue()
                // SQLite passes as many bytes as it says; they are copied before it goes on.
                let left = String(decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)), as: UTF8.self)
                let right = String(
                    decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)), as: UTF8.self)
                return Int32(collation.compare(left, right).rawValue)
            }, { Unmanaged<Collation>.fromOpaque($0!).release() })
        guard code == SQLITE_OK else { throw SQLiteError.last(on: handle, code: code) }
    }

    /// Makes SQLite read the schema again.
    ///
    /// A constraint, an index or a generated column that was read before a function was registered calls it, even if the
    /// function is unavailable to schemas. SQLite checks this only while it reads the schema.
    private func reloadSchema() {
        let earlier = recorder.take()
        // Has no effect on the file, and does not fail.
        sqlite3_exec(handle, "PRAGMA writable_schema = RESET", nil, nil, nil)
        _ = recorder.take()
        recordReadWriteSet(earlier)
    }
}

/// An error of a function with a constant message, which the error of the statement contains.
public struct FunctionError: Error {
    let message: String

    public init(_ message: StaticString) {
        self.message = message.description
    }
}

private final class Collation: Sendable {
    let compare: @Sendable (String, String) -> ComparisonResult

    init(_ compare: @escaping @Sendable (String, String) -> ComparisonResult) {
        self.compare = compare
    }
}

private struct ArgumentError: Error {
    let message: String
}

/// The message of the last error of a function, to distinguish it from messages of SQLite.
final class FunctionFailures {
    fileprivate var last: String?

    func take() -> String? {
        defer { last = nil }
        return last
    }
}

private final class Function {
    private let name: String
    private let failures: FunctionFailures
    private let body: (UnsafeBufferPointer<OpaquePointer?>) throws -> SQLValue

    init(
        name: String, failures: FunctionFailures,
        body: @escaping (UnsafeBufferPointer<OpaquePointer?>) throws -> SQLValue
    ) {
        self.name = name
        self.failures = failures
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
            let message = message(of: error)
            failures.last = message
            sqlite3_result_error(context, message, Int32(message.utf8.count))
        }
    }

    private func message(of error: any Error) -> String {
        switch error {
        case let error as FunctionError: return error.message
        case let error as ArgumentError: return error.message
        case let error as SQLiteError: return "the function \"\(name)\" threw error \(error.extendedCode.rawValue)"
        default:
            // A case without associated values contains no data.
            let mirror = Mirror(reflecting: error)
            let isPlain = mirror.displayStyle == .enum && mirror.children.isEmpty
            return "the function \"\(name)\" threw \(type(of: error))" + (isPlain ? ".\(error)" : "")
        }
    }
}
