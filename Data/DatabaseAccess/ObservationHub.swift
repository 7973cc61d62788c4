internal import Synchronization

/// A database that can be observed.
package protocol ObservableDatabase: AnyObject, Sendable {
    var hub: ObservationHub { get }
    var clock: AnyClock { get }
    /// The connections on which observations fetch.
    var fetchPool: ConnectionPool { get }
    /// Whether fetches that are known to be short may run on the threads of observers.
    var hasShortAccesses: Bool { get }

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

package struct Fetched<Value: Sendable>: Sendable {
    let value: Value
    let region: Region

    package init(value: Value, region: Region) {
        (self.value, self.region) = (value, region)
    }
}

/// The query of an observation, and the database that it reads.
private final class ObservationSource: Sendable {
    private let database: any ObservableDatabase
    let isUnchanged: @Sendable (ErasedValue, ErasedValue) -> Bool
    private let read: @Sendable (any PooledConnection) throws -> Fetched<ErasedValue>
    private let readOnce: @Sendable (any PooledConnection) throws -> ErasedValue
    private let identify: @Sendable () -> Identified
    private let identified = AtomicLazyReference<Identified>()

    /// What identifies the query; made for its first observer: a single read needs none.
    private final class Identified: Sendable {
        let key: QueryKey
        /// Estimates the durations of the fetches.
        let site: AccessSite
        /// The address of the token identifies a query without an identity of its own while the observation lives.
        private let token = UniqueToken()

        init(_ identity: (some Hashable & Sendable)?, _ value: Any.Type, _ interval: Duration) {
            key =
                if let identity { QueryKey(identity, value, interval) } else {
                    QueryKey(ObjectIdentifier(token), value, interval)
                }
            site = AccessSite(key)
        }
    }

    init<Value: Sendable, Identity: Hashable & Sendable>(
        _ database: any ObservableDatabase, _ identity: @escaping @Sendable () -> Identity?, _ interval: Duration,
        _ isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        _ read: @escaping @Sendable (any PooledConnection) throws -> Fetched<Value>,
        once readOnce: @escaping @Sendable (any PooledConnection) throws -> Value
    ) {
        self.database = database
        // The key contains the type of the value: all values of the query have it.
        self.isUnchanged = { isUnchanged(ObservedValue.value(of: $0), ObservedValue.value(of: $1)) }
        self.read = { connection in
            let fetched = try read(connection)
            return Fetched(value: ObservedValue(fetched.value), region: fetched.region)
        }
        self.readOnce = { ObservedValue(try readOnce($0)) }
        identify = { Identified(identity(), Value.self, interval) }
    }

    private var identification: Identified { identified.load() ?? identified.storeIfNil(identify()) }
    private var key: QueryKey { identification.key }
    private var site: AccessSite { identification.site }

    func subscribe() -> SharedQuery {
        database.observerAdded()
        return database.hub.query(key) {
            SharedQuery(
                interval: key.interval, isUnchanged: isUnchanged,
                isFetchShort: { [database, site] in
                    database.hasShortAccesses && database.fetchPool.areShort(at: site)
                },
                startFetch: database.fetchPool.execution == .inline ? nil : startFetch)
        }
    }

    func unsubscribe(_ query: SharedQuery) {
        database.hub.release(key, query)
        database.observerRemoved()
    }

    var health: ObservationHealth { database.hub.health(of: key) }

    var isStale: Bool { database.hub.query(key)?.isStale ?? true }

    func now() -> Duration {
        database.clock.now()
    }

    /// Fetches on the calling thread.
    func blockingFetch() throws -> ErasedValue {
        try database.checkNoAccess()
        return try database.fetchPool.runBlocking(readOnce)
    }

    /// Fetches for all observers, and passes the result to the query.
    func fetch(_ query: SharedQuery, after delay: Duration, isolation: isolated (any Actor)?) async {
        do {
            if delay > .zero { try await database.clock.sleep(delay) }
            // The query would miss commits between the fetch and the first one that the database reports.
            try await database.prepareFetch(isolation: isolation)
            query.fetchBegins(now: now())
            try database.checkNoAccess()
            let site = database.hasShortAccesses ? site : nil
            finish(query, .success(try await database.fetchPool.run(isolation: isolation, at: site, read)))
        } catch {
            finish(query, .failure(error))
        }
    }

    /// Fetches on a thread of the database; returns a function that cancels the fetch.
    private func startFetch(_ query: SharedQuery) -> @Sendable () -> Void {
        query.fetchBegins(now: now())
        let access = database.fetchPool.start(at: site, read) { [self] result in finish(query, result) }
        return { access.cancel() }
    }

    /// Reports the health before the value, so that an observer that receives the value reads the new health.
    private func finish(_ query: SharedQuery, _ result: Result<Fetched<ErasedValue>, any Error>) {
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
    /// Whether a commit has marked queries whose observers are not woken yet.
    private let hasMarkedQueries = Atomic(false)

    fileprivate struct State {
        var queries: [QueryKey: SharedQuery] = [:]
        /// The health of the observed queries that are not live.
        var healths: [QueryKey: ObservationHealth] = [:]
    }

    package init() {}

    func query(_ key: QueryKey, make: () -> SharedQuery) -> SharedQuery {
        state.withLock { state in
            // The error of an earlier fetch is not that of the next one.
            if let query = state.queries[key], !query.hasFailed {
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
    func query(_ key: QueryKey) -> SharedQuery? {
        state.withLock { $0.queries[key] }
    }

    func release(_ key: QueryKey, _ query: SharedQuery) {
        let health = state.withLock { state -> ObservationHealth? in
            guard query.release(), state.queries[key] === query else { return nil }
            state.queries[key] = nil
            count.store(state.queries.count, ordering: .releasing)
            return state.healths.removeValue(forKey: key)
        }
        // An error of the user is not released under the lock.
        withExtendedLifetime(health) {}
        query.observerRemoved()
    }

    func health(of key: QueryKey) -> ObservationHealth {
        state.withLock { $0.healths[key] ?? .live }
    }

    func report(_ health: ObservationHealth, of key: QueryKey) {
        state.withLock { state in
            // Usually every query is live.
            if state.healths.isEmpty, case .live = health { return }
            let isRecorded = if case .live = health { false } else { state.queries[key] != nil }
            state.healths[key] = isRecorded ? health : nil
        }
    }

    /// Fails all observed queries of a database that has been closed: their observers throw the error of its pool instead
    /// of waiting for commits that nobody reports.
    package func closed(with pool: ConnectionPool) {
        let (error, queries) = (pool.error(.closed), state.withLock { $0.queries })
        for (key, query) in queries {
            report(.failed(error), of: key)
            query.fail(error)
        }
    }

    package var queryCount: Int { count.load(ordering: .acquiring) }

    var isIdle: Bool { count.load(ordering: .acquiring) == 0 }

    /// Marks the queries that read `region` as stale, and wakes their observers.
    package func committed(_ region: Region) {
        mark(region)
        wakeObservers()
    }

    /// Marks the queries that read `region` as stale; their observers wait for `wakeObservers`. A database with one writer
    /// calls this in the order of the commits, before the next one can begin.
    package func mark(_ region: Region) {
        guard !isIdle, !region.isEmpty else { return }
        let queries = state.withLock { Array($0.queries.values) }
        var hasMarked = false
        for query in queries where query.mark(region) { hasMarked = true }
        if hasMarked { hasMarkedQueries.store(true, ordering: .releasing) }
    }

    /// Wakes an observer of each marked query, or begins its fetch. This may take longer than a short access, because the
    /// system may run the woken thread first: call it while nobody waits for the caller.
    package func wakeObservers() {
        guard hasMarkedQueries.load(ordering: .relaxed),
            hasMarkedQueries.exchange(false, ordering: .acquiringAndReleasing)
        else { return }
        let queries = state.withLock { Array($0.queries.values) }
        for query in queries { query.wakeObserver() }
    }
}

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

/// The values of a query over time: first the current value, then one for each commit that changes it.
///
/// ```swift
/// for try await names in database.observe(String.self, "SELECT name FROM cities ORDER BY name") { show(names) }
/// ```
///
/// - Each iteration is an observer. All observers of one observation share its fetches.
/// - Every value is a committed state, later than the preceding one. A slow observer receives only the newest value,
///   and nothing is fetched while no observer waits.
/// - The iteration ends when the task is cancelled, and throws the errors of fetching, and `.closed` when the database
///   has been closed. If the database is busy or cannot be reached, the fetch is retried until it succeeds, which
///   ``health`` reports.
public struct DatabaseObservation<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = any Error

    private let source: ObservationSource

    /// Creates an observation, which skips values that `isUnchanged` after their predecessor. Observations with the same
    /// identity, value type and interval share their fetches; with nil, only the observers of this observation do.
    ///
    /// - Parameters:
    ///   - identity: Returns the identity of the query. Called when it is first observed.
    ///   - read: Fetches for observers.
    ///   - readOnce: Fetches a value that is not followed by those of later commits.
    package init<Identity: Hashable & Sendable>(
        database: any ObservableDatabase, identity: @escaping @Sendable () -> Identity?, interval: Duration,
        isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
        read: @escaping @Sendable (any PooledConnection) throws -> Fetched<Value>,
        readOnce: @escaping @Sendable (any PooledConnection) throws -> Value
    ) {
        source = ObservationSource(database, identity, interval, isUnchanged, read, once: readOnce)
    }

    public var health: ObservationHealth { source.health }

    /// Whether a commit has changed the region that the last fetch read; true without an observer, and before the first
    /// fetch.
    package var isStale: Bool { source.isStale }

    /// Reads the value on the calling thread, and returns it with the values of later commits: for the first frame of a
    /// screen, which then shows data at once.
    ///
    /// ```swift
    /// let (names, later) = try database.observe(String.self, "SELECT name FROM cities ORDER BY name").blockingFirst()
    /// show(names)
    /// for try await names in later { show(names) }
    /// ```
    ///
    /// `later` begins with the first value that differs from the returned one, also if it was committed before the
    /// iteration; where values cannot be compared, with the one at the beginning of the iteration.
    ///
    /// The thread is blocked as by `blockingRead`: on the main thread, only for a query that is known to be short.
    ///
    /// - Throws: As `blockingRead`.
    @available(*, noasync, message: "iterate the observation instead")
    public func blockingFirst() throws -> (value: Value, later: Later) {
        let first = try source.blockingFetch()
        return (ObservedValue<Value>.value(of: first), Later(source, after: first))
    }

    /// The values of an observation after one that is known.
    public struct Later: AsyncSequence, Sendable {
        public typealias Element = Value
        public typealias Failure = any Error

        private let source: ObservationSource
        private let known: ErasedValue

        fileprivate init(_ source: ObservationSource, after known: ErasedValue) {
            (self.source, self.known) = (source, known)
        }

        public func makeAsyncIterator() -> Iterator { Iterator(source, after: known) }
    }

    /// Creates an observer, which fetches when its first value is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(source) }

    public struct Iterator: AsyncIteratorProtocol {
        private let observer: QueryObserver
        /// A value that is skipped if it is the first.
        private var known: ErasedValue?

        fileprivate init(_ source: ObservationSource, after known: ErasedValue? = nil) {
            (observer, self.known) = (QueryObserver(source), known)
        }

        /// Returns the next value; nil when the task is cancelled, and after it has thrown an error of fetching.
        public mutating func next() async throws -> Value? {
            try await next(isolation: #isolation)
        }

        /// Returns the next value in the isolation of `actor`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            guard let value = try await observer.next(isolation: actor) else { return nil }
            if let known = known.take(), observer.isUnchanged(known, value) { return try await next(isolation: actor) }
            return ObservedValue<Value>.value(of: value)
        }
    }
}

/// An observer of a query, which unsubscribes on deinitialization.
private final class QueryObserver {
    private let source: ObservationSource
    private let query: SharedQuery
    private var progress = SharedQuery.Progress()
    private var hasFailed = false

    /// Subscribes to the query of `source`, which is fetched when the first value is requested.
    init(_ source: ObservationSource) {
        self.source = source
        query = source.subscribe()
    }

    deinit {
        source.unsubscribe(query)
    }

    func isUnchanged(_ earlier: ErasedValue, _ later: ErasedValue) -> Bool { source.isUnchanged(earlier, later) }

    func next(isolation: isolated (any Actor)?) async throws -> ErasedValue? {
        var hasWaited = false
        while !hasFailed, !Task.isCancelled {
            switch query.nextStep(&progress, hasWaited: hasWaited, now: source.now()) {
            case .deliver(let value): return value
            case .fail(let error):
                hasFailed = true
                throw error
            case .fetch(let delay):
                await source.fetch(query, after: delay, isolation: isolation)
            case .wait:
                await query.wait(progress, isolation: isolation)
            }
            hasWaited = true
        }
        return nil
    }
}

/// The health of an observation.
///
/// ```swift
/// switch cities.health {
/// case .live: hideBanner()
/// case .retrying: showBanner("The database is busy")
/// case .failed(let error): showBanner("\(error)")
/// }
/// ```
public enum ObservationHealth: Sendable {
    case live
    /// The database was busy or could not be reached; the fetch is retried.
    case retrying(any Error)
    /// The observation has failed with this error.
    case failed(any Error)
}
