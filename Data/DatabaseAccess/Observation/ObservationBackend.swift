/// A database that can be observed.
package protocol ObservationBackend: Sendable {
    /// The connection of a fetch.
    associatedtype Connection
    /// What a commit changes and a fetch reads.
    associatedtype Changes: ChangeSet
    /// The health of an observation, as the library declares it.
    associatedtype Health: Sendable
    /// Identifies queries that share their fetches.
    associatedtype Identity: Hashable & Sendable

    /// The health without an error.
    static var live: Health { get }
    /// Returns the health after a fetch that threw `error`.
    static func health(after error: any Error) -> Health
    /// Returns the phase of a health.
    static func phase(of health: Health) -> HealthPhase

    var hub: ObservationHub<Self> { get }
    var clock: AnyClock { get }
    /// Whether fetches can run on threads of the database instead of in the tasks of observers.
    var fetchesOnThreads: Bool { get }

    /// Called when an observer has been added: commits must be reported to the hub.
    func observerAdded()
    /// Called when an observer has been removed.
    func observerRemoved()
    /// Waits until later commits are reported.
    func prepareFetch(isolation: isolated (any Actor)?) async throws
    /// Runs `body` as a read.
    func fetch<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value
    /// Runs `body` as a read on a thread of the database. Returns a function that cancels it.
    func startFetch<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> @Sendable () -> Void
}

/// A set of what commits change and fetches read.
package protocol ChangeSet: Sendable {
    static var nothing: Self { get }
    static var everything: Self { get }
    var isEmpty: Bool { get }

    mutating func formUnion(_ other: Self)
    /// Returns whether a change of this set can affect a read of `other`.
    func overlaps(_ other: Self) -> Bool
}

/// The phase of an observation's health.
package enum HealthPhase: Sendable {
    case live, retrying, failed
}
