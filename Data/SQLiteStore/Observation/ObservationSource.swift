/// Where an observation gets its values from.
final class ObservationSource<Value: Sendable>: Sendable {
    private let database: Database
    private let key: QueryKey
    private let isUnchanged: @Sendable (Value, Value) -> Bool
    private let read: @Sendable (Connection) throws -> Value

    init(
        database: Database, identity: QueryKey.Identity?, interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool, read: @escaping @Sendable (Connection) throws -> Value
    ) {
        self.database = database
        self.isUnchanged = isUnchanged
        self.read = read
        let token = UniqueToken()
        self.token = token
        key = QueryKey(
            identity: identity ?? .unique(ObjectIdentifier(token)), value: ObjectIdentifier(Value.self),
            interval: interval)
    }

    /// Its address is the identity of an observation that has no other, as long as the observation lives.
    private let token: UniqueToken

    private final class UniqueToken: Sendable {}

    func join() -> SharedQuery<Value> {
        defer { database.observerJoined() }
        return database.hub.query(key) { SharedQuery(interval: key.interval, isUnchanged: isUnchanged) }
    }

    func leave(_ query: SharedQuery<Value>) {
        database.hub.release(key, query)
        database.observerLeft()
    }

    var health: ObservationHealth {
        database.hub.query(key, as: Value.self)?.health ?? .live
    }

    var isStale: Bool {
        database.hub.query(key, as: Value.self)?.isStale ?? true
    }

    func now() -> Duration {
        database.clock.now()
    }

    /// Fetches for everyone, and tells the query how it went.
    func fetch(_ query: SharedQuery<Value>, after delay: Duration, isolation: isolated (any Actor)?) async {
        do {
            if delay > .zero { try await database.clock.sleep(delay) }
            query.fetchBegins(now: database.clock.now())
            let (value, region) = try await database.fetchForObservation(isolation: isolation, read)
            query.fetched(value, region: region)
        } catch is CancellationError {
            query.fetchAbandoned()
        } catch {
            query.fetchFailed(error)
        }
    }
}
