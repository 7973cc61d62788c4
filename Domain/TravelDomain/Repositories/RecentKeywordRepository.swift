/// Where the keywords are kept that were searched for on this device.
///
/// Every function throws ``TravelError`` or `CancellationError`; what threw has changed nothing.
/// `RecentKeywordRepositoryContract` in `TravelDomainTesting` checks an implementation.
public protocol RecentKeywordRepository: Sendable {
    /// The recent keywords; none to begin with.
    func recentKeywords() async throws -> RecentKeywords

    /// Changes the recent keywords. Changes never overlap: each sees what the one before has left.
    func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws
}
