public import SQLiteStore

/// How SQLite means to run a query: the steps of `EXPLAIN QUERY PLAN`, in its own words.
///
/// ```swift
/// try db.queryPlan("SELECT … FROM travels WHERE region = \(region) ORDER BY created_at DESC LIMIT 20")
///     .require(.index("travels_by_region"), .noFullScan, .noTemporaryBTree)
/// ```
public struct QueryPlan: Hashable, Sendable {
    /// The steps, from the outermost in: `SEARCH travels USING INDEX travels_by_region (region=?)`.
    public let steps: [String]

    /// A plan of these steps.
    public init(steps: [String]) {
        self.steps = steps
    }
}

extension QueryPlan {
    /// Something a plan is required to do, or not to do.
    public struct Requirement: Sendable {
        let description: String
        let holds: @Sendable (QueryPlan) -> Bool

        /// The plan uses this index, as a covering index or not.
        public static func index(_ name: String) -> Requirement {
            Requirement(description: "index \(name)") { plan in
                plan.steps.contains { step in
                    step.contains("INDEX ") && step.split(separator: " ").contains { $0 == name }
                }
            }
        }

        /// No table is read from end to end; nor is an index, which costs as much. Constant rows, subqueries that were
        /// computed before, and table-valued functions are not tables.
        public static let noFullScan = Requirement(description: "no full scan") { plan in
            !plan.steps.contains { step in
                step.hasPrefix("SCAN ") && !step.contains("VIRTUAL TABLE") && !step.hasPrefix("SCAN CONSTANT")
                    && !step.hasPrefix("SCAN (")
            }
        }

        /// No rows are sorted or told apart in a temporary b-tree.
        public static let noTemporaryBTree = Requirement(description: "no temporary b-tree") { plan in
            !plan.steps.contains { $0.contains("TEMP B-TREE") }
        }

        /// No index is built for this query alone.
        public static let noAutomaticIndex = Requirement(description: "no automatic index") { plan in
            !plan.steps.contains { $0.contains("AUTOMATIC") }
        }
    }

    /// The requirement that the plan did not meet, and the plan.
    public struct Failure: Error, CustomStringConvertible {
        /// `required: no full scan; planned: SCAN travels`.
        public let description: String

        /// A failure of that description.
        public init(description: String) {
            self.description = description
        }
    }

    /// Throws a `Failure` that names the requirements that the plan does not meet.
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
    /// How SQLite means to run `sql` on the database as it is now.
    public func queryPlan(_ sql: SQL) throws -> QueryPlan {
        QueryPlan(steps: try fetchAll("EXPLAIN QUERY PLAN \(sql)") { row in try row[3] })
    }
}
