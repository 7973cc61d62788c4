internal import CSQLite
internal import DatabaseAccess

/// Measures the statements of a connection for ``SlowStatements``.
final class StatementTracer {
    private let slowStatements: SlowStatements

    init(_ slowStatements: SlowStatements) {
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
        slowStatements.statementEnded(
            sqlite3_sql(statement).map { String(cString: $0) } ?? "", after: .nanoseconds(nanoseconds))
    }
}
