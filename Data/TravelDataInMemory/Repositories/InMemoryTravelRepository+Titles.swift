public import TravelDomain

extension InMemoryTravelRepository: TitleRepository {
    /// Returns titles of visible travels: those that begin with `text`, then those that contain it, then those of which
    /// it opens a word.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try Task.checkCancellation()
        let visibility = visibility(for: viewer)
        let titles = Set(travels.values.filter(visibility.shows).map(\.recorded.content.title))
        let containing = titles.filter(text.matches)
        let others = titles.subtracting(containing).filter(text.opens)
        return Array(
            (containing.filter(text.begins) + containing.filter { !text.begins($0) } + others).prefix(max(limit, 0)))
    }
}
