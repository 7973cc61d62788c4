#if PostgreSQL
    internal import Synchronization

    /// The registry of observed queries; notifies them of every announced commit.
    final class ObservationHub: Sendable {
        private let state = Mutex(State())
        private let count = Atomic(0)

        fileprivate struct State {
            var queries: [QueryKey: any ObservedQuery] = [:]
            /// Records for queries that are observed or watched, except those that have always been live.
            var healths: [QueryKey: HealthRecord] = [:]
        }

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

        /// Returns the health of the query, or the last recorded one.
        func health(of key: QueryKey) -> ObservationHealth {
            state.withLock { $0.healths[key]?.current ?? .live }
        }

        /// Records the health of the query, and notifies watchers of a change of state.
        func report(_ health: ObservationHealth, of key: QueryKey) {
            let watchers = state.withLock { state -> [AsyncStream<ObservationHealth>.Continuation] in
                // A query that has always been live needs no record, nor does one without observers and watchers.
                let needsRecord = if case .live = health { false } else { state.queries[key] != nil }
                guard var record = state.healths[key] ?? (needsRecord ? HealthRecord() : nil) else { return [] }
                defer { state.healths[key] = record }
                return record.report(health) ? Array(record.watchers.values) : []
            }
            for watcher in watchers { watcher.yield(health) }
        }

        /// Returns the current health of the query followed by each change of state.
        func healthChanges(of key: QueryKey) -> AsyncStream<ObservationHealth> {
            let (stream, watcher) = AsyncStream.makeStream(
                of: ObservationHealth.self, bufferingPolicy: .bufferingNewest(1))
            let id = UniqueToken()
            state.withLock { state in
                state.healths[key, default: HealthRecord()].watchers[ObjectIdentifier(id)] = watcher
                // The stream has no consumer yet, so that no code is called under the lock.
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

        /// The number of observed queries.
        var queryCount: Int { count.load(ordering: .acquiring) }

        /// The number of health records.
        var healthCount: Int { state.withLock { $0.healths.count } }

        /// Notifies the queries of commits that have changed what `topics` stand for. Called in the order of the commits.
        func committed(_ topics: Topics) {
            let queries = state.withLock { Array($0.queries.values) }
            for query in queries { query.committed(topics) }
        }
    }

    /// The health of one query, and its watchers.
    private struct HealthRecord {
        private(set) var current = ObservationHealth.live
        var watchers: [ObjectIdentifier: AsyncStream<ObservationHealth>.Continuation] = [:]

        /// Records the health, and returns whether its state has changed.
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
        /// Removes the record of a query without observers and watchers.
        fileprivate mutating func forgetHealth(of key: QueryKey) {
            if queries[key] == nil, healths[key]?.watchers.isEmpty ?? false { healths[key] = nil }
        }
    }

    /// An object that serves only as an identity.
    final class UniqueToken: Sendable {}

    /// Identifies a query. Observations with equal keys share their fetches.
    struct QueryKey: Hashable, Sendable {
        /// The SQL, a name chosen by the user, or a unique identity.
        let identity: Identity
        let topics: Set<String>
        let value: ObjectIdentifier
        let interval: Duration

        enum Identity: Hashable, Sendable {
            case name(String)
            case sql(String, [SQLValue])
            case unique(ObjectIdentifier)
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
        /// Called after commits that changed what `topics` stand for.
        func committed(_ topics: Topics)
    }
#endif
