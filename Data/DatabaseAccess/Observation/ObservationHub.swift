internal import Synchronization

/// The registry of observed queries; notifies them of every commit.
package final class ObservationHub: Sendable {
    private let state = Mutex(State())
    /// Read by every commit, so that commits of an unobserved database take no lock.
    private let count = Atomic(0)

    fileprivate struct State {
        var queries: [QueryKey: any ObservedQuery] = [:]
        /// The records of queries that are observed or whose health is watched, except those that have always been
        /// live.
        var healths: [QueryKey: HealthRecord] = [:]
    }

    package init() {}

    deinit {
        let records = state.withLock { $0.healths.values }
        for record in records { record.finish() }
    }

    /// Returns the query with this key, created by `make` if necessary, and adds an observer to it.
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

    /// Returns the query with this key, if it is observed.
    func query<Value>(_ key: QueryKey, as type: Value.Type) -> SharedQuery<Value>? {
        state.withLock { $0.queries[key] as? SharedQuery<Value> }
    }

    /// Removes an observer; a query without observers is removed.
    func release(_ key: QueryKey, _ query: any ObservedQuery) {
        state.withLock { state in
            guard query.release(), state.queries[key] === query else { return }
            state.queries[key] = nil
            count.store(state.queries.count, ordering: .releasing)
            state.forgetHealth(of: key)
        }
        query.observerRemoved()
    }

    /// Returns the recorded health of the query; live without a record.
    func health(of key: QueryKey) -> QueryHealth {
        state.withLock { $0.healths[key]?.current ?? .live }
    }

    /// Records the health of the query, and notifies its watchers if the phase has changed.
    func report(_ health: QueryHealth, of key: QueryKey) {
        let watchers = state.withLock { state -> [HealthRecord.Watcher] in
            // A query that has always been live needs no record, nor does one without observers and watchers.
            let needsRecord = if case .live = health { false } else { state.queries[key] != nil }
            guard var record = state.healths[key] ?? (needsRecord ? HealthRecord() : nil) else { return [] }
            defer { state.healths[key] = record }
            return record.report(health) ? Array(record.watchers.values) : []
        }
        for watcher in watchers { watcher(health) }
    }

    /// Returns the current health of the query followed by each change of phase.
    func healthChanges<Health: Sendable>(
        of key: QueryKey, _ convert: @escaping @Sendable (QueryHealth) -> Health
    ) -> AsyncStream<Health> {
        let (stream, watcher) = AsyncStream.makeStream(of: Health.self, bufferingPolicy: .bufferingNewest(1))
        let id = UniqueToken()
        state.withLock { state in
            state.healths[key, default: HealthRecord()].watchers[ObjectIdentifier(id)] = { health in
                if let health { watcher.yield(convert(health)) } else { watcher.finish() }
            }
            // The stream has no consumer yet, so that no code is called under the lock.
            watcher.yield(convert(state.healths[key]?.current ?? .live))
        }
        watcher.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.healths[key]?.watchers[ObjectIdentifier(id)] = nil
                state.forgetHealth(of: key)
            }
        }
        return stream
    }

    /// The number of observed queries.
    package var queryCount: Int { count.load(ordering: .acquiring) }

    /// The number of health records.
    package var healthCount: Int { state.withLock { $0.healths.count } }

    /// Whether no query is observed.
    var isIdle: Bool { count.load(ordering: .acquiring) == 0 }

    /// Notifies the queries of a commit. A database with one writer calls this in the order of the commits, before the
    /// next one can begin.
    package func committed(_ region: Region) {
        guard !isIdle, !region.isEmpty else { return }
        let queries = state.withLock { Array($0.queries.values) }
        for query in queries { query.committed(region) }
    }
}

/// The health of one query, and its watchers.
private struct HealthRecord {
    /// Receives the health, and nil at the end.
    typealias Watcher = @Sendable (QueryHealth?) -> Void

    private(set) var current = QueryHealth.live
    var watchers: [ObjectIdentifier: Watcher] = [:]

    /// Records the health, and returns whether its state has changed.
    mutating func report(_ health: QueryHealth) -> Bool {
        defer { current = health }
        return !current.hasPhase(of: health)
    }

    func finish() {
        for watcher in watchers.values { watcher(nil) }
    }
}

extension ObservationHub.State {
    /// Removes the record of a query without observers and watchers.
    fileprivate mutating func forgetHealth(of key: QueryKey) {
        if queries[key] == nil, healths[key]?.watchers.isEmpty ?? false { healths[key] = nil }
    }
}

/// An object that serves only as an identity.
final class UniqueToken: Sendable {}

/// Identifies a query. Observations with equal keys share their fetches.
///
/// `@unchecked Sendable`: the initializer admits only an identity that is `Sendable`.
struct QueryKey: Hashable, @unchecked Sendable {
    /// The SQL, a name chosen by the user, or the address of a token.
    private let identity: AnyHashable
    private let value: ObjectIdentifier
    let interval: Duration

    init(_ identity: some Hashable & Sendable, _ value: Any.Type, _ interval: Duration) {
        (self.identity, self.value, self.interval) = (AnyHashable(identity), ObjectIdentifier(value), interval)
    }
}

/// An observed query, with its value type erased.
protocol ObservedQuery: AnyObject, Sendable {
    /// Adds an observer. Called under the hub's lock.
    func retain()
    /// Removes an observer, and returns whether it was the last. Called under the hub's lock.
    func release() -> Bool
    /// Called after the removal of an observer, which may have been woken to fetch.
    func observerRemoved()
    /// Called after a commit that changed `region`.
    func committed(_ region: Region)
}
