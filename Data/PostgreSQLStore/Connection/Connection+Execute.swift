#if PostgreSQL
    internal import CPostgreSQL

    extension Connection {
        /// Runs one statement, and returns the number of rows that it inserted, updated or deleted.
        ///
        /// Rows that a `SELECT` or `RETURNING` yields are dropped.
        ///
        /// ```swift
        /// let liked = try db.execute(
        ///     "INSERT INTO liked (person, travel) VALUES (\(person), \(travel)) ON CONFLICT DO NOTHING") == 1
        /// ```
        ///
        /// - Throws: ``PostgreSQLError``, such as `.uniqueViolation`, or `.readOnly` for a statement that writes in a
        ///   read; `CancellationError` if the access has been cancelled.
        @discardableResult
        public func execute(_ sql: SQL) throws -> Int {
            try withResult(of: sql) { result, _ in changeCount(of: result) }
        }

        /// Returns the number of rows that a statement changed.
        func changeCount(of result: OpaquePointer) -> Int {
            guard let tag = PQcmdStatus(result).map({ String(cString: $0) }),
                !["SELECT", "FETCH", "MOVE"].contains(where: tag.hasPrefix)
            else { return 0 }
            return PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        }

        /// Announces at the commit that what `topic` stands for has changed, to all observers of the topic, also in
        /// other processes. After a rollback nothing is announced.
        ///
        /// ```swift
        /// try await database.write { db in
        ///     try db.execute("UPDATE travels SET title = \(title) WHERE id = \(id)")
        ///     db.notify("travels")
        /// }
        /// ```
        public func notify(_ topic: String) {
            topics.insert(topic)
        }
    }
#endif
