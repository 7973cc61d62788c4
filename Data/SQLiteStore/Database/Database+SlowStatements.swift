internal import CSQLite

extension Database {
    /// A statement that took longer than the threshold.
    ///
    /// ```swift
    /// configuration.slowStatements = .init(longerThan: .seconds(1)) { statement in
    ///     print(statement.sql)         // SELECT name FROM cities WHERE population > ?
    ///     print(statement.duration)    // 1.25 seconds
    /// }
    /// ```
    public struct SlowStatement: Hashable, Sendable {
        /// Its text, with `?` in place of values.
        public let sql: String
        /// The time from the first step to the last, including the time between rows.
        public let duration: Duration
    }

    /// The threshold and the callback for slow statements.
    ///
    /// ```swift
    /// configuration.slowStatements = .init(longerThan: .milliseconds(100)) { statement in
    ///     logger.warning("\(statement.duration): \(statement.sql)")
    /// }
    /// ```
    public struct SlowStatements: Sendable {
        let threshold: Duration
        let report: @Sendable (SlowStatement) -> Void

        /// Reports statements that take longer than `threshold`. SQLite measures in milliseconds.
        ///
        /// - Parameters:
        ///   - threshold: The duration that a statement must exceed.
        ///   - report: Called on the thread of the access, after the statement and before the end of the access. It
        ///     must not access the database.
        public init(longerThan threshold: Duration, _ report: @escaping @Sendable (SlowStatement) -> Void) {
            self.threshold = threshold
            self.report = report
        }
    }
}

/// The callback that SQLite calls at the end of each statement of a connection.
final class StatementTracer {
    private let slowStatements: Database.SlowStatements

    init(_ slowStatements: Database.SlowStatements) {
        self.slowStatements = slowStatements
    }

    /// Registers the callback. SQLite stops calling it when the connection closes.
    func attach(to handle: OpaquePointer) {
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_PROFILE),
            { _, context, statement, nanoseconds in
                guard let context, let statement, let nanoseconds else { return 0 }
                let tracer = Unmanaged<StatementTracer>.fromOpaque(context)
                tracer._withUnsafeGuaranteedRef {
                    $0.ended(OpaquePointer(statement), nanoseconds.load(as: Int64.self))
                }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func ended(_ statement: OpaquePointer, _ nanoseconds: Int64) {
        let duration = Duration.nanoseconds(nanoseconds)
        guard duration > slowStatements.threshold, let sql = sqlite3_sql(statement) else { return }
        slowStatements.report(Database.SlowStatement(sql: String(cString: sql), duration: duration))
    }
}
