/// Whether the remote store answers, and the numbers of pending writes and of conflicts.
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

    /// Creates the status of a store that was not used yet.
    public init() {}
}
