/// Deletes an entry from the timeline of a travel, with its image. Only the author of the travel can do this.
///
/// If the image represented the travel, the first image of the remaining timeline takes its place.
public struct DeleteEntry: Sendable {
    private let travels: any TravelEditingRepository

    /// Creates the use case.
    public init(travels: any TravelEditingRepository) {
        self.travels = travels
    }

    /// Deletes the entry.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel or entry; ``TravelError/forbidden(_:)`` when
    ///   `user` is not the author; other errors of the repository; `CancellationError`.
    public func callAsFunction(_ entry: TimelineEntry.ID, in id: Travel.ID, by user: User.ID) async throws {
        try await travels.update(id, by: user) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.removing(entry)
        }
    }
}
