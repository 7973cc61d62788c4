/// The values of a query, from now on: the present one first, then a new one after each commit that changes it.
///
/// ```swift
/// for try await names in database.observe({ db in
///     try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
/// }) {
///     show(names)
/// }
/// ```
///
/// - Each iteration is an observer of its own. All observers of one observation share its fetches.
/// - Every value is a state that was committed, later than the one before. An observer that is slow gets the newest one
///   and none of those in between, and nothing is fetched while nobody waits.
/// - It ends with nil when the task is cancelled, and throws what fetching throws; a database that is busy is tried
///   again until it is not, which `health` tells of.
public struct DatabaseObservation<Value: Sendable>: AsyncSequence, Sendable {
    /// The values.
    public typealias Element = Value
    /// What fetching may throw.
    public typealias Failure = any Error

    let source: ObservationSource<Value>

    /// How the observation is doing now.
    public var health: ObservationHealth { source.health }

    /// How the observation is doing: its state now, and then each other state that it comes to.
    ///
    /// ```swift
    /// for await health in cities.healthChanges {
    ///     isDelayed = if case .retrying = health { true } else { false }
    /// }
    /// ```
    ///
    /// It watches for as long as it is iterated, from one iteration of the observation to the next, and fetches nothing
    /// itself. Who is slow gets the newest state. It ends with the task, and with the database.
    public var healthChanges: AsyncStream<ObservationHealth> { source.healthChanges }

    /// Whether a commit has touched what was last fetched, so that the next value will be fetched anew.
    package var isStale: Bool { source.isStale }

    /// Begins an iteration.
    public func makeAsyncIterator() -> Iterator {
        Iterator(observer: Observer(source: source))
    }

    /// One observer's iteration.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let observer: Observer

        /// The next value; nil when the task is cancelled.
        public mutating func next() async throws -> Value? {
            try await observer.next(isolation: #isolation)
        }

        /// The next value; nil when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            try await observer.next(isolation: actor)
        }
    }

    /// Leaves the query when the iteration ends, however it ends.
    fileprivate final class Observer {
        private let source: ObservationSource<Value>
        private let query: SharedQuery<Value>
        private var version: UInt64 = 0
        private var hasFailed = false

        init(source: ObservationSource<Value>) {
            self.source = source
            query = source.subscribe()
        }

        deinit {
            source.unsubscribe(query)
        }

        func next(isolation: isolated (any Actor)?) async throws -> Value? {
            var hasWaited = false
            while !hasFailed, !Task.isCancelled {
                switch query.step(after: version, hasWaited: hasWaited, now: source.now()) {
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
}
