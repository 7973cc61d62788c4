#if PostgreSQL
    internal import DatabaseAccess

    /// The values of a query over time: first the current value, then one for each announced commit that changes it.
    ///
    /// ```swift
    /// for try await names in database.observe(["cities"], { db in
    ///     try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name")
    /// }) {
    ///     show(names)
    /// }
    /// ```
    ///
    /// - Each iteration is an observer. All observers of one observation share its fetches.
    /// - Every value is a committed state, later than the preceding one. A slow observer receives only the newest
    ///   value, and nothing is fetched while no observer waits.
    /// - The iteration ends when the task is cancelled, and throws the errors of fetching. If the server
    ///   cannot be reached or is busy, the fetch is retried until it succeeds, which `health` reports.
    public struct DatabaseObservation<Value: Sendable>: AsyncSequence, Sendable {
        /// The type of the values.
        public typealias Element = Value
        /// The type of the errors of fetching.
        public typealias Failure = any Error

        let source: ObservationSource<Value>

        /// The current health of the observation.
        public var health: ObservationHealth { ObservationHealth(source.health) }

        /// The current health of the observation, and then each change between live, retrying and failed.
        ///
        /// ```swift
        /// for await health in cities.healthChanges {
        ///     isDelayed = if case .retrying = health { true } else { false }
        /// }
        /// ```
        ///
        /// The stream covers all iterations of the observation, and fetches nothing itself. A slow consumer receives
        /// only the latest health. The stream ends when the task is cancelled, and when the database
        /// is released.
        public var healthChanges: AsyncStream<ObservationHealth> { source.healthChanges(ObservationHealth.init) }

        /// Whether a commit was announced since the last fetch.
        package var isStale: Bool { source.isStale }

        /// Creates an observer, which fetches when its first value is requested.
        public func makeAsyncIterator() -> Iterator {
            Iterator(observer: QueryObserver(source))
        }

        /// The iterator of one observer.
        ///
        /// ```swift
        /// var counts = database.observe(["cities"]) { db in
        ///     try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") ?? 0
        /// }.makeAsyncIterator()
        /// let now = try await counts.next()    // the current number; the next call waits for a commit that changes it
        /// ```
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let observer: QueryObserver<Value>

            /// Returns the next value; nil when the task is cancelled, and after it has thrown an error.
            ///
            /// - Throws: The errors of fetching, except those after which the fetch is retried.
            public mutating func next() async throws -> Value? {
                try await observer.next(isolation: #isolation)
            }

            /// Returns the next value in the isolation of `actor`; nil when the task is cancelled, and after it has
            /// thrown an error.
            ///
            /// - Throws: The errors of fetching, except those after which the fetch is retried.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
                try await observer.next(isolation: actor)
            }
        }
    }
#endif
