import CSQLite
public import SQLiteStore
import Synchronization

/// Records the SQL statements that a database executes, in order, with `?` in place of values.
///
/// ```swift
/// let trace = SQLTrace()
/// let database = try await Database.open(.temporary, configuration: trace.traced(configuration))
/// …
/// #expect(trace.statements.count == 3)
/// ```
public final class SQLTrace: Sendable {
    private let state = Mutex<[String]>([])

    /// Creates a trace without statements; ``traced(_:)`` connects it to databases.
    public init() {}

    /// Returns a copy of `configuration` in which every connection is traced.
    ///
    /// ```swift
    /// let database = try await Database.open(.temporary, configuration: trace.traced())
    /// ```
    public func traced(_ configuration: Database.Configuration = Database.Configuration()) -> Database.Configuration {
        configuration.with { configuration in
            let prepare = configuration.prepare
            configuration.prepare = { [self] db in
                try prepare?(db)
                // The configuration retains the trace, which therefore outlives the connections.
                sqlite3_trace_v2(
                    db.handle, UInt32(SQLITE_TRACE_STMT),
                    { _, context, _, sql in
                        guard let sql else { return 0 }
                        let trace = Unmanaged<SQLTrace>.fromOpaque(context!).takeUnretainedValue()
                        let text = String(cString: sql.assumingMemoryBound(to: CChar.self))
                        trace.state.withLock { $0.append(text) }
                        return 0
                    }, Unmanaged.passUnretained(self).toOpaque())
            }
        }
    }

    /// The statements executed so far, including transaction control; triggers appear as comments.
    public var statements: [String] { state.withLock { $0 } }

    /// Removes all statements that were recorded so far.
    ///
    /// ```swift
    /// trace.reset()
    /// _ = try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") }
    /// trace.statements.contains("SELECT 1")    // true
    /// ```
    public func reset() {
        state.withLock { $0 = [] }
    }
}
