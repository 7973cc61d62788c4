internal import Synchronization

/// Tells the queries that are observed of every commit.
final class ObservationHub: Sendable {
    private let state = Locked(State())
    /// Read by every commit, so that one that nobody observes takes no lock.
    private let count = Atomic(0)

    private struct State {
        var queries: [QueryKey: any ObservedQuery] = [:]
    }

    /// The query with this key, made by `make` if nobody observes it yet, with one more observer.
    func query<Value>(_ key: QueryKey, make: () -> SharedQuery<Value>) -> SharedQuery<Value> {
        state.withLock { state in
            if let query = state.queries[key] as? SharedQuery<Value> {
                query.retain()
                return query
            }
            let query = make()
            query.retain()
            state.queries[key] = query
            count.store(state.queries.count, ordering: .releasing)
            return query
        }
    }

    /// The query with this key, if anyone observes it.
    func query<Value>(_ key: QueryKey, as type: Value.Type) -> SharedQuery<Value>? {
        state.withLock { $0.queries[key] as? SharedQuery<Value> }
    }

    /// Takes one observer away; a query without any is forgotten.
    func release(_ key: QueryKey, _ query: any ObservedQuery) {
        state.withLock { state in
            guard query.release(), state.queries[key] === query else { return }
            state.queries[key] = nil
            count.store(state.queries.count, ordering: .releasing)
        }
        query.observerLeft()
    }

    /// How many different queries are observed.
    var queryCount: Int { count.load(ordering: .acquiring) }

    /// Whether anything is observed.
    var isIdle: Bool { count.load(ordering: .acquiring) == 0 }

    /// Called after each commit, in the order of the commits, before the next may begin.
    func committed(_ region: Region) {
        guard !isIdle, !region.isEmpty else { return }
        let queries = state.withLock { Array($0.queries.values) }
        for query in queries { query.committed(region) }
    }
}

/// What makes two observations the same query.
struct QueryKey: Hashable, Sendable {
    /// SQL text, or a name that the user chose, or a number.
    let identity: Identity
    let value: ObjectIdentifier
    let interval: Duration

    enum Identity: Hashable, Sendable {
        case name(String)
        case sql(String, [SQLValue])
        case unique(ObjectIdentifier)
    }
}

/// A query that is observed, whatever its values are.
protocol ObservedQuery: AnyObject, Sendable {
    /// One more observer; called under the hub's lock.
    func retain()
    /// One observer less; whether that was the last. Called under the hub's lock.
    func release() -> Bool
    /// An observer has gone; it may have been the one that was woken to fetch.
    func observerLeft()
    /// A commit changed `region`.
    func committed(_ region: Region)
}
