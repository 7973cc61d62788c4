public import TravelDomain

/// Stores recent keywords in memory. They are lost when the actor is released.
public actor InMemoryRecentKeywordRepository: RecentKeywordRepository {
    private var recent: RecentKeywords

    public init(_ recent: RecentKeywords = RecentKeywords()) {
        self.recent = recent
    }

    public func recentKeywords() async throws -> RecentKeywords {
        try Task.checkCancellation()
        return recent
    }

    public func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        try Task.checkCancellation()
        change(&recent)
    }
}
