/// Finds titles of travels while someone types.
///
/// Every function throws ``TravelError`` or `CancellationError`. `TitleRepositoryContract` in `TravelDomainTesting`
/// checks an implementation.
public protocol TitleRepository: Sendable {
    /// Returns the titles that contain `text`, as ``Keyword/matches(_:)`` defines, without duplicates.
    ///
    /// Titles that begin with `text` come first; apart from that, the order is unspecified. Returns at most `limit`
    /// titles, and fewer only when there are no more. Only travels that `viewer` sees count.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title]
}
