/// Where the titles of all travels can be looked up while someone types.
///
/// Every function throws ``TravelError`` or `CancellationError`. `TitleRepositoryContract` in `TravelDomainTesting`
/// checks an implementation.
public protocol TitleRepository: Sendable {
    /// Titles that contain `text`, as ``Keyword/matches(_:)`` says, each once; those that begin with it first, in no
    /// particular order otherwise. At most `limit` of them; all where there are no more. Only travels that `viewer` sees
    /// count.
    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title]
}
