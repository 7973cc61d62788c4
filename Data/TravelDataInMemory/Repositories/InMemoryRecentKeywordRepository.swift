public import TravelDomain

/// Recent keywords kept in memory, for as long as this actor lives.
public actor InMemoryRecentKeywordRepository: RecentKeywordRepository {
    private var recent: RecentKeywords

    /// A store that begins with these keywords.
    public init(_ recent: RecentKeywords = RecentKeywords()) {
        self.recent = recent
    }

    /// The recent keywords.
    public func recentKeywords() async throws -> RecentKeywords {
        try Task.checkCancellation()
        return recent
    }

    /// Changes the recent keywords.
    public func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        try Task.checkCancellation()
        change(&recent)
    }
}
