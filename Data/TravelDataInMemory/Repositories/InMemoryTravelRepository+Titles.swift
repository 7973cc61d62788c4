public import TravelDomain

extension InMemoryTravelRepository: TitleRepository {
    /// Titles that contain `text`, of travels that `viewer` sees; those that begin with it first.
    ///
    /// - Complexity: O(*n*) in the number of travels.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try Task.checkCancellation()
        var beginning: Set<Title> = []
        var others: Set<Title> = []
        let visibility = visibility(for: viewer)
        for travel in travels.values where visibility.shows(travel) {
            if text.begins(folded: travel.foldedTitle) {
                beginning.insert(travel.recorded.content.title)
                if beginning.count >= limit { break }
            } else if others.count < limit, text.matches(folded: travel.foldedTitle) {
                others.insert(travel.recorded.content.title)
            }
        }
        return Array((Array(beginning) + others.subtracting(beginning)).prefix(max(limit, 0)))
    }
}
