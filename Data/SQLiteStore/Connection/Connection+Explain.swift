extension Connection {
    /// Returns the plan of SQLite for `sql`, as `EXPLAIN QUERY PLAN` describes it: one step per line, with nested steps
    /// indented by two spaces.
    ///
    /// ```swift
    /// print(try db.explain("SELECT * FROM cities WHERE name = \(name) ORDER BY population"))
    /// // SEARCH cities USING INDEX cities_by_name (name=?)
    /// // USE TEMP B-TREE FOR ORDER BY
    /// ```
    ///
    /// The statement is not run, so that a read can explain a statement that writes. `SCAN` reads a table completely;
    /// `SEARCH` finds rows by an index. To require properties of a plan in a test, use `QueryPlan` of
    /// SQLiteStoreTesting.
    ///
    /// - Throws: ``SQLiteError`` if `sql` is not valid.
    public func explain(_ sql: SQL) throws -> String {
        var depths: [Int: Int] = [:]
        return try fetchAll("EXPLAIN QUERY PLAN \(sql)") { row in
            let depth = depths[try row[1]].map { $0 + 1 } ?? 0
            depths[try row[0]] = depth
            return String(repeating: "  ", count: depth) + (try row[3] as String)
        }
        .joined(separator: "\n")
    }
}
