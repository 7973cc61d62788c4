import CSQLite
public import SQLiteStore
import Synchronization

/// The SQL that a database runs, in order, with `?` in place of values.
///
/// ```swift
/// let trace = SQLTrace()
/// let database = try await Database.open(.temporary, configuration: trace.traced(configuration))
/// …
/// #expect(trace.statements.count == 3)
/// ```
public final class SQLTrace: Sendable {
    private let state = Mutex<[String]>([])

    /// A trace of nothing yet.
    public init() {}

    /// `configuration`, with every connection traced.
    public func traced(_ configuration: Database.Configuration = Database.Configuration()) -> Database.Configuration {
        configuration.with { configuration in
            let prepare = configuration.prepare
            configuration.prepare = { [self] db in
                try prepare?(db)
                // The trace outlives the connections: the configuration that made them holds it.
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

    /// What was run so far, transaction control included, triggers as comments.
    public var statements: [String] { state.withLock { $0 } }

    /// Forgets what was run so far.
    public func reset() {
        state.withLock { $0 = [] }
    }
}
