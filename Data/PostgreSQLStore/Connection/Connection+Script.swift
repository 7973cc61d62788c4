#if PostgreSQL
    internal import CPostgreSQL

    extension Connection {
        /// Runs the statements of a script in order. The script has no parameters.
        ///
        /// If a statement fails, the following ones are not run. Outside a transaction, a script is a transaction of
        /// its own, except for its parts between `BEGIN` and `COMMIT`. Within a transaction, as in `write`, a script
        /// cannot begin or end one.
        ///
        /// ```swift
        /// try db.executeScript("CREATE TABLE a (x int); CREATE TABLE b (x int)")
        /// ```
        ///
        /// - Throws: ``PostgreSQLError``, with `.misuse` for a script that ends the transaction or leaves one open;
        ///   `CancellationError`.
        public func executeScript(_ script: String) throws {
            guard !script.utf8.contains(0) else {
                throw PostgreSQLError(.misuse, "the script contains a NUL, where the server would stop reading")
            }
            try exchange(sql: script) {
                PQsendQuery(raw, script)
            } receive: {
                let result = try lastResult(sql: script)
                defer { PQclear(result) }
                // A script may consist of comments.
                if PQresultStatus(result) != PGRES_EMPTY_QUERY { try check(result, sql: script, hasValues: false) }
            }
            try checkTransaction(after: script)
        }
    }
#endif
