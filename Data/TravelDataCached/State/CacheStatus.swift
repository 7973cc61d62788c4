/// Whether the remote store answers, and what the cache has to tell the person.
///
/// ```swift
/// let status = await travels.status()
/// if status.connection == .offline { show("\(status.pendingWrites) changes wait for the network") }
/// ```
public struct CacheStatus: Hashable, Sendable {
    /// Whether the remote store answers.
    ///
    /// ```swift
    /// for await status in await travels.observeStatus() {
    ///     banner.isHidden = status.connection != .offline
    /// }
    /// ```
    public enum Connection: Hashable, Sendable {
        /// The remote store was not asked yet.
        case unknown
        /// The remote store has answered the last call.
        case online
        /// The remote store has not answered the last call.
        case offline
    }

    /// Whether the remote store answers.
    public var connection = Connection.unknown
    /// The number of pending writes in the outbox.
    public var pendingWrites = 0
    /// The number of conflicts that wait for a decision.
    public var conflicts = 0
    /// The number of travels of the person that the remote store no longer has; see ``VanishedTravel``.
    public var vanishedTravels = 0
    /// The numbers of the items of the outbox that cannot be read, because their bytes are damaged or were written by a
    /// later version. They stay in the outbox and are not sent; `remove(_:)` of the outbox discards one.
    public var damagedItems: [Int] = []

    /// Creates the status of a store that was not used yet.
    public init() {}
}
