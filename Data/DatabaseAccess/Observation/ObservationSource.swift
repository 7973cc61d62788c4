/// The query of an observation, and the database that it reads.
package final class ObservationSource<Value: Sendable>: Sendable {
    private let database: any ObservableDatabase
    private let key: QueryKey
    private let isUnchanged: @Sendable (Value, Value) -> Bool
    private let read: @Sendable (any PooledConnection) throws -> Fetched<Value>
    /// The address of the token identifies a query without an identity of its own while the observation lives.
    private let token = UniqueToken()

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - identity: Observations with the same identity, value type and interval share their fetches; with nil, only
    ///     the observers of this source do.
    ///   - interval: The minimum time between two fetches.
    ///   - isUnchanged: Whether to skip the second value after the first.
    ///   - read: Fetches the value, and returns it with the region that it read.
    package init(
        database: any ObservableDatabase, identity: (some Hashable & Sendable)?, interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        read: @escaping @Sendable (any PooledConnection) throws -> Fetched<Value>
    ) {
        self.database = database
        self.isUnchanged = isUnchanged
        self.read = read
        key =
            if let identity { QueryKey(identity, Value.self, interval) } else {
                QueryKey(ObjectIdentifier(token), Value.self, interval)
            }
    }

    func subscribe() -> SharedQuery<Value> {
        database.observerAdded()
        return database.hub.query(key) {
            SharedQuery(
                interval: key.interval, isUnchanged: isUnchanged,
                startFetch: database.fetchPool.runsInline ? nil : startFetch)
        }
    }

    func unsubscribe(_ query: SharedQuery<Value>) {
        database.hub.release(key, query)
        database.observerRemoved()
    }

    /// The current health of the query.
    package var health: QueryHealth {
        database.hub.health(of: key)
    }

    /// The current health of the query, converted by `convert`, followed by each change of phase.
    package func healthChanges<Health: Sendable>(
        _ convert: @escaping @Sendable (QueryHealth) -> Health
    ) -> AsyncStream<Health> {
        database.hub.healthChanges(of: key, convert)
    }

    /// Whether a commit has changed the region that the last fetch read; true without an observer, and
    /// before the first fetch.
    package var isStale: Bool {
        database.hub.query(key, as: Value.self)?.isStale ?? true
    }

    func now() -> Duration {
        database.clock.now()
    }

    /// Fetches for all observers, and passes the result to the query.
    func fetch(_ query: SharedQuery<Value>, after delay: Duration, isolation: isolated (any Actor)?) async {
        do {
            if delay > .zero { try await database.clock.sleep(delay) }
            // The query would miss commits between the fetch and the first one that the database reports.
            try await database.prepareFetch(isolation: isolation)
            query.fetchBegins(now: now())
            try database.checkNoAccess()
            finish(query, .success(try await database.fetchPool.run(isolation: isolation, read)))
        } catch {
            finish(query, .failure(error))
        }
    }

    /// Fetches on a thread of the database; returns a function that cancels the fetch.
    private func startFetch(_ query: SharedQuery<Value>) -> @Sendable () -> Void {
        query.fetchBegins(now: now())
        let access = database.fetchPool.start(read) { [self] result in finish(query, result) }
        return { access.cancel() }
    }

    /// Reports the health before the value, so that an observer that receives the value reads the new health.
    private func finish(_ query: SharedQuery<Value>, _ result: Result<Fetched<Value>, any Error>) {
        switch result {
        case .success(let fetched):
            database.hub.report(.live, of: key)
            query.fetched(fetched.value, region: fetched.region)
        case .failure(is CancellationError):
            query.fetchCancelled()
        case .failure(let error):
            let isRetried = database.isTemporary(error)
            database.hub.report(isRetried ? .retrying(error) : .failed(error), of: key)
            query.fetchFailed(error, isRetried: isRetried)
        }
    }
}
