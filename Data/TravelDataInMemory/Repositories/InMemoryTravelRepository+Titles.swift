public import TravelDomain

extension InMemoryTravelRepository: TitleRepository {
    /// Returns titles of visible travels that contain `text`; those that begin with it come first.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try Task.checkCancellation()
        let visibility = visibility(for: viewer)
        return index.titles(containing: text, limit: limit) { id in travels[id].map(visibility.shows) ?? false }
    }
}
