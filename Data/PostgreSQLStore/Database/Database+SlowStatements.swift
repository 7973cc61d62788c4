#if PostgreSQL
    internal import DatabaseAccess

    extension Database {
        /// A statement that took longer than the threshold.
        ///
        /// ```swift
        /// configuration.slowStatements = .init(longerThan: .seconds(1)) { statement in
        ///     print(statement.sql)         // SELECT name FROM cities WHERE population > $1
        ///     print(statement.duration)    // 1.25 seconds
        /// }
        /// ```
        public struct SlowStatement: Hashable, Sendable {
            /// Its text, with `$1` and so on in place of values.
            public let sql: String
            /// The time from sending it to the last of its rows, including the network.
            public let duration: Duration
        }

        /// The threshold and the callback for slow statements.
        ///
        /// ```swift
        /// configuration.slowStatements = .init(longerThan: .milliseconds(100)) { statement in
        ///     logger.warning("\(statement.duration): \(statement.sql)")
        /// }
        /// ```
        public struct SlowStatements: Sendable {
            let threshold: Duration
            let report: @Sendable (SlowStatement) -> Void

            /// Reports statements that take longer than `threshold`, those that failed and those that begin and end
            /// transactions included.
            ///
            /// - Parameters:
            ///   - threshold: The duration that a statement must exceed.
            ///   - report: Called on the thread of the access, after the statement and before the end of the access. It
            ///     must not access the database.
            public init(
                longerThan threshold: Duration, _ report: @escaping @Sendable (SlowStatement) -> Void
            ) {
                self.threshold = threshold
                self.report = report
            }
        }
    }

    extension Connection {
        /// Reports a statement that began at `start`, in nanoseconds, if it was slow.
        func reportIfSlow(_ sql: String, since start: Int) {
            guard let slowStatements = configuration.slowStatements else { return }
            let duration = Duration.nanoseconds(MonotonicClock.now() - start)
            guard duration > slowStatements.threshold else { return }
            slowStatements.report(Database.SlowStatement(sql: sql, duration: duration))
        }
    }
#endif
