/// Stores the keywords of recent searches on this device.
///
/// Every function throws ``TravelError`` or `CancellationError`; a call that throws changes nothing.
/// `RecentKeywordRepositoryContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.updateRecentKeywords { $0.remember(keyword) }
/// try await repository.recentKeywords().keywords.first      // keyword
/// ```
public protocol RecentKeywordRepository: Sendable {
    /// Returns the recent keywords; empty at first.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func recentKeywords() async throws -> RecentKeywords

    /// Changes the recent keywords. Changes are serialised: each sees the result of the previous one.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws
}
