import CSQLite
public import SQLiteStore
import Synchronization

/// SQLite's query plan: the steps of `EXPLAIN QUERY PLAN`, as SQLite words them.
///
/// ```swift
/// try db.queryPlan("SELECT … FROM trips WHERE region = \(region) ORDER BY created_at DESC LIMIT 20")
///     .require(.index("trips_by_region"), .noFullScan, .noTemporaryBTree)
/// ```
public struct QueryPlan: Hashable, Sendable {
    /// The steps, outermost first, such as `SEARCH trips USING INDEX trips_by_region (region=?)`.
    public let steps: [String]

    /// Creates a plan from its steps, as `EXPLAIN QUERY PLAN` prints them.
    public init(steps: [String]) {
        self.steps = steps
    }
}

extension QueryPlan {
    /// A property that a plan is required to have.
    ///
    /// ```swift
    /// try db.queryPlan("SELECT name FROM cities ORDER BY name")
    ///     .require(.index("cities_by_name"), .noTemporaryBTree)
    /// ```
    public struct Requirement: Sendable {
        let description: String
        let holds: @Sendable (QueryPlan) -> Bool

        /// The plan uses this index, covering or not.
        ///
        /// ```swift
        /// try db.queryPlan("SELECT id FROM cities WHERE name = 'Jeju'").require(.index("cities_by_name"))
        /// ```
        public static func index(_ name: String) -> Requirement {
            Requirement(description: "index \(name)") { plan in
                plan.steps.contains { step in
                    step.contains("INDEX ") && step.split(separator: " ").contains { $0 == name }
                }
            }
        }

        /// The plan scans neither a table nor an index completely. Constant rows, materialised subqueries and
        /// table-valued functions do not count as tables.
        public static let noFullScan = Requirement(description: "no full scan") { plan in
            !plan.steps.contains { step in
                step.hasPrefix("SCAN ") && !step.contains("VIRTUAL TABLE") && !step.hasPrefix("SCAN CONSTANT")
                    && !step.hasPrefix("SCAN (")
            }
        }

        /// The plan does not sort or deduplicate rows in a temporary B-tree.
        public static let noTemporaryBTree = Requirement(description: "no temporary b-tree") { plan in
            !plan.steps.contains { $0.contains("TEMP B-TREE") }
        }

        /// The plan does not create an automatic index.
        public static let noAutomaticIndex = Requirement(description: "no automatic index") { plan in
            !plan.steps.contains { $0.contains("AUTOMATIC") }
        }
    }

    /// An error that names the unmet requirements and the plan.
    ///
    /// ```swift
    /// try QueryPlan(steps: ["SCAN trips"]).require(.noFullScan)
    /// // throws: required: no full scan; planned: SCAN trips
    /// ```
    public struct Failure: Error, CustomStringConvertible {
        /// The requirements and the plan: `required: no full scan; planned: SCAN trips`.
        public let description: String

        /// Creates a failure whose description is the message of the test.
        public init(description: String) {
            self.description = description
        }
    }

    /// Checks the requirements.
    ///
    /// ```swift
    /// try db.queryPlan("SELECT name FROM cities ORDER BY name").require(.noTemporaryBTree)
    /// ```
    ///
    /// - Throws: A ``Failure`` that names the requirements that the plan does not meet.
    public func require(_ requirements: Requirement...) throws {
        let missed = requirements.filter { !$0.holds(self) }
        guard missed.isEmpty else {
            throw Failure(
                description: "required: \(missed.map(\.description).joined(separator: ", ")); planned: "
                    + steps.joined(separator: "; "))
        }
    }
}

extension Connection {
    /// Returns SQLite's plan for `sql` on the current database.
    ///
    /// ```swift
    /// try db.queryPlan("SELECT * FROM cities").steps    // ["SCAN cities"]
    /// ```
    ///
    /// - Throws: `SQLiteError` when `sql` is not valid.
    public func queryPlan(_ sql: SQL) throws -> QueryPlan {
        QueryPlan(steps: try fetchAll("EXPLAIN QUERY PLAN \(sql)") { row in try row[3] })
    }
}

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
