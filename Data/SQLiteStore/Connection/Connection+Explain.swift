extension Connection {
    /// How SQLite means to run `sql`, in the words of `EXPLAIN QUERY PLAN`: one step a line, indented by two spaces for
    /// each step that it is a part of.
    ///
    /// ```swift
    /// print(try db.explain("SELECT * FROM cities WHERE name = \(name) ORDER BY population"))
    /// // SEARCH cities USING INDEX cities_by_name (name=?)
    /// // USE TEMP B-TREE FOR ORDER BY
    /// ```
    ///
    /// The statement itself is not run, so a read can explain one that writes. `SCAN` reads a table from end to end;
    /// `SEARCH` finds rows by an index. `QueryPlan` of SQLiteStoreTesting requires what a plan is to do in a test.
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
