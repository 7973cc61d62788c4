public import TravelDomain

extension InMemoryTravelRepository: TitleRepository {
    /// Titles that contain `text`, of travels that `viewer` sees; those that begin with it first.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try Task.checkCancellation()
        let visibility = visibility(for: viewer)
        return index.titles(containing: text, limit: limit) { id in travels[id].map(visibility.shows) ?? false }
    }
}
