/// The query of an observation, and the database on which it is fetched.
package final class ObservationSource<Backend: ObservationBackend, Value: Sendable>: Sendable {
    typealias Query = SharedQuery<Value, Backend.Changes>
    private typealias Fetched = (value: Value, region: Backend.Changes)

    private let backend: Backend
    private let key: QueryKey<Backend.Identity>
    private let isUnchanged: @Sendable (Value, Value) -> Bool
    private let read: @Sendable (Backend.Connection) throws -> (value: Value, region: Backend.Changes)
    /// The address of the token identifies a query without an identity of its own while the observation lives.
    private let token: UniqueToken

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - backend: The database.
    ///   - identity: Observations with the same identity and value type share their fetches; with nil, only the observers
    ///     of this source do.
    ///   - interval: The minimum time between two fetches.
    ///   - isUnchanged: Whether the second value is not delivered after the first.
    ///   - read: Fetches the value, and returns it with what it depends on.
    package init(
        backend: Backend, identity: Backend.Identity?, interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        read: @escaping @Sendable (Backend.Connection) throws -> (value: Value, region: Backend.Changes)
    ) {
        self.backend = backend
        self.isUnchanged = isUnchanged
        self.read = read
        let token = UniqueToken()
        self.token = token
        key = QueryKey(
            query: identity.map { .identified($0) } ?? .unique(ObjectIdentifier(token)),
            value: ObjectIdentifier(Value.self), interval: interval)
    }

    func subscribe() -> Query {
        backend.observerAdded()
        return backend.hub.query(key) {
            SharedQuery(
                interval: key.interval, isUnchanged: isUnchanged,
                startFetch: backend.fetchesOnThreads ? startFetch : nil)
        }
    }

    func unsubscribe(_ query: Query) {
        backend.hub.release(key, query)
        backend.observerRemoved()
    }

    /// The current health of the query.
    package var health: Backend.Health {
        backend.hub.health(of: key)
    }

    /// The current health of the query followed by each change of phase.
    package var healthChanges: AsyncStream<Backend.Health> {
        backend.hub.healthChanges(of: key)
    }

    /// Whether a commit has changed what the last fetch read.
    package var isStale: Bool {
        backend.hub.query(key, as: Value.self)?.isStale ?? true
    }

    func now() -> Duration {
        backend.clock.now()
    }

    /// Fetches for all observers, and passes the result to the query.
    func fetch(_ query: Query, after delay: Duration, isolation: isolated (any Actor)?) async {
        do {
            if delay > .zero { try await backend.clock.sleep(delay) }
            // Commits before they are reported would be missed.
            try await backend.prepareFetch(isolation: isolation)
            query.fetchBegins(now: now())
            finish(query, .success(try await backend.fetch(isolation: isolation, read)))
        } catch {
            finish(query, .failure(error))
        }
    }

    /// Fetches on a thread of the database; returns a function that cancels the fetch.
    private func startFetch(_ query: Query) -> @Sendable () -> Void {
        query.fetchBegins(now: now())
        return backend.startFetch(read) { [self] result in finish(query, result) }
    }

    /// The health is updated first, so that an observer that receives the value sees it.
    private func finish(_ query: Query, _ result: Result<Fetched, any Error>) {
        switch result {
        case .success(let (value, region)):
            backend.hub.report(Backend.live, of: key)
            query.fetched(value, region: region)
        case .failure(is CancellationError):
            query.fetchCancelled()
        case .failure(let error):
            let health = Backend.health(after: error)
            backend.hub.report(health, of: key)
            query.fetchFailed(error, isRetried: Backend.phase(of: health) == .retrying)
        }
    }
}
