#if PostgreSQL
    internal import DatabaseAccess

    extension Database {
        /// Observes the result of `fetch`, which can run any number of statements on one state of the database.
        ///
        /// The value is fetched again after each commit that announces one of the topics with `Connection.notify`, in
        /// this process or another.
        ///
        /// - Parameters:
        ///   - topics: The topics on which the value depends.
        ///   - name: Observations with the same name, topics, value type and interval share their fetches. Use the same
        ///     name only for equivalent closures. With nil, only the observers of the returned observation share
        ///     fetches.
        ///   - interval: The minimum time between two fetches.
        ///   - fetch: Fetches the value; it runs like the closure of ``read(_:)``. The iterator throws its errors,
        ///     except those after which the fetch is retried.
        /// - Returns: An observation, which fetches nothing until it is iterated.
        public func observe<Value: Sendable>(
            _ topics: Set<String>, sharedAs name: String? = nil, every interval: Duration = .zero,
            _ fetch: @escaping @Sendable (Connection) throws -> Value
        ) -> DatabaseObservation<Value> {
            observation(topics, name.map { .name($0, topics: topics) }, interval, isUnchanged: { _, _ in false }, fetch)
        }

        /// Observes the result of `fetch`, and skips values that are equal to their predecessor.
        ///
        /// - Parameters:
        ///   - topics: The topics on which the value depends.
        ///   - name: Observations with the same name, topics, value type and interval share their fetches. Use the same
        ///     name only for equivalent closures. With nil, only the observers of the returned observation share
        ///     fetches.
        ///   - interval: The minimum time between two fetches.
        ///   - fetch: Fetches the value; it runs like the closure of ``read(_:)``. The iterator throws its errors,
        ///     except those after which the fetch is retried.
        /// - Returns: An observation, which fetches nothing until it is iterated.
        public func observe<Value: Sendable & Equatable>(
            _ topics: Set<String>, sharedAs name: String? = nil, every interval: Duration = .zero,
            _ fetch: @escaping @Sendable (Connection) throws -> Value
        ) -> DatabaseObservation<Value> {
            observation(topics, name.map { .name($0, topics: topics) }, interval, isUnchanged: ==, fetch)
        }

        /// Observes all rows of a query, and skips results that are equal to their predecessor. Observations with equal
        /// topics, SQL, values and intervals share their fetches.
        ///
        /// ```swift
        /// let cities = database.observe(["cities"], rows: City.self, "SELECT name, population FROM cities")
        /// ```
        public func observe<Value: RowDecodable & Sendable & Equatable>(
            _ topics: Set<String>, rows type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
        ) -> DatabaseObservation<[Value]> {
            observation(topics, identity(of: sql, topics), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql)
            }
        }

        /// Observes the first column of all rows of a query, and skips results that are equal to their predecessor.
        /// Observations with equal topics, SQL, values and intervals share their fetches.
        ///
        /// ```swift
        /// let names = database.observe(["cities"], rows: String.self, "SELECT name FROM cities ORDER BY name")
        /// ```
        public func observe<Value: SQLDecodable & Sendable & Equatable>(
            _ topics: Set<String>, rows type: Value.Type = Value.self, _ sql: SQL, every interval: Duration = .zero
        ) -> DatabaseObservation<[Value]> {
            observation(topics, identity(of: sql, topics), interval, isUnchanged: ==) { db in try db.fetchAll(type, sql)
            }
        }

        /// The number of distinct queries that are observed.
        package var observedQueryCount: Int { hub.queryCount }

        private func observation<Value: Sendable>(
            _ topics: Set<String>, _ identity: QueryIdentity?, _ interval: Duration,
            isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
            _ fetch: @escaping @Sendable (Connection) throws -> Value
        ) -> DatabaseObservation<Value> {
            DatabaseObservation(
                source: ObservationSource(
                    database: self, identity: identity, interval: interval, isUnchanged: isUnchanged,
                    read: observedRead(topics, fetch)))
        }

        /// Returns nil if a value of the SQL cannot be converted; the fetch will throw the error.
        private func identity(of sql: SQL, _ topics: Set<String>) -> QueryIdentity? {
            guard let values = try? sql.values else { return nil }
            return .sql(sql.text, values, topics: topics)
        }
    }

    /// Identifies equivalent queries.
    private enum QueryIdentity: Hashable {
        case name(String, topics: Set<String>)
        case sql(String, [SQLValue], topics: Set<String>)
    }
#endif
