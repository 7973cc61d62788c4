internal import Synchronization

/// Tells the queries that are observed of every commit.
final class ObservationHub: Sendable {
    private let state = Mutex(State())
    /// Read by every commit, so that one that nobody observes takes no lock.
    private let count = Atomic(0)

    fileprivate struct State {
        var queries: [QueryKey: any ObservedQuery] = [:]
        /// Those that anyone observes or watches, unless they have always been live.
        var healths: [QueryKey: HealthRecord] = [:]
    }

    deinit {
        let records = state.withLock { $0.healths.values }
        for record in records { record.finish() }
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
            state.forgetHealth(of: key)
        }
        query.observerLeft()
    }

    /// How the query is doing, or was when it was last observed while anyone watched.
    func health(of key: QueryKey) -> ObservationHealth {
        state.withLock { $0.healths[key]?.current ?? .live }
    }

    /// Notes how the query is doing, and tells those who watch if that is another state than before.
    func report(_ health: ObservationHealth, of key: QueryKey) {
        let watchers = state.withLock { state -> [AsyncStream<ObservationHealth>.Continuation] in
            // What has always been live needs no record; nor does what nobody observes or watches any more.
            let isWorthNoting = if case .live = health { false } else { state.queries[key] != nil }
            guard var record = state.healths[key] ?? (isWorthNoting ? HealthRecord() : nil) else { return [] }
            defer { state.healths[key] = record }
            return record.report(health) ? Array(record.watchers.values) : []
        }
        for watcher in watchers { watcher.yield(health) }
    }

    /// How the query is doing, and then each other state.
    func healthChanges(of key: QueryKey) -> AsyncStream<ObservationHealth> {
        let (stream, watcher) = AsyncStream.makeStream(of: ObservationHealth.self, bufferingPolicy: .bufferingNewest(1))
        let id = UniqueToken()
        state.withLock { state in
            state.healths[key, default: HealthRecord()].watchers[ObjectIdentifier(id)] = watcher
            // Nobody takes from the stream yet, so nothing is called under the lock.
            watcher.yield(state.healths[key]?.current ?? .live)
        }
        watcher.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.healths[key]?.watchers[ObjectIdentifier(id)] = nil
                state.forgetHealth(of: key)
            }
        }
        return stream
    }

    /// How many different queries are observed.
    var queryCount: Int { count.load(ordering: .acquiring) }

    /// How many queries have a health worth keeping.
    var healthCount: Int { state.withLock { $0.healths.count } }

    /// Whether anything is observed.
    var isIdle: Bool { count.load(ordering: .acquiring) == 0 }

    /// Called after each commit, in the order of the commits, before the next may begin.
    func committed(_ region: Region) {
        guard !isIdle, !region.isEmpty else { return }
        let queries = state.withLock { Array($0.queries.values) }
        for query in queries { query.committed(region) }
    }
}

/// How one query is doing, and who wants to know.
private struct HealthRecord {
    private(set) var current = ObservationHealth.live
    var watchers: [ObjectIdentifier: AsyncStream<ObservationHealth>.Continuation] = [:]

    /// Whether it is another state than before.
    mutating func report(_ health: ObservationHealth) -> Bool {
        defer { current = health }
        return switch (current, health) {
        case (.live, .live), (.retrying, .retrying), (.failed, .failed): false
        default: true
        }
    }

    func finish() {
        for watcher in watchers.values { watcher.finish() }
    }
}

extension ObservationHub.State {
    /// Forgets the health of a query that nobody observes or watches any more.
    fileprivate mutating func forgetHealth(of key: QueryKey) {
        if queries[key] == nil, healths[key]?.watchers.isEmpty ?? false { healths[key] = nil }
    }
}

/// An identity and nothing else.
final class UniqueToken: Sendable {}

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
