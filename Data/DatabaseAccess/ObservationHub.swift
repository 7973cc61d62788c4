internal import Synchronization

/// A database that can be observed.
///
/// Neither this protocol nor the code that a commit calls is generic: other modules run generic code of this one
/// unspecialized, which delays every value.
package protocol ObservableDatabase: AnyObject, Sendable {
    var hub: ObservationHub { get }
    var clock: AnyClock { get }
    /// The connections on which observations fetch.
    var fetchPool: ConnectionPool { get }

    /// Called when an observer has been added: from now on the database reports its commits to `hub`.
    func observerAdded()
    func observerRemoved()
    /// Waits until the database reports all commits after this call to `hub`; throws if it cannot.
    func prepareFetch(isolation: isolated (any Actor)?) async throws
    /// Returns whether a fetch that threw `error` is retried; otherwise the observation fails.
    func isTemporary(_ error: any Error) -> Bool
}

extension ObservableDatabase {
    /// Throws an error for `nested` if the thread is within an access to the database.
    package func checkNoAccess() throws {
        try CurrentAccess.check(hub, orThrow: fetchPool.error)
    }
}

/// The result of a fetch, and the region that it read.
package struct Fetched<Value: Sendable>: Sendable {
    let value: Value
    let region: Region

    package init(value: Value, region: Region) {
        (self.value, self.region) = (value, region)
    }
}

/// The health of an observation; the libraries declare their own, with the type of their errors.
package enum QueryHealth: Sendable {
    case live
    case retrying(any Error)
    case failed(any Error)

    /// Returns whether the other health is in the same phase.
    func hasPhase(of other: QueryHealth) -> Bool {
        switch (self, other) {
        case (.live, .live), (.retrying, .retrying), (.failed, .failed): true
        default: false
        }
    }
}

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

    package var queryCount: Int { count.load(ordering: .acquiring) }

    package var healthCount: Int { state.withLock { $0.healths.count } }

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

/// An observer of a query, which unsubscribes on deinitialization.
package final class QueryObserver<Value: Sendable> {
    private let source: ObservationSource<Value>
    private let query: SharedQuery<Value>
    private var version: UInt64 = 0
    private var hasFailed = false

    /// Subscribes to the query of `source`, which is fetched when the first value is requested.
    package init(_ source: ObservationSource<Value>) {
        self.source = source
        query = source.subscribe()
    }

    deinit {
        source.unsubscribe(query)
    }

    /// Returns the next value; nil when the task is cancelled, and after it has thrown the error of the query.
    package func next(isolation: isolated (any Actor)?) async throws -> Value? {
        var hasWaited = false
        while !hasFailed, !Task.isCancelled {
            switch query.nextStep(after: version, hasWaited: hasWaited, now: source.now()) {
            case .deliver(let value, let version):
                self.version = version
                return value
            case .fail(let error):
                hasFailed = true
                throw error
            case .fetch(let delay):
                await source.fetch(query, after: delay, isolation: isolation)
            case .wait:
                await query.wait(after: version, isolation: isolation)
            }
            hasWaited = true
        }
        return nil
    }
}
