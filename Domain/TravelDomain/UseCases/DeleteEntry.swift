/// Deletes an entry from the timeline of a trip, with its image. Only the author of the trip may.
///
/// If the image stood for the trip, the next of the timeline does then.
public struct DeleteEntry: Sendable {
    private let travels: any TravelEditingRepository

    /// Changes travels in `travels`.
    public init(travels: any TravelEditingRepository) {
        self.travels = travels
    }

    /// Takes the entry out of the timeline.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel or entry, ``TravelError/forbidden(_:)`` when
    ///   `user` is not its author, what the repository throws, or `CancellationError`.
    public func callAsFunction(_ entry: TimelineEntry.ID, in id: Travel.ID, by user: User.ID) async throws {
        try await travels.update(id, by: user) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.removing(entry)
        }
    }
}
