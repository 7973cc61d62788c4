/// Finds titles of travels while someone types.
///
/// Every function throws ``TravelError`` or `CancellationError`. `TitleRepositoryContract` in `TravelDomainTesting`
/// checks an implementation.
///
/// ```swift
/// try await repository.titles(containing: keyword, viewer: nil, limit: 3).map(\.text)    // ["Jeju", "Rain in Jeju"]
/// ```
public protocol TitleRepository: Sendable {
    /// Returns the titles that complete `text`, which may be unfinished, without duplicates.
    ///
    /// The titles that begin with `text` come first (``Keyword/begins(_:)``), then those that contain it
    /// (``Keyword/matches(_:)``), then those of which it opens a word (``Keyword/opens(_:)``); apart from that, the
    /// order is unspecified. Returns at most `limit` titles, and fewer only when there are no more. Only travels that
    /// `viewer` sees count.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title]
}
