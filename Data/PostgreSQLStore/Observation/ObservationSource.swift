#if PostgreSQL
    /// The query of an observation, and the database on which it is fetched.
    final class ObservationSource<Value: Sendable>: Sendable {
        private let database: Database
        private let key: QueryKey
        private let isUnchanged: @Sendable (Value, Value) -> Bool
        private let read: @Sendable (Connection) throws -> Value

        init(
            database: Database, topics: Set<String>, identity: QueryKey.Identity?, interval: Duration,
            isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
            read: @escaping @Sendable (Connection) throws -> Value
        ) {
            self.database = database
            self.isUnchanged = isUnchanged
            self.read = read
            let token = UniqueToken()
            self.token = token
            key = QueryKey(
                identity: identity ?? .unique(ObjectIdentifier(token)), topics: topics,
                value: ObjectIdentifier(Value.self), interval: interval)
        }

        /// The address of the token identifies a query without SQL or name while the observation lives.
        private let token: UniqueToken

        func subscribe() -> SharedQuery<Value> {
            database.listener.addObserver()
            return database.hub.query(key) {
                SharedQuery(
                    topics: key.topics, interval: key.interval, isUnchanged: isUnchanged, startFetch: startFetch)
            }
        }

        func unsubscribe(_ query: SharedQuery<Value>) {
            database.hub.release(key, query)
            database.listener.removeObserver()
        }

        var health: ObservationHealth {
            database.hub.health(of: key)
        }

        var healthChanges: AsyncStream<ObservationHealth> {
            database.hub.healthChanges(of: key)
        }

        var isStale: Bool {
            database.hub.query(key, as: Value.self)?.isStale ?? true
        }

        func now() -> Duration {
            database.clock.now()
        }

        /// Fetches for all observers, and passes the result to the query.
        func fetch(_ query: SharedQuery<Value>, after delay: Duration, isolation: isolated (any Actor)?) async {
            do {
                if delay > .zero { try await database.clock.sleep(delay) }
                // Commits before the server announces them would be missed.
                try await database.listener.listening(isolation: isolation)
                query.fetchBegins(now: database.clock.now())
                finish(query, .success(try await database.read(read)))
            } catch {
                finish(query, .failure(error))
            }
        }

        /// Fetches on a thread of the database; returns a function that cancels the fetch.
        private func startFetch(_ query: SharedQuery<Value>) -> @Sendable () -> Void {
            query.fetchBegins(now: database.clock.now())
            let access = database.startFetch(read) { [self] result in finish(query, result) }
            return { access.cancel() }
        }

        /// The health is updated first, so that an observer that receives the value sees it.
        private func finish(_ query: SharedQuery<Value>, _ result: Result<Value, any Error>) {
            switch result {
            case .success(let value):
                database.hub.report(.live, of: key)
                query.fetched(value)
            case .failure(is CancellationError):
                query.fetchCancelled()
            case .failure(let error):
                let health = ObservationHealth(error)
                database.hub.report(health, of: key)
                query.fetchFailed(health)
            }
        }
    }
#endif
