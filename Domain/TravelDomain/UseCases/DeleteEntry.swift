/// Deletes an entry from the timeline of a travel, with its image. Only the author of the travel can do this.
///
/// If the image represented the travel, the first image of the remaining timeline takes its place.
public struct DeleteEntry: Sendable {
    private let travels: any TravelEditingRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who edits.
    public init(travels: any TravelEditingRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Deletes the entry.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   travel or entry; ``TravelError/forbidden(_:)`` when the signed-in person is not the author; other errors of
    ///   the repository; `CancellationError`.
    public func callAsFunction(_ entry: TimelineEntry.ID, in id: Travel.ID) async throws {
        let user = try await session.requireUser()
        try await travels.update(id, by: user) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.removing(entry)
        }
    }
}
