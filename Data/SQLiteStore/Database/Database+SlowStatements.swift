internal import CSQLite

extension Database {
    /// A statement that took long.
    public struct SlowStatement: Hashable, Sendable {
        /// Its text, with `?` in place of its values.
        public let sql: String
        /// How long it took from its first step to its last, with what was done between its rows.
        public let duration: Duration
    }

    /// What is told of statements that take long.
    ///
    /// ```swift
    /// configuration.slowStatements = .init(longerThan: .milliseconds(100)) { statement in
    ///     logger.warning("\(statement.duration): \(statement.sql)")
    /// }
    /// ```
    public struct SlowStatements: Sendable {
        let threshold: Duration
        let report: @Sendable (SlowStatement) -> Void

        /// Reports statements that take longer than `threshold`, which SQLite measures in milliseconds.
        ///
        /// - Parameter report: Called on the thread of the access, when the statement has ended and before the access has.
        ///   It must not use the database.
        public init(longerThan threshold: Duration, _ report: @escaping @Sendable (SlowStatement) -> Void) {
            self.threshold = threshold
            self.report = report
        }
    }
}

/// What SQLite calls at the end of each statement of a connection.
final class StatementTracer {
    private let slowStatements: Database.SlowStatements

    init(_ slowStatements: Database.SlowStatements) {
        self.slowStatements = slowStatements
    }

    /// Begins to listen. It is told of nothing any more once the connection has closed.
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
